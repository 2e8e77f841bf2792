import type { Pipeline, Sentence } from "@stemma/core";
import { Evaluation, evaluationPlots } from "@stemma/core/evaluation";
import {
  BlockSplitter,
  nonProjectiveArcs,
  TreebankError,
  TreebankReader,
  TreebankStatistics,
} from "@stemma/core/treebank";
import type { EvaluationResult, TreebankQuery, TreebankRow, TreebankSummary } from "../protocol.js";
import { Fingerprint } from "../storage/fingerprint.js";
import { JudgedWords, plottedSentenceLengths } from "./judged-words.js";
import { hasTree } from "./parse.js";
import { wordMatcher } from "./word-search.js";

const CHUNK = 1 << 18;
const MOST_ERRORS = 20;
const UNKNOWN = 0xffff;

export interface Task {
  /** Reports how far it is, lets other requests through, and says whether to go on. */
  tick(done: number): Promise<boolean>;
}

/**
 * A treebank in a file. Only where each sentence begins is kept, with a few numbers; the sentences themselves are read
 * from the file again when they are wanted, so that the file may be larger than the memory.
 */
export class TreebankFile {
  /** Where sentence i begins and ends, in bytes. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly words: number[] = [];
  private readonly nonProjective: boolean[] = [];
  private readonly lines: number[] = [];
  private wrong = new Uint16Array(0);
  private readonly judged = new JudgedWords();
  private readonly reader: TreebankReader;

  private constructor(
    readonly name: string,
    private readonly blob: Blob,
  ) {
    this.reader = new TreebankReader({ source: name });
  }

  /** Reads the whole file once, in slices. */
  static async open(file: File, task: Task): Promise<{ treebank: TreebankFile; summary: TreebankSummary } | undefined> {
    const magic = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const packed = magic[0] === 0x1f && magic[1] === 0x8b;
    const blob = packed ? await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob() : file;
    const treebank = new TreebankFile(file.name, blob);
    const statistics = new TreebankStatistics();
    const content = new Fingerprint();
    const errors: string[] = [];
    let errorCount = 0;
    let at = 0;
    const splitter = new BlockSplitter();
    const take = (block: { bytes: Uint8Array; line: number; hasWords: boolean; tooLong: boolean }) => {
      if (block.tooLong)
        throw new Error(`${file.name}: not a treebank (no blank line within 16 MB after line ${block.line})`);
      const from = at;
      at += block.bytes.length;
      if (!block.hasWords) return;
      const sentence = treebank.reader.readBlock(block);
      if (sentence instanceof TreebankError) {
        if (errorCount++ < MOST_ERRORS) errors.push(sentence.message);
        return;
      }
      statistics.add(sentence);
      treebank.starts.push(from);
      treebank.lines.push(block.line);
      treebank.words.push(sentence.length);
      treebank.nonProjective.push(nonProjectiveArcs(sentence.heads).length > 0);
      treebank.ends.push(at);
    };
    for (let from = 0; from < blob.size; from += CHUNK) {
      const bytes = new Uint8Array(await blob.slice(from, from + CHUNK).arrayBuffer());
      content.add(bytes);
      for (const block of splitter.push(bytes)) take(block);
      if (!(await task.tick(Math.min(1, (from + CHUNK) / blob.size)))) return undefined;
    }
    const rest = splitter.end();
    if (rest) take(rest);
    treebank.wrong = new Uint16Array(treebank.size).fill(UNKNOWN);
    const summary: TreebankSummary = {
      key: content.toString(),
      name: file.name,
      bytes: blob.size,
      sentences: treebank.size,
      errors,
      errorCount,
      statistics: statistics.toJSON(),
    };
    return { treebank, summary };
  }

  get size(): number {
    return this.words.length;
  }

  /** The bytes of one sentence in the file's own format. */
  async text(index: number): Promise<string> {
    return this.blob.slice(this.starts[index]!, this.ends[index]!).text();
  }

  async sentence(index: number): Promise<Sentence> {
    const bytes = new Uint8Array(await this.blob.slice(this.starts[index]!, this.ends[index]!).arrayBuffer());
    return this.read(bytes, index);
  }

  private read(bytes: Uint8Array, index: number): Sentence {
    const sentence = this.reader.readBlock({ bytes, line: this.lines[index]!, hasWords: true, tooLong: false });
    if (sentence instanceof TreebankError) throw sentence;
    return sentence;
  }

