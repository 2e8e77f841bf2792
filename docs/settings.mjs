// Writes the tables of all settings into docs/training.md, from the schema: node docs/settings.mjs. With --check nothing
// is written, and the status is 1 if the page is not that of the schema.
import { readFileSync, writeFileSync } from "node:fs";
import { inFlags } from "../packages/cli/dist/options/option-rules.js";
import { helpOf, termOf } from "../packages/cli/dist/training/options.js";
import { commandSettings } from "../packages/cli/dist/training/schema.js";

const page = new URL("training.md", import.meta.url);
const [begin, end] = ["<!-- settings: node docs/settings.mjs -->", "<!-- end of settings -->"];

/** @param {string[][]} rows */
function table(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  const line = (/** @type {string[]} */ row) => `| ${row.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`;
  return [line(rows[0]), line(widths.map((width) => "-".repeat(width))), ...rows.slice(1).map(line)].join("\n");
}

const cell = (/** @type {string} */ text) => text.replaceAll("|", "\\|");
const settings = commandSettings();
const topics = [...new Set(settings.map(([, { topic }]) => topic))];
const sections = topics.map((topic) => {
  const rows = settings
    .filter(([, setting]) => setting.topic === topic)
    .map(([name, setting]) => {
      const { choices, needs = [] } = setting;
      const values = choices && choices.length < 8 ? `: ${choices.join(", ")}` : "";
      const said = [needs].flat().map(({ needs }) => inFlags(needs));
      return [`\`${termOf(name, setting)}\``, cell(helpOf(setting) + values), cell(said.join("; "))];
    });
  return `### ${topic}\n\n${table([["option", "sets", "needs"], ...rows])}`;
});
const text = readFileSync(page, "utf8");
const [before, after] = [text.slice(0, text.indexOf(begin)), text.slice(text.indexOf(end))];
const written = `${before}${begin}\n\n${sections.join("\n\n")}\n\n${after}`;
if (!process.argv.includes("--check")) writeFileSync(page, written);
else if (written !== text) {
  console.error("docs/training.md: the tables of settings are not those of the schema (node docs/settings.mjs)");
  process.exitCode = 1;
}
