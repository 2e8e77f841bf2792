// Regular expressions that take time proportional to pattern × text, whatever they are: a Thompson automaton that is in
// all of its states at once (Cox 2007, "Regular expression matching can be simple and fast"). Only whether there is a
// match is asked for.

import { PatternError } from "./pattern-error.js";

/** Instructions after quantifiers are written out; more is an error, as {1000}{1000} would fill the memory. */
const LONGEST_PROGRAM = 20_000;
const DEEPEST = 200;

const CHARACTER = 0;
const SPLIT = 1;
const JUMP = 2;
const LINE_START = 3;
const LINE_END = 4;
const BOUNDARY = 5;
const NO_BOUNDARY = 6;
const MATCH = 7;

/**
 * Ranges of code points, and properties such as \p{Lu}, which JavaScript's own expressions decide one character at a
 * time.
 */
interface CharacterSet {
  readonly negated: boolean;
  readonly ranges: readonly number[];
  readonly properties: readonly RegExp[];
  readonly excluded: readonly CharacterSet[];
}

type Node =
  | { readonly kind: "set"; readonly set: CharacterSet }
  | { readonly kind: "assertion"; readonly code: number }
  | { readonly kind: "sequence"; readonly parts: readonly Node[] }
  | { readonly kind: "either"; readonly parts: readonly Node[] }
  | { readonly kind: "repeat"; readonly part: Node; readonly fewest: number; readonly most: number };

const DIGIT = [48, 57];
const WORD = [48, 57, 65, 90, 95, 95, 97, 122];
const SPACE = [9, 13, 32, 32, 160, 160, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f];
const SPACES = [...SPACE, 0x3000, 0x3000, 0xfeff, 0xfeff];
const CLASSES: Readonly<Record<string, readonly number[]>> = { d: DIGIT, w: WORD, s: SPACES };
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };
const LINE_TERMINATORS = [10, 10, 13, 13, 0x2028, 0x2029];

/**
 * A regular expression of JavaScript with the flag u, without what cannot be matched in linear time (look-around,
 * back-references) and without names of groups. Finds a match anywhere; ^ and $ are the ends of the text.
 */
export class LinearRegex {
  private readonly operations: Uint8Array;
  /** Where SPLIT and JUMP lead to. */
  private readonly first: Int32Array;
  private readonly second: Int32Array;
  private readonly sets: readonly (CharacterSet | undefined)[];
  private readonly current: Int32Array;
  private readonly next: Int32Array;
  private readonly pending: Int32Array;
  /** The step at which a state was last entered, so that none is entered twice in one. */
  private readonly entered: Int32Array;
  private step = 0;

  constructor(
    source: string,
    private readonly ignoreCase = false,
  ) {
    const program = new Assembler();
    program.add(new RegexParser(source).parse());
    program.emit(MATCH);
    const size = program.operations.length;
    this.operations = Uint8Array.from(program.operations);
    this.first = Int32Array.from(program.first);
    this.second = Int32Array.from(program.second);
    this.sets = program.sets;
    this.current = new Int32Array(size);
    this.next = new Int32Array(size);
    this.pending = new Int32Array(2 * size + 1);
    this.entered = new Int32Array(size);
  }

  /** Whether some part of the text matches. O(pattern × text). */
  test(text: string): boolean {
    const { operations, sets, entered } = this;
    if (this.step > 1 << 30) {
      entered.fill(0);
      this.step = 0;
    }
    let count = 0;
    let before = -1;
    for (let at = 0; ; ) {
      const code = at < text.length ? text.codePointAt(at)! : -1;
      // States of this place: those that were reached, entered now that what follows is known, and a new beginning.
      const step = ++this.step;
      let entries = 0;
      for (let k = 0; k < count; k++) entries = this.enter(this.current[k]!, entries, step, before, code);
      entries = this.enter(0, entries, step, before, code);
      if (entries < 0) return true;
      if (code < 0) return false;
      let kept = 0;
      for (let k = 0; k < entries; k++) {
        const state = this.next[k]!;
        if (operations[state] !== CHARACTER || !this.accepts(sets[state]!, code)) continue;
        this.current[kept++] = state + 1;
      }
      count = kept;
      before = code;
      at += code > 0xffff ? 2 : 1;
    }
  }