  async rows(indices: readonly number[]): Promise<TreebankRow[]> {
    return Promise.all(
      indices.map(async (index) => {
        const sentence = await this.sentence(index);
        return {
          index,
          id: sentence.id,
          text: sentence.text,
          words: this.words[index]!,
          nonProjective: this.nonProjective[index]!,
          wrong: this.wrong[index] === UNKNOWN ? undefined : this.wrong[index],
        };
      }),
    );
  }

  /**
   * Sentences in their order, read in large slices; `wanted` spares the reading of those that cannot be of interest.
   */
  async *sentences(task: Task, wanted: (index: number) => boolean): AsyncGenerator<[number, Sentence]> {
    let from = 0;
    while (from < this.size) {
      let to = from + 1;
      while (to < this.size && this.ends[to]! - this.starts[from]! < CHUNK) to++;
      let any = false;
      for (let i = from; i < to && !any; i++) any = wanted(i);
      if (any) {
        const base = this.starts[from]!;
        const bytes = new Uint8Array(await this.blob.slice(base, this.ends[to - 1]!).arrayBuffer());
        for (let i = from; i < to; i++) {
          if (wanted(i)) yield [i, this.read(bytes.subarray(this.starts[i]! - base, this.ends[i]! - base), i)];
        }
      }
      from = to;
      if (!(await task.tick(from / this.size))) return;
    }
  }

  /** The numbers of the sentences that have all that is asked for. */
  async search(query: TreebankQuery, task: Task): Promise<Uint32Array> {
    const hasForm = wordMatcher(query.form);
    const label = query.label.trim();
    const wanted = (i: number) =>
      (!query.nonProjective || this.nonProjective[i]!) &&
      (!query.wrong || (this.wrong[i]! > 0 && this.wrong[i] !== UNKNOWN)) &&
      (!query.errors || this.judged.has(i, query.errors));
    const matches: number[] = [];
    if (!hasForm && label === "") {
      for (let i = 0; i < this.size; i++) if (wanted(i)) matches.push(i);
      return Uint32Array.from(matches);
    }
    for await (const [index, sentence] of this.sentences(task, wanted)) {
      if (label !== "" && !anyWord(sentence, (i) => matchesLabel(sentence.deprel(i), label))) continue;
      if (hasForm && !hasForm(sentence)) continue;
      matches.push(index);
    }
    return Uint32Array.from(matches);
  }

  /** Parses every sentence that has a tree and compares. */
  async evaluate(pipeline: Pipeline, retag: boolean, task: Task): Promise<EvaluationResult | undefined> {
    const start = performance.now();
    const evaluation = new Evaluation();
    let slice = performance.now();
    let stopped = false;
    const watched: Task = { tick: async (done) => (await task.tick(done)) || !(stopped = true) };
    for await (const [index, gold] of this.sentences(watched, () => true)) {
      if (!hasTree(gold)) continue;
      const system = this.copyOf(gold, index);
      pipeline.fillTags(system, retag);
      const { heads, labels } = pipeline.parser.parse(system);
      let wrong = 0;
      for (let i = 1; i <= gold.length; i++) {
        if (heads[i] !== gold.heads[i] || labels[i] !== gold.deprel(i)) wrong++;
        system.setHead(i, heads[i]!);
        system.setDeprel(i, labels[i]!);
      }
      this.wrong[index] = Math.min(wrong, UNKNOWN - 1);
      this.judged.add(index, gold, heads, labels);
      evaluation.addGold(gold);
      evaluation.addSystem(system);
      if (performance.now() - slice > 30) {
        if (!(await watched.tick(index / this.size))) break;
        slice = performance.now();
      }
    }
    if (stopped) return undefined;
    evaluation.end();
    const plots = evaluationPlots([{ name: "model", evaluation }]);
    return {
      summary: evaluation.toJSON(),
      plots: [...plots],
      sentenceLengths: plottedSentenceLengths(evaluation),
      seconds: (performance.now() - start) / 1000,
    };
  }

  private copyOf(sentence: Sentence, index: number): Sentence {
    return this.read(new TextEncoder().encode(sentence.toString()), index);
  }
}

function anyWord(sentence: Sentence, test: (i: number) => boolean): boolean {
  for (let i = 1; i <= sentence.length; i++) if (test(i)) return true;
  return false;
}

/** "acl" finds "acl:relcl" as well. */
function matchesLabel(label: string, wanted: string): boolean {
  return label === wanted || label.startsWith(`${wanted}:`);
}
