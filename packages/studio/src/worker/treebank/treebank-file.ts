import type { Pipeline, Sentence } from "@stemma/core";
import {
  BlockSplitter,
  nonProjectiveArcs,
  readTreebank,
  StatisticsWithDisfluencies,
  TreebankError,
  TreebankReader,
} from "@stemma/core/treebank";
import type { Which } from "../../protocol/error-filter.js";
import { Fingerprint } from "../../protocol/fingerprint.js";
import type { Requests } from "../../protocol/requests.js";
import type {
  Marks,
  TreebankFound,
  TreebankOrder,
  TreebankQuery,
  TreebankRow,
  TreebankSummary,
} from "../../protocol/treebank.js";
import { CONFIDENT } from "../../protocol/treebank.js";
import { type Task, watched } from "../tasks/task.js";
import { Values } from "./completions.js";
import { JudgedWords } from "./judged-words.js";
import { withMarks } from "./marks.js";
import { PatternSearch, placesOf } from "./pattern-search.js";
import { wordMatcher } from "./word-search.js";

const CHUNK = 1 << 18;
const MOST_ERRORS = 20;
const NOTHING = new Uint8Array();

/**
 * A treebank in a file. Only where each sentence begins is kept, with a few numbers; the sentences themselves are read
 * from the file again when they are wanted, so that the file may be larger than the memory. Sentences have the numbers
 * that they have in the file, from 0, including those that cannot be read; what was split off a sentence has a number
 * between that one's and the next.
 */
export class TreebankFile {
  /** Where sentence i begins and ends, in bytes. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly nonProjective: boolean[] = [];
  private readonly lines: number[] = [];
  /** Error messages of the sentences that cannot be read. */
  private readonly unreadable = new Map<number, string>();
  /** Words that an evaluation found wrong. */
  private readonly wrong = new Map<number, number>();
  private readonly judged = new JudgedWords();
  /** How sure the model is of a sentence on average, and of how many words that have another arc; see rank. */
  private readonly confidence = new Map<number, number>();
  private readonly doubtful = new Map<number, number>();
  private values: Values | undefined;
  private readonly reader: TreebankReader;
  /** Texts in the place of sentences of the file, or between them: see SentenceState. */
  private readonly edited = new Map<number, string>();
  private key = "";
  private blob = new Blob();

  private constructor(
    readonly name: string,
    private readonly isPacked: boolean,
  ) {
    // Graphs that are no trees are there to be repaired.
    this.reader = new TreebankReader({ source: name, allowNonTrees: true });
  }

  /** Reads the whole file once, in slices. */
  static async open(file: File, task: Task): Promise<{ treebank: TreebankFile; summary: TreebankSummary } | undefined> {
    const magic = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const packed = magic[0] === 0x1f && magic[1] === 0x8b;
    const blob = packed ? await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob() : file;
    /**
     * The content as the browser itself keeps it, in memory or on the disk: a file that was written meanwhile, from
     * here or by another program, cannot be read any more.
     */
    const copies: Blob[] = [];
    const treebank = new TreebankFile(file.name, packed);
    const statistics = new StatisticsWithDisfluencies();
    const content = new Fingerprint();
    const done: number[] = [];
    const roles = { predicates: 0, arguments: 0 };
    let at = 0;
    const splitter = new BlockSplitter();
    const take = (block: { bytes: Uint8Array; line: number; hasWords: boolean; tooLong: boolean }) => {
      if (block.tooLong)
        throw new Error(`${file.name}: not a treebank (no blank line within 16 MB after line ${block.line})`);
      const from = at;
      at += block.bytes.length;
      if (!block.hasWords) return;
      const sentence = treebank.reader.readBlock(block);
      const index = treebank.size;
      treebank.starts.push(from);
      treebank.ends.push(at);
      treebank.lines.push(block.line);
      if (sentence instanceof TreebankError) {
        treebank.unreadable.set(index, sentence.message);
        treebank.nonProjective.push(false);
        return;
      }
      statistics.add(sentence);
      for (const predicate of sentence.predicates) {
        roles.predicates++;
        roles.arguments += predicate.arguments.length;
      }
      if (sentence.comment("done") === "yes") done.push(index);
      treebank.nonProjective.push(nonProjectiveArcs(sentence.heads).length > 0);
    };
    for (let from = 0; from < blob.size; from += CHUNK) {
      const bytes = new Uint8Array(await blob.slice(from, from + CHUNK).arrayBuffer());
      content.add(bytes);
      if (!packed) copies.push(new Blob([bytes]));
      for (const block of splitter.push(bytes)) take(block);
      if (!(await task.tick(Math.min(1, (from + CHUNK) / blob.size)))) return undefined;
    }
    const rest = splitter.end();
    if (rest) take(rest);
    treebank.key = content.toString();
    treebank.blob = packed ? blob : new Blob(copies);
    const summary: TreebankSummary = {
      key: treebank.key,
      name: file.name,
      bytes: blob.size,
      sentences: treebank.size,
      unreadable: [...treebank.unreadable.keys()],
      errors: [...treebank.unreadable.values()].slice(0, MOST_ERRORS),
      statistics: statistics.toJSON(),
      ...roles,
      done,
    };
    return { treebank, summary };
  }

