import { stat } from "node:fs/promises";
import { ParserModel, type PipelineModel } from "@stemma/core";
import { CombinedModel } from "@stemma/core/combination";
import { EnhancedModel } from "@stemma/core/enhanced";
import { JointRolesModel, rolesOf } from "@stemma/core/roles";
import type { Command } from "commander";
import { guarded } from "../../files/io.js";
import { loadModel, modelFile } from "../../files/model.js";
import { writeOutput } from "../../files/output.js";
import { alignedLines } from "../../terminal/text-table.js";

interface InfoOptions {
  json?: boolean;
  output?: string;
}

const HELP = `
Shows what a model can do, its parts, its origin and its scores on the development set. The whole model is read and checked. JSON: {"file", "bytes", "does", "parser": {"system", "root", "labels", "beam", "decoder", "order", "network", "encoder", …}, "parts": {name: {"features"}}, "origin"};
origin is what stemma train recorded: the treebank with its SHA-256, the options, the licence, the scores.

Examples:
  $ stemma info                                  the English model that comes with Stemma
  $ stemma info english.stemma
  $ stemma info --json english.stemma | jq .origin.treebank.sha256

Exit status: 0 if the model is valid, 2 for wrong usage or a file that is not a model.`;

/** Adds `stemma info`. */
export function register(program: Command): void {
  program
    .command("info")
    .description("show what a model can do, its parts and its origin")
    .argument("[model]", "a model file, or a name such as en-large (default: the English model that comes with Stemma)")
    .option("--json", "print JSON")
    .option("-o, --output <file>", "write to a file, which appears only once it is complete")
    .addHelpText("after", HELP)
    .action(guarded(info));
}

async function info(path: string | undefined, { json, output }: InfoOptions): Promise<void> {
  const file = modelFile(path);
  const model = await loadModel(file);
  const summary = { file, bytes: (await stat(file)).size, ...summaryOf(model) };
  await writeOutput(output, json ? `${JSON.stringify(summary, null, 2)}\n` : tableOf(summary));
}

function summaryOf(model: PipelineModel) {
  const { segmenter, tagger, lemmatizer, parser } = model;
  const roles = rolesOf(model);
  const { network, confidence } = parser.header;
  const { joint } = parser.header as { joint?: { parts?: number } };
  const encoder = parser.network?.contextual?.description;
  return {
    does: [
      ...(segmenter ? ["cuts text into sentences and tokens"] : []),
      ...(tagger ? [joint ? `${joint.parts ? "analyses words" : "tags"} together with parsing` : "tags"] : []),
      ...(lemmatizer ? ["lemmatizes"] : []),
      "parses",
      ...(parser instanceof ParserModel && parser.system.description.leftOut ? ["removes disfluent words"] : []),
      ...(roles
        ? [`finds predicates and semantic roles${parser instanceof JointRolesModel ? " together with parsing" : ""}`]
        : []),
      ...(model.steps.some((step) => step instanceof EnhancedModel) ? ["gives enhanced dependencies"] : []),
      ...(confidence ? ["says how sure it is"] : []),
    ],
    parser: {
      ...parser.description,
      ...(network ? { network } : {}),
      ...(encoder ? { encoder } : {}),
    },
    parts: Object.fromEntries(
      Object.entries({ segmenter, tagger, lemmatizer, parser, roles }).flatMap(([name, part]) => {
        if (!part) return [];
        const isNetwork = name === "parser" && network;
        const size =
          part instanceof CombinedModel
            ? { members: part.weights.length }
            : isNetwork
              ? { network: true }
              : { features: part.linear.size };
        return [[name, size]];
      }),
    ),
    origin: model.origin,
    ...(roles ? { roles: { ...(roles.header.origin as RolesOrigin), network: roles.probe !== undefined } } : {}),
  };
}

/** The origin of a model's roles, as it states it. */
interface RolesOrigin {
  treebank?: { sentences?: number; predicates?: number };
  dev?: { labelled?: number; unlabelled?: number; senses?: number };
}

function roleLine({ treebank, dev, network }: RolesOrigin & { network: boolean }): string {
  const score = dev && `labelled F1 ${dev.labelled}, unlabelled ${dev.unlabelled}, senses ${dev.senses}; `;
  const size = treebank?.predicates?.toLocaleString("en") ?? "?";
  return `${network ? "network; " : ""}${score ?? ""}learned from ${size} predicates`;
}

type Summary = ReturnType<typeof summaryOf> & { file: string; bytes: number };

interface Origin {
  program?: string;
  treebank?: { name?: string; sha256?: string; sentences?: number; words?: number };
  dev?: { name?: string; epoch?: number; uas?: number; las?: number };
  options?: Record<string, unknown>;
  licence?: string;
}

function tableOf({ file, bytes, does, parser, parts, origin, roles }: Summary): string {
  const { treebank, dev, options, licence } = origin as Origin;
  const { network, encoder, ...shape } = parser;
  const number = (value: number | undefined) => value?.toLocaleString("en") ?? "?";
  const rows: [string, string | undefined][] = [
    ["model", `${file}, ${(bytes / 1e6).toFixed(1)} MB`],
    ["does", does.join(", ")],
    [
      "parser",
      Object.entries(shape)
        .map(([name, value]) => `${name} ${value}`)
        .join(", "),
    ],
    ["network", network && `layers ${network.layers}, width ${network.width}, hidden ${network.hidden}`],
    [
      "encoder",
      encoder &&
        `layers ${encoder.layers}, size ${encoder.size}, heads ${encoder.heads}, pieces ${number(encoder.pieces as number)}`,
    ],
    ...Object.entries(parts).map(([name, part]): [string, string] => [
      `  ${name}`,
      "features" in part
        ? `${number(part.features as number)} features`
        : "members" in part
          ? `${part.members} members that vote`
          : "network",
    ]),
    [
      "trained on",
      treebank && `${treebank.name}, ${number(treebank.sentences)} sentences, ${number(treebank.words)} words`,
    ],
    ["  SHA-256", treebank?.sha256],
    ["scores", dev && `${dev.name}: UAS ${dev.uas?.toFixed(2)}, LAS ${dev.las?.toFixed(2)}, epoch ${dev.epoch}`],
    ["roles", roles && roleLine(roles)],
    ["options", options && optionLine(options)],
    ["licence", licence ?? "not given"],
  ];
  return `${alignedLines(
    rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    "left",
  ).join("\n")}\n`;
}

function optionLine(options: Record<string, unknown>): string {
  return Object.entries(options)
    .filter(([, value]) => value !== null && typeof value !== "object")
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}
