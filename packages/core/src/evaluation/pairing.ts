import { TreebankError } from "../treebank/errors.js";
import type { Sentence } from "../treebank/sentence/sentence.js";
import { type Alignment, align, identityAlignment, TokenSpans } from "./alignment.js";
import { TooManyPaths } from "./enhanced.js";

/** Where the two sides come from, for errors, and how they may differ. */
export interface PairingOptions {
  goldSource?: string | undefined;
  systemSource?: string | undefined;
  /** Sentences that are cut into words differently are an error instead of being aligned by their characters. */
  sameWords?: boolean | undefined;
}

/** Takes sentences that belong together, with the alignment of their words. */
type PairConsumer = (gold: readonly Sentence[], system: readonly Sentence[], alignment: Alignment) => void;

/**
 * Pairs a gold treebank with system output, fed sentence by sentence: gold first, then system sentences while
 * needsSystem. Holds what cannot be aligned yet: as a rule one sentence of each side, more where sentences end at
 * different places. Throws a TreebankError where the texts begin to differ.
 */
export class Pairing {
  private readonly goldSource: string;
  private readonly systemSource: string;
  private readonly sameWords: boolean;
  private gold: Side = new Side();
  private system: Side = new Side();
  /** Characters of both texts that are known to be equal. */
  private compared = 0;
  private goldCount = 0;
  private systemCount = 0;
  private lastSystemLine = 1;
  private goldLine = 1;

  constructor(
    private readonly consume: PairConsumer,
    options: PairingOptions = {},
  ) {
    this.goldSource = options.goldSource ?? "gold";
    this.systemSource = options.systemSource ?? "system";
    this.sameWords = options.sameWords ?? false;
  }

  addGold(sentence: Sentence): void {
    this.goldCount++;
    this.goldLine = sentence.line;
    this.gold.waiting.push(sentence);
    this.settle();
  }

  addSystem(sentence: Sentence): void {
    this.systemCount++;
    this.lastSystemLine = sentence.line;
    this.system.waiting.push(sentence);
    this.settle();
  }

  /** Whether gold sentences wait for the system's text. */
  get needsSystem(): boolean {
    if (this.gold.empty) return false;
    return this.system.empty || this.system.spans.text.length < this.gold.spans.text.length;
  }

  /** Call it when both treebanks have ended, or the system's while needsSystem. */
  end(): void {
    const { gold, system } = this;
    if (gold.empty && system.empty) return;
    if (this.needsSystem) {
      throw new TreebankError(this.systemSource, {
        what: "end of file",
        value: `after ${this.systemCount} ${this.systemCount === 1 ? "sentence" : "sentences"}`,
        expected: `more words: ${this.goldSource} continues at line ${this.pendingGoldLine()}`,
        line: this.lastSystemLine,
      });
    }
    if (gold.empty || system.spans.text.length > gold.spans.text.length) {
      const line = gold.empty ? system.waiting[0]!.line : system.spans.lineAt(gold.spans.text.length);
      throw new TreebankError(this.systemSource, {
        what: "words",
        value: gold.empty ? system.waiting[0]!.form(1) : system.spans.text.slice(gold.spans.text.length),
        expected: `the end: ${this.goldSource} has ended after ${this.goldCount} ${this.goldCount === 1 ? "sentence" : "sentences"}`,
        line,
      });
    }
    this.release();
  }

  private pendingGoldLine(): number {
    const { spans } = this.gold;
    return spans.sentences.length > 0 ? spans.lineAt(this.system.spans.text.length) : this.goldLine;
  }

  private settle(): void {
    const { gold, system } = this;
    if (gold.empty || system.empty) return;
    // The first of both sides, with nothing left over from before.
    const pair = gold.fresh && system.fresh ? ([gold.waiting[0]!, system.waiting[0]!] as const) : undefined;
    const same = pair !== undefined && sameForms(...pair);
    if (same && (this.sameWords || sameTokens(...pair))) {
      this.releasePair(...pair);
      return;
    }
    if (this.sameWords) this.compareWords(gold.waiting[0]!, system.waiting[0]!);
    gold.spell(this.goldSource);
    system.spell(this.systemSource);
    const common = Math.min(gold.spans.text.length, system.spans.text.length);
    const goldText = gold.spans.text.slice(this.compared, common);
    const systemText = system.spans.text.slice(this.compared, common);
    if (goldText !== systemText) {
      // Formats without multiword tokens have "in dem" for "im"; then the words are what counts.
      if (same && pair.some(({ multiWordTokens }) => multiWordTokens.length === 0)) {
        this.releasePair(...pair);
        return;
      }
      let at = 0;
      while (goldText[at] === systemText[at]) at++;
      this.differ(this.compared + at);
    }
    this.compared = common;
    // Otherwise words that are left over on one side could still come to lie in the region of a multiword token that
    // follows.
    if (gold.spans.text.length !== system.spans.text.length) return;
    if (gold.spans.closes(system.spans) || system.spans.closes(gold.spans)) {
      this.release();
    }
  }

