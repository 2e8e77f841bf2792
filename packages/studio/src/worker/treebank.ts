import type { Pipeline, Sentence } from "@stemma/core";
import { Evaluation, evaluationPlots } from "@stemma/core/evaluation";
import {
  BlockSplitter,
  nonProjectiveArcs,
  readTreebank,
  TreebankError,
  TreebankReader,
  TreebankStatistics,
} from "@stemma/core/treebank";
import { SURE } from "../annotation/sure.js";
import type {
  EvaluationResult,
  Marks,
  Requests,
  TreebankFound,
  TreebankOrder,
  TreebankQuery,
  TreebankRow,
  TreebankSummary,
} from "../protocol.js";
import { Fingerprint } from "../storage/fingerprint.js";
import { Values } from "./completions.js";
import { JudgedWords, plottedSentenceLengths } from "./judged-words.js";
import { withMarks } from "./marks.js";
import { hasTree } from "./parse.js";
import { PatternSearch, placesOf } from "./pattern-search.js";
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
  /** How sure the model is of a sentence on average, and of how many words that have another arc; see rank. */
  private sureness = new Float32Array(0);
  private doubtful = new Uint16Array(0);
  private values: Values | undefined;
  private readonly reader: TreebankReader;
  /** What stands in the place of sentences of the file: see SentenceState. */
  private readonly edited = new Map<number, string>();
  private key = "";

  private constructor(
    readonly name: string,
    private readonly blob: Blob,
    private readonly isPacked: boolean,
  ) {
    // What is no tree is there to be repaired.
    this.reader = new TreebankReader({ source: name, allowNonTrees: true });
  }

  /** Reads the whole file once, in slices. */
  static async open(file: File, task: Task): Promise<{ treebank: TreebankFile; summary: TreebankSummary } | undefined> {
    const magic = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const packed = magic[0] === 0x1f && magic[1] === 0x8b;
    const blob = packed ? await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob() : file;
    const treebank = new TreebankFile(file.name, blob, packed);
    const statistics = new TreebankStatistics();
    const content = new Fingerprint();
    const errors: string[] = [];
    const done: number[] = [];
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
      if (sentence.comment("done") === "yes") done.push(treebank.size);
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
    treebank.sureness = new Float32Array(treebank.size).fill(Number.NaN);
    treebank.doubtful = new Uint16Array(treebank.size);
    treebank.key = content.toString();
    const summary: TreebankSummary = {
      key: treebank.key,
      name: file.name,
      bytes: blob.size,
      sentences: treebank.size,
      errors,
      errorCount,
      statistics: statistics.toJSON(),
      done,
    };
    return { treebank, summary };
  }

  get size(): number {
    return this.words.length;
  }

  /** Takes texts in the place of those of the file; those of another file are passed over. */
  edit(key: string, edits: readonly [number, string | undefined][]): void {
    if (key !== this.key) return;
    for (const [index, text] of edits) {
      if (text === undefined) this.edited.delete(index);
      else this.edited.set(index, text);
    }
  }

  /** The bytes of one sentence in the file's own format. */
  async originalText(index: number): Promise<string> {
    const bytes = await this.blob.slice(this.starts[index]!, this.ends[index]!).arrayBuffer();
    // A byte order mark is to be written again.
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }

  /** A sentence as it is by now: several if it was split, none if it was joined to another. */
  async sentencesAt(index: number): Promise<Sentence[]> {
    return this.editedAt(index) ?? [await this.sentence(index)];
  }

  /** A sentence as it is in the file. */
  async sentence(index: number): Promise<Sentence> {
    const bytes = new Uint8Array(await this.blob.slice(this.starts[index]!, this.ends[index]!).arrayBuffer());
    return this.read(bytes, index);
  }

  private editedAt(index: number): Sentence[] | undefined {
    const text = this.edited.get(index);
    if (text === undefined) return undefined;
    return text === "" ? [] : readTreebank(text, { source: this.name, allowNonTrees: true });
  }

  private read(bytes: Uint8Array, index: number): Sentence {
    const sentence = this.reader.readBlock({ bytes, line: this.lines[index]!, hasWords: true, tooLong: false });
    if (sentence instanceof TreebankError) throw sentence;
    return sentence;
  }

  async rows(indices: readonly number[], pattern: string): Promise<TreebankRow[]> {
    const search = pattern === "" ? undefined : new PatternSearch(pattern);
    return Promise.all(
      indices.map(async (index) => {
        const sentences = await this.sentencesAt(index);
        const sureness = this.sureness[index]!;
        let text = "";
        const marked: [number, number][] = [];
        for (const sentence of sentences) {
          // Where a sentence was split is shown.
          if (text !== "") text += " ¶ ";
          const at = text.length;
          text += sentence.text;
          const places = search ? placesOf(sentence, search.words(sentence)) : [];
          for (const [from, to] of places) marked.push([at + from, at + to]);
        }
        return {
          index,
          id: sentences[0]?.id,
          text,
          marked,
          words: sentences.reduce((sum, { length }) => sum + length, 0),
          nonProjective: this.edited.has(index)
            ? sentences.some(({ heads }) => nonProjectiveArcs(heads).length > 0)
            : this.nonProjective[index]!,
          wrong: this.wrong[index] === UNKNOWN ? undefined : this.wrong[index],
          sureness: Number.isNaN(sureness) ? undefined : sureness,
          doubtful: Number.isNaN(sureness) ? undefined : this.doubtful[index],
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

  /** Sentences as they are by now, each with its number. */
  private async *currentSentences(
    task: Task,
    wanted: (index: number) => boolean,
  ): AsyncGenerator<[number, Sentence[]]> {
    for await (const [index, sentence] of this.sentences(task, wanted)) {
      yield [index, this.editedAt(index) ?? [sentence]];
    }
  }

  /** The sentences that have all that is asked for. Undefined if something newer is asked for meanwhile. */
  async search(query: TreebankQuery, task: Task): Promise<TreebankFound | undefined> {
    const hasForm = wordMatcher(query.form);
    const label = query.label.trim();
    const pattern = query.pattern.trim() === "" ? undefined : new PatternSearch(query.pattern, query.by, query.value);
    const wanted = (i: number) =>
      this.edited.get(i) !== "" &&
      (!query.nonProjective || this.edited.has(i) || this.nonProjective[i]!) &&
      (!query.wrong || (this.wrong[i]! > 0 && this.wrong[i] !== UNKNOWN)) &&
      (!query.errors || this.judged.has(i, query.errors));
    const found: number[] = [];
    if (!hasForm && label === "" && !pattern && !query.nonProjective) {
      for (let i = 0; i < this.size; i++) if (wanted(i)) found.push(i);
    } else {
      let stopped = false;
      const watched: Task = { tick: async (done) => (await task.tick(done)) || !(stopped = true) };
      for await (const [index, sentences] of this.currentSentences(watched, wanted)) {
        if (query.nonProjective && !sentences.some(({ heads }) => nonProjectiveArcs(heads).length > 0)) continue;
        if (label !== "" && !sentences.some((s) => anyWord(s, (i) => matchesLabel(s.deprel(i), label)))) continue;
        if (hasForm && !sentences.some(hasForm)) continue;
        // All of them, so that all matches are counted.
        if (pattern && sentences.filter((sentence) => pattern.has(sentence)).length === 0) continue;
        found.push(index);
      }
      if (stopped) return undefined;
    }
    const { counts, moreValues = 0 } = pattern?.summary ?? {};
    return {
      sentences: Uint32Array.from(this.ordered(found, query.order)),
      matches: pattern?.matches,
      counts,
      moreValues,
    };
  }

  /** What is not ranked comes last, in the order of the file. */
  private ordered(found: number[], order: TreebankOrder): number[] {
    if (order === "file") return found;
    const { sureness, doubtful } = this;
    const rank = (i: number) =>
      Number.isNaN(sureness[i]!) ? Number.POSITIVE_INFINITY : order === "unsure" ? sureness[i]! : -doubtful[i]!;
    return found.sort((a, b) => {
      const [x, y] = [rank(a), rank(b)];
      return x === y ? a - b : x - y;
    });
  }

  /** Parses every sentence to know how sure the model is of it, and where it is sure of something else. */
  async rank(pipeline: Pipeline, task: Task): Promise<true | undefined> {
    let slice = performance.now();
    let stopped = false;
    const watched: Task = { tick: async (done) => (await task.tick(done)) || !(stopped = true) };
    for await (const [index, sentences] of this.currentSentences(watched, () => true)) {
      let [sum, words, doubtful] = [0, 0, 0];
      for (const sentence of sentences) {
        const copy = this.copyOf(sentence, index);
        pipeline.fillTags(copy);
        const scores = new Float64Array(sentence.length + 1);
        const { heads, labels } = pipeline.parser.parse(copy, { scores });
        for (let i = 1; i <= sentence.length; i++) {
          sum += scores[i]!;
          words++;
          const isOther = sentence.head(i) >= 0 && (sentence.head(i) !== heads[i] || sentence.deprel(i) !== labels[i]);
          if (isOther && scores[i]! >= SURE) doubtful++;
        }
      }
      this.sureness[index] = words === 0 ? Number.NaN : sum / words;
      this.doubtful[index] = Math.min(doubtful, UNKNOWN);
      if (performance.now() - slice > 30) {
        if (!(await watched.tick(index / this.size))) break;
        slice = performance.now();
      }
    }
    return stopped ? undefined : true;
  }

  /** What the treebank has in a column, for the word at hand. */
  async completions(ask: Requests["completions"]["ask"], task: Task): Promise<string[] | undefined> {
    if (!this.values) {
      const values = new Values();
      for await (const [, sentence] of this.sentences({ tick: async () => true }, () => true)) values.add(sentence);
      this.values = values;
      if (!(await task.tick(1))) return undefined;
    }
    return this.values.offer(ask);
  }

  /** The whole file: what was changed in its place, and everything else byte by byte. */
  async write(marks: readonly Marks[]): Promise<{ file: Blob; key: string }> {
    const marked = new Map(marks.map((one) => [one.index, one]));
    const changed = [...new Set([...this.edited.keys(), ...marked.keys()])].sort((a, b) => a - b);
    const parts: BlobPart[] = [];
    let at = 0;
    for (const index of changed) {
      parts.push(this.blob.slice(at, this.starts[index]!));
      at = this.ends[index]!;
      const text = this.edited.get(index) ?? (await this.originalText(index));
      const own = marked.get(index);
      parts.push(own && text !== "" ? withMarks(text, own) : text);
    }
    parts.push(this.blob.slice(at));
    const plain = new Blob(parts, { type: "text/plain" });
    const content = new Fingerprint();
    for (let from = 0; from < plain.size; from += CHUNK) {
      content.add(new Uint8Array(await plain.slice(from, from + CHUNK).arrayBuffer()));
    }
    const file = this.isPacked
      ? await new Response(plain.stream().pipeThrough(new CompressionStream("gzip"))).blob()
      : plain;
    return { file, key: content.toString() };
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