  /** Adds a state and those that it leads to without a character to `next`; -1 once a match is among them. */
  private enter(state: number, count: number, step: number, before: number, after: number): number {
    if (count < 0) return count;
    const { operations, first, second, entered, pending, next } = this;
    let waiting = 0;
    pending[waiting++] = state;
    while (waiting > 0) {
      const at = pending[--waiting]!;
      if (entered[at] === step) continue;
      entered[at] = step;
      switch (operations[at]) {
        case CHARACTER:
          next[count++] = at;
          break;
        case MATCH:
          return -1;
        case SPLIT:
          pending[waiting++] = first[at]!;
          pending[waiting++] = second[at]!;
          break;
        case JUMP:
          pending[waiting++] = first[at]!;
          break;
        default:
          if (this.holds(operations[at]!, before, after)) pending[waiting++] = at + 1;
      }
    }
    return count;
  }

  private holds(assertion: number, before: number, after: number): boolean {
    if (assertion === LINE_START) return before < 0;
    if (assertion === LINE_END) return after < 0;
    const boundary = this.isWordCharacter(before) !== this.isWordCharacter(after);
    return boundary === (assertion === BOUNDARY);
  }

  private isWordCharacter(code: number): boolean {
    return code >= 0 && inRanges(WORD, code);
  }

  private accepts(set: CharacterSet, code: number): boolean {
    return contains(set, code, this.ignoreCase);
  }
}

// Without case a character stands for all that are the same but for case, and negation is that of the result.
function contains(set: CharacterSet, code: number, ignoreCase: boolean): boolean {
  let found = holds(set, code, ignoreCase);
  if (!found && ignoreCase) {
    const character = String.fromCodePoint(code);
    for (const other of [character.toLowerCase(), character.toUpperCase(), character.toUpperCase().toLowerCase()]) {
      const point = other.codePointAt(0)!;
      if (point !== code && String.fromCodePoint(point) === other && holds(set, point, ignoreCase)) found = true;
    }
  }
  return found !== set.negated;
}

function holds({ ranges, properties, excluded }: CharacterSet, code: number, ignoreCase: boolean): boolean {
  if (inRanges(ranges, code)) return true;
  if (properties.length > 0 && properties.some((property) => property.test(String.fromCodePoint(code)))) return true;
  return excluded.some((other) => contains(other, code, ignoreCase));
}

function inRanges(ranges: readonly number[], code: number): boolean {
  for (let i = 0; i < ranges.length; i += 2) if (code >= ranges[i]! && code <= ranges[i + 1]!) return true;
  return false;
}

class Assembler {
  readonly operations: number[] = [];
  readonly first: number[] = [];
  readonly second: number[] = [];
  readonly sets: (CharacterSet | undefined)[] = [];

  emit(operation: number, set?: CharacterSet): number {
    if (this.operations.length >= LONGEST_PROGRAM) {
      throw new RegexError(`a shorter regular expression (at most ${LONGEST_PROGRAM} steps)`, 0);
    }
    this.first.push(0);
    this.second.push(0);
    this.sets.push(set);
    return this.operations.push(operation) - 1;
  }

  add(node: Node): void {
    switch (node.kind) {
      case "set":
        this.emit(CHARACTER, node.set);
        break;
      case "assertion":
        this.emit(node.code);
        break;
      case "sequence":
        for (const part of node.parts) this.add(part);
        break;
      case "either":
        this.addEither(node.parts);
        break;
      case "repeat":
        this.addRepeat(node.part, node.fewest, node.most);
    }
  }

  private addEither(parts: readonly Node[]): void {
    const jumps: number[] = [];
    parts.forEach((part, i) => {
      const split = i < parts.length - 1 ? this.emit(SPLIT) : -1;
      if (split >= 0) this.first[split] = split + 1;
      this.add(part);
      if (split < 0) return;
      jumps.push(this.emit(JUMP));
      this.second[split] = this.operations.length;
    });
    for (const jump of jumps) this.first[jump] = this.operations.length;
  }

