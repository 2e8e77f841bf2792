// A reporter for Stryker that prints every mutant that survives as soon as it is known, so that one can write the test
// while others are tried.
import { readFileSync } from "node:fs";
import path from "node:path";
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";

/** The line with the change in it, «before → after», if no test noticed it. */
export function survivor(name, source, { status, location: { start, end }, replacement }) {
  if (status !== "Survived" && status !== "NoCoverage") return undefined;
  const line = source.split("\n")[start.line - 1];
  const [first, last] = [start.column - 1, start.line === end.line ? end.column - 1 : line.length];
  const change = `«${line.slice(first, last)} → ${replacement.replace(/\s+/g, " ")}»`;
  const whole = `${line.slice(0, first)}${change}${line.slice(last)}`.trim().replaceAll("`", "'");
  return `- ${name}:${start.line}${status === "NoCoverage" ? " (no test reaches it)" : ""} \`${whole}\``;
}

function onMutantTested(mutant) {
  const { fileName } = mutant;
  const line = survivor(path.relative(process.cwd(), fileName), readFileSync(fileName, "utf8"), mutant);
  if (line) console.log(line);
}

export const strykerPlugins = [declareValuePlugin(PluginKind.Reporter, "survivors", { onMutantTested })];
