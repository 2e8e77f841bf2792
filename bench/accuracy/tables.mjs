// Which tables of the sources are computed how far: writes docs/experiments/tables.md, after the text that is there, from
// the specifications in docs/experiments/tables and the reports beside them: node bench/accuracy/tables.mjs
// The tables themselves are computed, or continued, by stemma experiment.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { table } from "../data/markdown.mjs";

const FOLDER = fileURLToPath(new URL("../../docs/experiments/tables", import.meta.url));
const PAGE = `${FOLDER}.md`;
const MARK = "<!-- node bench/accuracy/tables.mjs writes the rest -->";

const rows = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json"))
  .map((name) => {
    const base = name.slice(0, -".json".length);
    const { title, verdict } = JSON.parse(readFileSync(`${FOLDER}/${name}`, "utf8"));
    const report = `${FOLDER}/${base}/report.json`;
    if (!existsSync(report)) return [title, `[${base}](tables/${name})`, "nothing", ""];
    const { missing, cells } = JSON.parse(readFileSync(report, "utf8"));
    const computed = missing === 0 ? `all ${cells}` : `${cells - missing} of ${cells}`;
    return [title, `[${base}](tables/${base}/report.md)`, computed, verdict ?? ""];
  });
const page = readFileSync(PAGE, "utf8");
const text = table(["table", "page, or specification", "computed", "verdict"], rows, 4);
writeFileSync(PAGE, `${page.slice(0, page.indexOf(MARK) + MARK.length)}\n\n${text}\n`);
