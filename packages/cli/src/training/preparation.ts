// The parts of a pipeline before its parser: trained step by step, each step kept for --resume, and scored.
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { plainText, SENTENCE_END, Segmenter, type Sentence, surfaceOf } from "@stemma/core";
import {
  type KeptModel,
  type PreparedPipeline,
  type RunRequest,
  TemplateError,
  type TrainingRun,
  type TreebankSentence,
  trainingSteps,
} from "@stemma/core/training";
import { loadChecked, partOf, saveChecked } from "../files/checkpoint.js";
import { FileError } from "../files/io.js";
import { clearStatus, note, showStatus } from "../terminal/messages.js";
import type { TrainingOptions } from "./options.js";

interface Part {
  fingerprint: string;
  name: string;
  model: KeptModel;
}

/** Trains what comes before the parser, if that is asked for; with --resume what is finished is read. */
export async function startRun(
  request: RunRequest,
  sha256: string,
  { resume }: TrainingOptions,
  checkpoint: string,
): Promise<TrainingRun> {
  const { seed, folds, members, partWeights, pipeline } = request.settings;
  const { encoded, origin } = request;
  const encoder = encoded && [{ ...origin?.encoder, layers: encoded.encoder.header.layers }];
  const fingerprint = createHash("sha256")
    .update(sha256)
    .update(JSON.stringify([seed, folds, members, partWeights, ...(encoder ?? [])]))
    .digest("hex");
  const kept = new Map<string, KeptModel>();
  if (pipeline && resume) {
    for (let k = 1; existsSync(partOf(checkpoint, k)); k++) {
      const part = (await loadChecked(partOf(checkpoint, k))) as Part | undefined;
      if (part?.fingerprint !== fingerprint) {
        throw new FileError(
          `${partOf(checkpoint, k)}: belongs to a run with other data or options ` +
            "(expected the same; delete it to start from the beginning)",
        );
      }
      kept.set(part.name, part.model);
    }
    if (kept.size > 0) note(`resumed: ${kept.size} models before the parser were trained already`);
  }
  const steps = trainingSteps(request, (name) => kept.get(name));
  for (;;) {
    const { done, value } = nextOf(steps);
    if (done) {
      clearStatus();
      if (pipeline) note("segmenter, tagger and lemmatizer trained");
      return value;
    }
    const { name, number, of, model } = value;
    if (model) await saveChecked(partOf(checkpoint, number), { fingerprint, name, model } satisfies Part);
    else showStatus(`before the parser, ${number} of ${of}: ${name} …`);
  }
}

/** The next step; templates and settings that do not go together are the fault of the command line. */
function nextOf<Steps extends ReturnType<typeof trainingSteps>>(steps: Steps): ReturnType<Steps["next"]> {
  try {
    return steps.next() as ReturnType<Steps["next"]>;
  } catch (error) {
    if (error instanceof TemplateError || error instanceof RangeError) throw new FileError(error.message);
    throw error;
  }
}

/** Percentages of what is right in the development data before anything is parsed. */
export interface PreparationScores {
  tokens: number;
  sentences: number;
  upos?: number;
  xpos?: number;
  feats?: number;
  lemmas?: number;
}

const COLUMNS = { upos: "upos", xpos: "xpos", feats: "feats", lemmas: "lemma" } as const;

/** Scores of the segmenter (F1, on the text of the sentences) and of the tagger and lemmatizer (on the gold tokens). */
export function preparationScores(
  { segmenter }: Pick<PreparedPipeline, "segmenter">,
  gold: readonly Sentence[],
  predicted: readonly TreebankSentence[],
): PreparationScores {
  const scores: PreparationScores = segmentation(new Segmenter(segmenter), gold);
  for (const [name, column] of Object.entries(COLUMNS) as [
    keyof typeof COLUMNS,
    "upos" | "xpos" | "feats" | "lemma",
  ][]) {
    let [words, right, annotated] = [0, 0, false];
    gold.forEach((sentence, k) => {
      for (let i = 1; i <= sentence.length; i++) {
        words++;
        if (sentence[column](i) !== "_") annotated = true;
        if (predicted[k]![column](i) === sentence[column](i)) right++;
      }
    });
    if (annotated) scores[name] = (100 * right) / words;
  }
  return scores;
}

function segmentation(segmenter: Segmenter, gold: readonly Sentence[]): { tokens: number; sentences: number } {
  const { text, marks } = plainText(gold.map(surfaceOf));
  const goldTokens = new Set<string>();
  const goldSentences = new Set<string>();
  let token = -1;
  let sentence = -1;
  for (let i = 0; i <= text.length; i++) {
    if (marks[i] !== 0 && token >= 0) {
      goldTokens.add(`${token}-${i}`);
      token = -1;
      if (marks[i]! & SENTENCE_END) {
        goldSentences.add(`${sentence}-${i}`);
        sentence = -1;
      }
    }
    if (token < 0 && i < text.length && /\S/.test(text[i]!)) {
      token = i;
      if (sentence < 0) sentence = i;
    }
  }
  const tokens: string[] = [];
  const sentences: string[] = [];
  for (const { start, end, tokens: own } of segmenter.segment(text)) {
    sentences.push(`${start}-${end}`);
    for (const { start, end } of own) tokens.push(`${start}-${end}`);
  }
  return { tokens: f1(goldTokens, tokens), sentences: f1(goldSentences, sentences) };
}

function f1(gold: ReadonlySet<string>, found: readonly string[]): number {
  const right = found.filter((span) => gold.has(span)).length;
  return gold.size + found.length === 0 ? 100 : (200 * right) / (gold.size + found.length);
}

/** The scores in a line. */
export function scoreLine(scores: PreparationScores): string {
  const names = {
    tokens: "tokens",
    sentences: "sentences",
    upos: "UPOS",
    xpos: "XPOS",
    feats: "FEATS",
    lemmas: "lemmas",
  };
  return Object.entries(names)
    .flatMap(([key, name]) => {
      const score = scores[key as keyof PreparationScores];
      return score === undefined ? [] : [`${name} ${score.toFixed(2)}`];
    })
    .join(", ");
}