  private addRepeat(part: Node, fewest: number, most: number): void {
    for (let i = 0; i < fewest; i++) this.add(part);
    if (most === Number.POSITIVE_INFINITY) {
      const split = this.emit(SPLIT);
      this.first[split] = split + 1;
      this.add(part);
      this.first[this.emit(JUMP)] = split;
      this.second[split] = this.operations.length;
      return;
    }
    const splits: number[] = [];
    for (let i = fewest; i < most; i++) {
      const split = this.emit(SPLIT);
      this.first[split] = split + 1;
      splits.push(split);
      this.add(part);
    }
    for (const split of splits) this.second[split] = this.operations.length;
  }
}

/** Thrown while a regular expression is read; `offset` is within it. */
export class RegexError extends PatternError {
  constructor(
    readonly expected: string,
    readonly place: number,
  ) {
    super(`expected ${expected}`);
  }
}

const SYNTAX = /[\^$\\.*+?()[\]{}|/]/;

class RegexParser {
  private at = 0;
  private depth = 0;

  constructor(private readonly source: string) {}

  parse(): Node {
    const node = this.either();
    if (this.at < this.source.length) this.fail("the end of the regular expression: ) has no (");
    return node;
  }

  private fail(expected: string, at = this.at): never {
    throw new RegexError(expected, at);
  }

  private either(): Node {
    if (++this.depth > DEEPEST) this.fail(`at most ${DEEPEST} levels of nested groups`);
    const parts = [this.sequence()];
    while (this.take("|")) parts.push(this.sequence());
    this.depth--;
    return parts.length === 1 ? parts[0]! : { kind: "either", parts };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    while (this.at < this.source.length && !"|)".includes(this.source[this.at]!)) parts.push(this.repeated());
    return parts.length === 1 ? parts[0]! : { kind: "sequence", parts };
  }

  private repeated(): Node {
    const start = this.at;
    const part = this.single();
    const [fewest, most] = this.quantifier() ?? [1, 1];
    if (fewest === 1 && most === 1) return part;
    if (part.kind === "assertion") this.fail("a character or a group before a quantifier", start);
    // Whether as many or as few as possible are taken makes no difference to whether there is a match.
    this.take("?");
    if ("*+?{".includes(this.source[this.at] ?? "end")) this.fail("one quantifier: put the first one in a group");
    return { kind: "repeat", part, fewest, most };
  }

  private quantifier(): [number, number] | undefined {
    if (this.take("*")) return [0, Number.POSITIVE_INFINITY];
    if (this.take("+")) return [1, Number.POSITIVE_INFINITY];
    if (this.take("?")) return [0, 1];
    if (this.source[this.at] !== "{") return undefined;
    const [all, low, comma, high] = /^\{(\d{1,6})(,?)(\d{0,6})\}/.exec(this.source.slice(this.at)) ?? [];
    if (all === undefined) this.fail("{n}, {n,} or {n,m}; \\{ for the character");
    const fewest = Number(low);
    const most = comma === "" ? fewest : high === "" ? Number.POSITIVE_INFINITY : Number(high);
    if (most < fewest) this.fail(`numbers in order: ${all}`);
    this.at += all!.length;
    return [fewest, most];
  }

  private single(): Node {
    const start = this.at;
    const character = this.character();
    switch (character) {
      case "^":
        return { kind: "assertion", code: LINE_START };
      case "$":
        return { kind: "assertion", code: LINE_END };
      case ".":
        return { kind: "set", set: setOf(LINE_TERMINATORS, true) };
      case "(":
        return this.group(start);
      case "[":
        return { kind: "set", set: this.bracket(start) };
      case "\\":
        if (this.take("b")) return { kind: "assertion", code: BOUNDARY };
        if (this.take("B")) return { kind: "assertion", code: NO_BOUNDARY };
        return { kind: "set", set: this.escape(false) };
    }
    if ("*+?{}]".includes(character))
      this.fail(`something before ${character}; \\${character} for the character`, start);
    const code = character.codePointAt(0)!;
    return { kind: "set", set: setOf([code, code]) };
  }