  get size(): number {
    return this.starts.length;
  }

  /** Takes texts in the place of those of the file; those of another file are passed over. */
  edit(key: string, edits: readonly [number, string | undefined][]): void {
    if (key !== this.key) return;
    for (const [index, text] of edits) {
      if (text === undefined) this.edited.delete(index);
      else this.edited.set(index, text);
      // The verdict was about another tree.
      this.wrong.delete(index);
      this.judged.delete(index);
    }
  }

  /** The bytes of one sentence in the file's own format; none of what was split off another. */
  async originalText(index: number): Promise<string> {
    if (!Number.isInteger(index)) return "";
    const bytes = await this.blob.slice(this.starts[index]!, this.ends[index]!).arrayBuffer();
    // A byte order mark is to be written again.
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }

  /** A sentence as it is by now; none if it was joined to another, or if it cannot be read. */
  async sentencesAt(index: number): Promise<Sentence[]> {
    return this.editedAt(index) ?? (this.unreadable.has(index) ? [] : [await this.sentence(index)]);
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

  /** The sentences that were split off others. */
  private inserted(): number[] {
    return [...this.edited.keys()].filter((index) => !Number.isInteger(index)).sort((a, b) => a - b);
  }

  /** The error in a sentence, as long as nobody has mended it. */
  private problemOf(index: number): string | undefined {
    return this.edited.has(index) ? undefined : this.unreadable.get(index);
  }

  private read(bytes: Uint8Array, index: number): Sentence {
    const sentence = this.reader.readBlock({ bytes, line: this.lines[index]!, hasWords: true, tooLong: false });
    if (sentence instanceof TreebankError) throw sentence;
    return sentence;
  }

  async rows({ indices, pattern, errors }: Requests["rows"]["ask"]): Promise<TreebankRow[]> {
    const search = pattern === "" ? undefined : new PatternSearch(pattern);
    return Promise.all(
      indices.map(async (index) => {
        const unreadable = this.problemOf(index);
        const sentences = await this.sentencesAt(index);
        let text = unreadable === undefined ? "" : rawTextOf(await this.originalText(index));
        const marked: [number, number][] = [];
        for (const sentence of sentences) {
          // Several sentences in the place of one are told apart.
          if (text !== "") text += " ¶ ";
          const at = text.length;
          text += sentence.text;
          const found = search ? search.words(sentence) : [];
          if (errors) found.push(...this.judged.words(index, errors));
          const words = [...new Set(found)].sort((a, b) => a - b);
          for (const [from, to] of placesOf(sentence, words)) marked.push([at + from, at + to]);
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
          unreadable,
          wrong: this.wrong.get(index),
          confidence: this.confidence.get(index),
          doubtful: this.doubtful.get(index),
        };
      }),
    );
  }

  /** The sentences of the file that can be read, as they are there. */
  async *sentences(task: Task): AsyncGenerator<[number, Sentence]> {
    for await (const { from, to, read } of this.slices(task, () => true)) {
      for (let i = from; i < to; i++) if (!this.unreadable.has(i)) yield [i, read(i)];
    }
  }

  /** Sentences as they are by now, in their order, each with its number. */
  async *current(task: Task, wanted: (index: number) => boolean): AsyncGenerator<[number, Sentence[]]> {
    const inserted = this.inserted();
    let next = 0;
    for await (const { from, to, read } of this.slices(task, wanted)) {
      for (let i = from; i < to; i++) {
        if (wanted(i)) {
          const sentences = this.editedAt(i) ?? (this.unreadable.has(i) ? [] : [read(i)]);
          if (sentences.length > 0) yield [i, sentences];
        }
        for (; inserted[next]! < i + 1; next++) {
          if (wanted(inserted[next]!)) yield [inserted[next]!, this.editedAt(inserted[next]!) ?? []];
        }
      }
    }
  }

  /** The file in large slices, from one sentence to another; those without any that is wanted are not read. */
  private async *slices(
    task: Task,
    wanted: (index: number) => boolean,
  ): AsyncGenerator<{ from: number; to: number; read(index: number): Sentence }> {
    let from = 0;
    while (from < this.size) {
      let to = from + 1;
      while (to < this.size && this.ends[to]! - this.starts[from]! < CHUNK) to++;
      let any = false;
      for (let i = from; i < to && !any; i++) any = wanted(i);
      const base = this.starts[from]!;
      const bytes = any ? new Uint8Array(await this.blob.slice(base, this.ends[to - 1]!).arrayBuffer()) : NOTHING;
      const read = (i: number) => this.read(bytes.subarray(this.starts[i]! - base, this.ends[i]! - base), i);
      yield { from, to, read };
      from = to;
      if (!(await task.tick(from / this.size))) return;
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
      (!query.wrong || (this.wrong.get(i) ?? 0) > 0) &&
      (!query.errors || this.judged.has(i, query.errors));
    const found: number[] = [];
    if (!hasForm && label === "" && !pattern && !query.nonProjective) {
      for (let i = 0; i < this.size; i++) if (wanted(i)) found.push(i);
      found.push(...this.inserted().filter(wanted));
    } else {
      const watch = watched(task);
      for await (const [index, sentences] of this.current(watch, wanted)) {
        if (query.nonProjective && !sentences.some(({ heads }) => nonProjectiveArcs(heads).length > 0)) continue;
        if (label !== "" && !sentences.some((s) => anyWord(s, (i) => matchesLabel(s.deprel(i), label)))) continue;
        if (hasForm && !sentences.some(hasForm)) continue;
        // All of them, so that all matches are counted.
        if (pattern && sentences.filter((sentence) => pattern.has(sentence)).length === 0) continue;
        found.push(index);
      }
      if (watch.isStopped) return undefined;
    }
    found.sort((a, b) => a - b);
    const { counts, moreValues = 0 } = pattern?.summary ?? {};
    return {
      sentences: Float64Array.from(this.ordered(found, query.order)),
      matches: pattern?.matches,
      counts,
      moreValues,
    };
  }

  /** Sentences that are not ranked come last, in the order of the file. */
  private ordered(found: number[], order: TreebankOrder): number[] {
    if (order === "file") return found;
    const { confidence, doubtful } = this;
    const rank = (i: number) => {
      const sure = confidence.get(i);
      return sure === undefined ? Number.POSITIVE_INFINITY : order === "unsure" ? sure : -doubtful.get(i)!;
    };
    return found.sort((a, b) => {
      const [x, y] = [rank(a), rank(b)];
      return x === y ? a - b : x - y;
    });
  }

  /** Parses every sentence to know how sure the model is of it, and where it is sure of something else. */
  async rank(pipeline: Pipeline, task: Task): Promise<true | undefined> {
    const refused = pipeline.model.refusal("scores", "This model");
    if (refused) throw new Error(refused);
    let slice = performance.now();
    const watch = watched(task);
    for await (const [index, sentences] of this.current(watch, () => true)) {
      let [sum, words, doubtful] = [0, 0, 0];
      for (const sentence of sentences) {
        const parsed = pipeline.annotate(sentence, { scores: true });
        for (let i = 1; i <= sentence.length; i++) {
          const score = parsed.score(i)!;
          sum += score;
          words++;
          const isSame = sentence.head(i) === parsed.head(i) && sentence.deprel(i) === parsed.deprel(i);
          if (sentence.head(i) >= 0 && !isSame && score >= CONFIDENT) doubtful++;
        }
      }
      if (words > 0) {
        this.confidence.set(index, sum / words);
        this.doubtful.set(index, doubtful);
      }
      if (performance.now() - slice > 30) {
        if (!(await watch.tick(index / this.size))) break;
        slice = performance.now();
      }
    }
    return watch.isStopped ? undefined : true;
  }

  /** Values of the treebank for a column, for the word at hand. */
  async completions(ask: Requests["completions"]["ask"], task: Task): Promise<string[] | undefined> {
    if (!this.values) {
      const values = new Values();
      for await (const [, sentence] of this.sentences({ tick: async () => true })) values.add(sentence);
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
      const isInserted = !Number.isInteger(index);
      if (isInserted && !this.edited.has(index)) continue;
      const to = isInserted ? this.ends[Math.floor(index)]! : this.starts[index]!;
      if (to > at) parts.push(this.blob.slice(at, to));
      at = isInserted ? to : this.ends[index]!;
      const text = this.edited.get(index) ?? (await this.originalText(index));
      if (text === "") continue;
      // The last sentence of a file may lack the blank line that tells it from what was split off.
      if (isInserted && !(await endsBlank(parts.at(-1)))) parts.push("\n");
      const own = marked.get(index);
      parts.push(own ? withMarks(text, own) : text);
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

  /** Notes what an evaluation found. */
  judge(index: number, gold: Sentence, system: Sentence, second: Sentence | undefined): void {
    let wrong = 0;
    for (let i = 1; i <= gold.length; i++) {
      if (system.heads[i] !== gold.heads[i] || system.deprel(i) !== gold.deprel(i)) wrong++;
    }
    this.wrong.set(index, wrong);
    this.judged.add(index, gold, system, second);
  }

  /** The words of a sentence with errors of a kind. */
  errorWords({ index, errors }: Requests["errorWords"]["ask"]): number[] {
    return this.judged.words(index, errors);
  }

  /** How many words two models have otherwise. */
  differing(): Record<Which, number> {
    return this.judged.differing();
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

/** The words of a sentence that cannot be read, as well as they can be told. */
function rawTextOf(block: string): string {
  const [, text] = /^# text = (.*)$/m.exec(block) ?? [];
  if (text !== undefined) return text.trim();
  const lines = block.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => line.split(/\t| +/)[1] ?? line).join(" ");
}

/** Does a text end with a blank line? The beginning of a file needs none before it. */
async function endsBlank(part: BlobPart | undefined): Promise<boolean> {
  if (part === undefined) return true;
  const end = part instanceof Blob ? await part.slice(-4).text() : String(part).slice(-4);
  return /\n\r?\n$/.test(end);
}
