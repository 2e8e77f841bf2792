import { check, checkOptions, TRUE_OR_FALSE } from "../../checks/options.js";
import { having, STRINGS } from "../../checks/shapes.js";
import { CONLLU } from "../formats/layout.js";
import { readTreebank } from "../formats/reader.js";
import type { Sentence } from "../sentence/sentence.js";
import { hasNoSpaceAfter } from "../sentence/spaces.js";
import { isFunctional } from "../validation/relations.js";
import { mendGraph } from "./graph.js";
import { highest } from "./highest.js";
import { isWord, linesOf, newIds, rangeOfLine, renumbered, textOfLines } from "./lines.js";

const [ID, FORM, UPOS, HEAD, DEPREL, DEPS, MISC] = [0, 1, 3, 6, 7, 8, 9];

/** How a word is split. */
export interface SplitOptions {
  /** The parts stay one token of the text, a multiword token, as they must if they are not written like that. */
  oneToken?: boolean | undefined;
}

/**
 * The sentence with a word in two or more parts. The first keeps the columns of the word and its dependents, the others
 * depend on it (on its head where a function word can have no dependents) with the label `dep` and have no tags, but
 * for the UPOS X where the word has one. What else there is keeps its bytes, but for the numbers.
 * @param sentence the sentence
 * @param word the number of the word
 * @param forms the forms of its parts
 * @param options whether the parts stay one token
 */
export function splitWord(
  sentence: Sentence,
  word: number,
  forms: readonly string[],
  options: SplitOptions = {},
): Sentence {
  checkWord(sentence, word);
  check("parts", forms, STRINGS);
  checkOptions("splitWord", options, { oneToken: TRUE_OR_FALSE });
  const { oneToken = false } = options;
  const parts = forms.map((part) => part.trim());
  if (parts.length < 2 || parts.some((form) => form === "" || /[\t\n\r]/.test(form))) {
    throw new RangeError(`invalid parts: ${JSON.stringify(forms)} (expected two or more words without tabs)`);
  }
  const lines = linesOf(sentence.toString());
  const more = parts.length - 1;
  // Empty nodes after the word follow its last part.
  const ids = newIds(lines.rows, (i) => (i < word ? i : i + more)).set(String(word), String(word));
  const last = word + more;
  const isInside = sentence.multiWordTokens.some(({ from, to }) => from <= word && to >= word);
  const spaces = spacesBetween(parts, sentence.form(word));
  const isToken = oneToken || spaces === undefined;
  if (isToken && !isInside && /\s/.test(sentence.form(word))) {
    throw new RangeError(
      `invalid parts: ${JSON.stringify(forms)} (expected parts as they are written in ${JSON.stringify(sentence.form(word))}: with a space it cannot be one token)`,
    );
  }
  const [above, label] = placeOfParts(sentence, word);
  const rows: string[][] = [];
  for (const columns of lines.rows) {
    const line = renumbered(columns, ids);
    const range = rangeOfLine(columns);
    // A token that ends with the word now ends with its last part.
    if (range && range[0] <= word && range[1] >= word) line[ID] = `${range[0]}-${range[1] + more}`;
    if (columns[ID] !== String(word)) {
      rows.push(line);
      continue;
    }
    const misc = line[MISC]!;
    if (!isInside && isToken) rows.push(tokenLine(word, last, line[FORM]!, misc));
    parts.forEach((form, k) => {
      const part = k === 0 ? [...line] : [String(word + k), ...Array(9).fill("_")];
      part[FORM] = form;
      if (k > 0) {
        if (line[UPOS] !== "_") part[UPOS] = "X";
        part[HEAD] = ids.get(String(above))!;
        part[DEPREL] = label;
        if (line[DEPS] !== "_") part[DEPS] = `${part[HEAD]}:${label}`;
      }
      // Where a token ends is said once: by the multiword token, or by the last part.
      if (isInside) part[MISC] = k === 0 ? misc : "_";
      else if (isToken) part[MISC] = k === 0 ? withoutSpaces(misc) : "_";
      else if (k < more) part[MISC] = withItem(k === 0 ? withoutSpaces(misc) : "_", spaces[k] ? "_" : "SpaceAfter=No");
      else part[MISC] = spacesOf(misc);
      rows.push(part);
    });
  }
  mendGraph(rows);
  return read({ ...lines, rows }, sentence);
}

/** Head and label of what is cut off a word; with the head of the word both are as high, and the word is the first. */
function placeOfParts(sentence: Sentence, word: number): [head: number, label: string] {
  const base = (i: number) => sentence.deprel(i).split(":", 1)[0]!;
  const head = sentence.head(word);
  if (head <= 0 || !isFunctional(base(word))) return [word, "dep"];
  return [head, isFunctional(base(head)) ? sentence.deprel(word) : "dep"];
}

/** Whether a space follows each of the parts but the last, if a form is written like that. */
function spacesBetween(parts: readonly string[], form: string): boolean[] | undefined {
  const spaces: boolean[] = [];
  let rest = form;
  for (const [k, part] of parts.entries()) {
    if (k > 0) spaces.push(rest !== rest.trimStart());
    rest = rest.trimStart();
    if (!rest.startsWith(part)) return undefined;
    rest = rest.slice(part.length);
  }
  return rest === "" ? spaces : undefined;
}