  private releasePair(gold: Sentence, system: Sentence): void {
    this.pass([gold], [system], identityAlignment(gold, system));
    this.reset();
  }

  private release(): void {
    const { gold, system } = this;
    let alignment: Alignment;
    try {
      alignment = align(gold.spans, system.spans);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const value = `${gold.spans.forms.length} gold words, ${system.spans.forms.length} system words`;
      const problem = { what: "multiword tokens", value, expected: error.message, line: system.spans.lineAt(0) };
      throw new TreebankError(this.systemSource, problem);
    }
    this.pass(gold.spans.sentences, system.spans.sentences, alignment);
    this.reset();
  }

  private pass(gold: readonly Sentence[], system: readonly Sentence[], alignment: Alignment): void {
    try {
      this.consume(gold, system, alignment);
    } catch (error) {
      if (!(error instanceof TooManyPaths)) throw error;
      const { sentence, message: value } = error;
      const expected = "fewer: these depend on each other";
      const source = gold.includes(sentence) ? this.goldSource : this.systemSource;
      throw new TreebankError(source, { what: "DEPS", value, expected, line: sentence.line });
    }
  }

  private reset(): void {
    this.gold = new Side();
    this.system = new Side();
    this.compared = 0;
  }

  private differ(at: number): never {
    const shown = (text: string) =>
      Array.from(text.slice(at, at + 40))
        .slice(0, 20)
        .join("");
    const { gold, system } = this;
    const place = `${this.goldSource}:${gold.spans.lineAt(at)}`;
    throw new TreebankError(this.systemSource, {
      what: "text",
      value: shown(system.spans.text),
      expected: `${JSON.stringify(shown(gold.spans.text))} as in ${place}: both must have the same text except for spaces`,
      line: system.spans.lineAt(at),
    });
  }

  private compareWords(gold: Sentence, system: Sentence): void {
    for (let i = 1; i <= Math.min(gold.length, system.length); i++) {
      if (gold.form(i) === system.form(i)) continue;
      const expected = `${JSON.stringify(gold.form(i))} as in ${this.goldSource}:${gold.lineOf(i)}`;
      const place = { line: system.lineOf(i), column: 2 };
      throw new TreebankError(this.systemSource, { what: "FORM", value: system.form(i), expected, ...place });
    }
    if (gold.length !== system.length) {
      const expected = `${gold.length} as in the sentence at ${this.goldSource}:${gold.line}`;
      const value = String(system.length);
      throw new TreebankError(this.systemSource, { what: "number of words", value, expected, line: system.line });
    }
  }
}

/** The sentences of one side that are not aligned yet. */
class Side {
  /** Not spelt out: when the words are the same they need not be. */
  readonly waiting: Sentence[] = [];
  readonly spans = new TokenSpans();

  get empty(): boolean {
    return this.waiting.length === 0 && this.spans.sentences.length === 0;
  }

  /** Whether there is one sentence, just added. */
  get fresh(): boolean {
    return this.waiting.length === 1 && this.spans.sentences.length === 0;
  }

  spell(source: string): void {
    for (const sentence of this.waiting) this.spans.add(sentence, source);
    this.waiting.length = 0;
  }
}

function sameForms(gold: Sentence, system: Sentence): boolean {
  if (gold.length !== system.length) return false;
  for (let i = 1; i <= gold.length; i++) if (gold.form(i) !== system.form(i)) return false;
  return true;
}

function sameTokens(gold: Sentence, system: Sentence): boolean {
  const [a, b] = [gold.multiWordTokens, system.multiWordTokens];
  return (
    a.length === b.length &&
    a.every(({ from, to, form }, i) => from === b[i]!.from && to === b[i]!.to && form === b[i]!.form)
  );
}
