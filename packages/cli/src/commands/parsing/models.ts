import { LANGUAGES, languageOf, nameOfLanguage } from "@stemma/core/languages";
import type { Command } from "commander";
import { type InstalledModel, installedModels, PUBLISHED } from "../../files/installed.js";
import { guarded } from "../../files/io.js";
import { writeOutput } from "../../files/output.js";
import { alignedLines } from "../../terminal/text-table.js";

interface ModelsOptions {
  json?: boolean;
  output?: string;
}

const HELP = `
Lists the models that are installed (packages @stemma/model-NAME beside this program or in the project of the current folder) with language, size, scores
on the development set (gold tokens, predicted tags) and licence, and those that can be installed with npm. A name or, where one model has it, the code of a
language can be given wherever a model is expected: stemma parse -m en-large. JSON: {"installed": [{"name", "language", "file", "bytes", "uas", "las", "dev",
"licence"}], "available": [{"name", "language", "megabytes", "package"}], "identified": [languages that --model auto knows]}.

Examples:
  $ stemma models
  $ stemma models --json | jq -r '.installed[].name'

Exit status: 0, 2 for wrong usage.`;

/** Adds `stemma models`. */
export function register(program: Command): void {
  program
    .command("models")
    .description("list the models that are installed, and those that can be")
    .option("--json", "print JSON")
    .option("-o, --output <file>", "write to a file, which appears only once it is complete")
    .addHelpText("after", HELP)
    .action(guarded(models));
}

async function models({ json, output }: ModelsOptions): Promise<void> {
  const installed = installedModels().map(summaryOf);
  const available = PUBLISHED.filter(({ name }) => !installed.some((model) => model.name === name)).map((model) => ({
    ...model,
    package: `@stemma/model-${model.name}`,
  }));
  const text = json
    ? `${JSON.stringify({ installed, available, identified: LANGUAGES }, null, 2)}\n`
    : tableOf(installed, available);
  await writeOutput(output, text);
}

type Summary = ReturnType<typeof summaryOf>;

function summaryOf(model: InstalledModel) {
  const { name, file, bytes, origin } = model;
  const { dev, licence } = origin as { dev?: { name?: string; uas?: number; las?: number }; licence?: string };
  const language = languageOf(model);
  return {
    name,
    ...(language === undefined ? {} : { language }),
    file,
    bytes,
    ...(dev?.uas === undefined ? {} : { uas: dev.uas, las: dev.las, dev: dev.name }),
    ...(licence === undefined ? {} : { licence }),
  };
}

function tableOf(
  installed: readonly Summary[],
  available: readonly { name: string; language: string; megabytes: number; package: string }[],
): string {
  const rows = installed.map(({ name, language, bytes, las, dev, licence }) => [
    name,
    language === undefined ? "?" : nameOfLanguage(language),
    `${(bytes / 1e6).toFixed(1)} MB`,
    las === undefined ? "no scores" : `LAS ${las.toFixed(2)} (${dev})`,
    // The name alone: the rest of the licence is on the model's card.
    licence?.split(/[,;:]/)[0] ?? "no licence given",
  ]);
  const lines = ["installed:", ...alignedLines(rows, "left").map((line) => `  ${line}`)];
  if (rows.length === 0) lines[0] = "installed: none";
  if (available.length > 0) {
    lines.push("can be installed:");
    const more = available.map((one) => [
      one.name,
      nameOfLanguage(one.language),
      `${one.megabytes} MB`,
      `npm install ${one.package}`,
    ]);
    lines.push(...alignedLines(more, "left").map((line) => `  ${line}`));
  }
  return `${lines.join("\n")}\n`;
}