/**
 * The sentence with the words `from` to `to` as one. It is written as they are in the text, has the columns of the one
 * that is highest in the tree, and the dependents of all of them.
 * @param sentence the sentence
 * @param from the number of the first word
 * @param to the number of the last word
 */
export function joinWords(sentence: Sentence, from: number, to: number): Sentence {
  checkWord(sentence, from);
  checkWord(sentence, to);
  if (from >= to) throw new RangeError(`invalid words: ${from} to ${to} (expected two or more)`);
  const inside = (i: number) => i >= from && i <= to;
  for (const token of sentence.multiWordTokens) {
    const [a, b] = [inside(token.from), inside(token.to)];
    const isPart = token.from <= from && token.to >= to;
    if (a === b || isPart) continue;
    throw new RangeError(
      `invalid words: ${from} to ${to} (expected none or all of ${token.from} to ${token.to}, which are one token: ${token.form})`,
    );
  }
  const top = highest(
    sentence.heads,
    Array.from({ length: to - from + 1 }, (_, k) => from + k),
  );
  const lines = linesOf(sentence.toString());
  const ids = newIds(lines.rows, (i) => (i < from ? i : i <= to ? from : i - (to - from)));
  const source = lines.rows.find(([id]) => id === String(top))!;
  const [form, misc] = written(sentence, from, to);
  const rows: string[][] = [];
  for (const columns of lines.rows) {
    const range = rangeOfLine(columns);
    if (range) {
      const line = renumbered(columns, ids);
      const [a, b] = line[ID]!.split("-");
      // A token of a single word is a word.
      if (a !== b) rows.push(line);
    } else if (isWord(columns) && inside(Number(columns[ID]))) {
      if (Number(columns[ID]) !== from) continue;
      const line = renumbered(source, ids);
      const head = sentence.heads[top]!;
      line[ID] = String(from);
      line[FORM] = form;
      // A word in a cycle of its own is left without a head.
      if (inside(head)) line[HEAD] = line[DEPREL] = "_";
      line[MISC] = withItem(withoutSpaces(source[MISC]!), spacesOf(misc));
      if (line[DEPS] !== "_") {
        const arcs = line[DEPS]!.split("|").filter((arc) => !arc.startsWith(`${from}:`));
        line[DEPS] = arcs.join("|") || "_";
      }
      rows.push(line);
    } else rows.push(renumbered(columns, ids));
  }
  mendGraph(rows);
  return read({ ...lines, rows }, sentence);
}

/** How words are written in the text, and the MISC of the token that they end with. */
function written(sentence: Sentence, from: number, to: number): [form: string, misc: string] {
  let form = "";
  let misc = "_";
  for (let i = from; i <= to; i++) {
    const token = sentence.multiWordTokens.find((one) => one.from <= i && one.to >= i);
    const isWhole = token && token.from >= from && token.to <= to;
    if (token && !isWhole) {
      // Within a token there are no spaces; all of it as one word is the token itself.
      form += sentence.form(i);
      misc = sentence.misc(i);
      continue;
    }
    form += token ? token.form : sentence.form(i);
    misc = token ? token.misc : sentence.misc(i);
    i = token?.to ?? i;
    if (i < to && !hasNoSpaceAfter(misc)) form += " ";
  }
  return [form, misc];
}

function tokenLine(from: number, to: number, form: string, misc: string): string[] {
  return [`${from}-${to}`, form, "_", "_", "_", "_", "_", "_", "_", spacesOf(misc)];
}

const SPACES = /^Spaces?(?:After|Before)=/;

function spacesOf(misc: string): string {
  return (
    misc
      .split("|")
      .filter((item) => SPACES.test(item))
      .join("|") || "_"
  );
}

function withoutSpaces(misc: string): string {
  return (
    misc
      .split("|")
      .filter((item) => !SPACES.test(item))
      .join("|") || "_"
  );
}

/** MISC with further items, in their place in the alphabet. */
function withItem(misc: string, items: string): string {
  if (items === "_") return misc;
  const list = misc === "_" ? [] : misc.split("|");
  const next = list.findIndex((other) => other.toLowerCase() > items.toLowerCase());
  list.splice(next < 0 ? list.length : next, 0, items);
  return list.join("|");
}

function checkWord(sentence: Sentence, word: number): void {
  check("sentence", sentence, having("a Sentence", "form", "toString"));
  if (sentence.layout !== CONLLU) {
    throw new RangeError(`invalid format: ${sentence.layout.name} (expected CoNLL-U, which has room for such changes)`);
  }
  if (!(Number.isInteger(word) && word >= 1 && word <= sentence.length)) {
    throw new RangeError(`invalid word: ${word} (expected 1 to ${sentence.length})`);
  }
}

function read(lines: Parameters<typeof textOfLines>[0], { line }: Sentence): Sentence {
  return readTreebank(textOfLines(lines), { line, allowNonTrees: true })[0]!;
}
