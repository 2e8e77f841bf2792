import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Sentence } from "@stemma/core";
import { copiesOf, MOST_WEIGHT, plainSentence } from "@stemma/core/training";
import { FileError, fileError, type ReadReport, readSentences } from "../files/io.js";

/** A treebank to train on, and how much of it: 0.5 is every second sentence, 2 every sentence twice. */
export interface TrainingFile {
  path: string;
  weight: number;
}

/** Sentences to train on, and what they are. */
export interface TrainingSentences {
  sentences: Sentence[];
  sha256: string;
  /** Names of the files without their folders, with weights. */
  name: string;
}

/** Reads arguments such as "b.conllu:0.5"; a file of that name is a file. */
export function trainingFiles(args: readonly string[]): TrainingFile[] {
  return args.map((arg) => {
    const [, path, number] = /^(.*):([^:/\\]*)$/s.exec(arg) ?? [];
    if (path === undefined || existsSync(arg) || !existsSync(path)) return { path: arg, weight: 1 };
    const weight = Number(number);
    if (/^\d*\.?\d+$/.test(number!) && weight > 0 && weight <= MOST_WEIGHT) return { path, weight };
    throw new FileError(`${arg}: invalid weight: ${number} (expected a number above 0, at most ${MOST_WEIGHT})`);
  });
}

interface Reading {
  strict?: boolean | undefined;
  /** Words may lack a head. */
  partial?: boolean | undefined;
  report: ReadReport;
}

/** The sentences of all files, in their order. */
export async function readTraining(files: readonly TrainingFile[], reading: Reading): Promise<TrainingSentences> {
  const sentences: Sentence[] = [];
  const hash = createHash("sha256");
  for (const { path, weight } of files) {
    const before = sentences.length;
    let read = 0;
    for await (const sentence of treesOf(path, reading)) {
      const plain = plainSentence(sentence);
      // Copies stand together, so that none is predicted by what was trained on another.
      for (let copies = copiesOf(read++, weight); copies > 0; copies--) {
        hash.update(sentence.toString());
        sentences.push(plain);
      }
    }
    if (sentences.length === before) throw new FileError(`${path}: no sentences to train on`);
  }
  const names = files.map(({ path, weight }) => basename(path) + (weight === 1 ? "" : `:${weight}`));
  return { sentences, sha256: hash.digest("hex"), name: names.join(" + ") };
}

/** The sentences that a parser has annotated, all of them: how much they count, training decides. */
export async function readSilver(path: string, reading: Reading): Promise<TrainingSentences> {
  return readTraining([{ path, weight: 1 }], reading);
}

/** The sentences to test on. */
export async function readDevelopment(path: string, reading: Omit<Reading, "partial">): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  for await (const sentence of treesOf(path, reading)) sentences.push(plainSentence(sentence));
  if (sentences.length === 0) throw new FileError(`${path}: no sentences to test on`);
  return sentences;
}

function treesOf(path: string, { strict, partial, report }: Reading): AsyncGenerator<Sentence, void, void> {
  return readSentences(path, { strict, requireTree: !partial, report });
}

/** SHA-256 of the bytes of a file. */
export async function hashOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw fileError("read", file, error);
  });
  return createHash("sha256").update(bytes).digest("hex");
}