  private group(start: number): Node {
    if (this.take("?") && !this.take(":")) {
      this.fail("( … ) or (?: … ): look-around, named groups and flags are not available", start);
    }
    const node = this.either();
    if (!this.take(")")) this.fail(") for the group", start);
    return node.kind === "assertion" ? { kind: "sequence", parts: [node] } : node;
  }

  private bracket(start: number): CharacterSet {
    const negated = this.take("^");
    const ranges: number[] = [];
    const properties: RegExp[] = [];
    const excluded: CharacterSet[] = [];
    while (!this.take("]")) {
      if (this.at >= this.source.length) this.fail("] for the class", start);
      const from = this.at;
      const first = this.member();
      const low = onlyCharacter(first);
      if (this.source[this.at] === "-" && this.at + 1 < this.source.length && this.source[this.at + 1] !== "]") {
        this.at++;
        const high = onlyCharacter(this.member());
        if (low < 0 || high < 0) this.fail("single characters at both ends of a range", from);
        if (high < low) this.fail("a range in order", from);
        ranges.push(low, high);
      } else if (first.negated) excluded.push(first);
      else {
        ranges.push(...first.ranges);
        properties.push(...first.properties);
      }
    }
    return { negated, ranges, properties, excluded };
  }

  private member(): CharacterSet {
    const character = this.character();
    if (character === "\\") return this.escape(true);
    const code = character.codePointAt(0)!;
    return setOf([code, code]);
  }

  /** Reads the characters after a backslash. */
  private escape(inClass: boolean): CharacterSet {
    const start = this.at - 1;
    if (this.at >= this.source.length) this.fail("a character after \\", start);
    const character = this.character();
    const lower = character.toLowerCase();
    const known = CLASSES[lower];
    if (known !== undefined) return setOf(known, character !== lower);
    if (lower === "p") return this.property(start, character === "P");
    if (character in CONTROLS) return single(CONTROLS[character]!);
    if (inClass && character === "b") return single(8);
    if (character === "x" || character === "u") return single(this.hexadecimal(start, character));
    if (SYNTAX.test(character) || (inClass && character === "-")) return single(character.codePointAt(0)!);
    if (/[1-9k]/.test(character)) this.fail("no back-reference: they are not available", start);
    return this.fail(
      "a known escape: \\d \\w \\s \\b \\p{…} \\t \\n \\u{…}, or \\ before one of ^$.*+?()[]{}|/\\",
      start,
    );
  }

  private property(start: number, negated: boolean): CharacterSet {
    const [all] = /^\{[^{}]*\}/.exec(this.source.slice(this.at)) ?? [];
    try {
      if (all === undefined) throw new SyntaxError();
      this.at += all.length;
      return { ...setOf([], negated), properties: [new RegExp(`^\\p${all}$`, "u")] };
    } catch {
      return this.fail("a Unicode property such as \\p{L}, \\p{Lu} or \\p{Script=Greek}", start);
    }
  }

  private hexadecimal(start: number, kind: string): number {
    const form = kind === "x" ? /^([\da-f]{2})/i : /^(?:([\da-f]{4})|\{([\da-f]{1,6})\})/i;
    const [all, fixed, braced] = form.exec(this.source.slice(this.at)) ?? [];
    const code = Number.parseInt(fixed ?? braced ?? "", 16);
    if (all === undefined || code > 0x10ffff) this.fail("\\xHH, \\uHHHH or \\u{H…}", start);
    this.at += all!.length;
    return code;
  }

  private take(character: string): boolean {
    if (this.source[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private character(): string {
    const character = String.fromCodePoint(this.source.codePointAt(this.at)!);
    this.at += character.length;
    return character;
  }
}

function setOf(ranges: readonly number[], negated = false): CharacterSet {
  return { negated, ranges, properties: [], excluded: [] };
}

function single(code: number): CharacterSet {
  return setOf([code, code]);
}

/** The character of a set that holds no other, or -1. */
function onlyCharacter({ negated, ranges, properties }: CharacterSet): number {
  const one = !negated && properties.length === 0 && ranges.length === 2 && ranges[0] === ranges[1];
  return one ? ranges[0]! : -1;
}
