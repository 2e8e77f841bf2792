// Level 2: comments, and the text that the tokens make.

import { at, FORM, ID, MISC, type Row, type Rows } from "./rows/rows.js";
import { isSpaceAt, WHITE_SPACE } from "./rows/white-space.js";
import { page, type Report } from "./violation.js";

/** The known facts of the sentences before. */
export interface Metadata {
  readonly sentenceIds: Set<string>;
  readonly parallelIds: Set<string>;
  /** The last alternative and the last part of each sentence that is parallel to others, 0 if it was whole. */
  readonly versions: Map<string, readonly [alternative: number, part: number]>;
  /** The last token says that no space follows it. */
  isOpen: boolean;
}

export function checkMetadata({ comments, rows, words }: Rows, known: Metadata, report: Report): void {
  const start = { line: words[0]?.line ?? rows[0]!.line, link: page("format.html#sentence-boundaries-and-comments") };
  const tell = (rule: Parameters<Report>[0], message: string, line = start.line) =>
    report(rule, { ...start, line }, message);
  const found: Record<"ids" | "parallel" | "texts" | "newdoc" | "newpar", Comment[]> = {
    ids: [],
    parallel: [],
    texts: [],
    newdoc: [],
    newpar: [],
  };
  for (const { text, line } of comments) {
    const [before = "", key] = COMMENT.exec(text) ?? BEGINNING.exec(text) ?? [];
    const value = text.slice(before.length);
    if (key === "newdoc" || key === "newpar") found[key].push({ value, line });
    else if (key === "text") {
      found.texts.push({ value, line });
      if (isSpaceAt(value, value.length - 1)) tell("text-trailing-whitespace", "The text ends with white space.", line);
    } else if (key === "sent_id" && value !== "" && !WHITE_SPACE.test(value)) found.ids.push({ value, line });
    else if (key === "parallel_id" && PARALLEL.test(value)) found.parallel.push({ value, line });
    else if (/^# ?sent_id/.test(text)) {
      tell("invalid-sent-id", `${text} is not # sent_id = NAME, a name without spaces.`, line);
    } else if (/^# ?parallel_id/.test(text)) {
      tell("invalid-parallel-id", `${text} is not # parallel_id = CORPUS/SENTENCE, or that with /alt1, say.`, line);
    }
  }
  checkNames(found.ids, known.sentenceIds, "sent", tell);
  if (checkNames(found.parallel, known.parallelIds, "parallel", tell)) checkVersion(found.parallel[0]!, known, tell);
  const { newdoc, newpar, texts } = found;
  if (newdoc.length > 1) tell("multiple-newdoc", "The sentence begins a document more than once.", newdoc[1]!.line);
  if (newpar.length > 1) tell("multiple-newpar", "The sentence begins a paragraph more than once.", newpar[1]!.line);
  const beginning = newdoc[0] ?? newpar[0];
  if (beginning && known.isOpen) {
    const message = "A document or paragraph begins here, but the token before it has SpaceAfter=No.";
    tell("spaceafter-newdocpar", message, beginning.line);
  }
  if (texts.length === 0) tell("missing-text", "The sentence has no text comment.");
  if (texts.length > 1) tell("multiple-text", `The sentence has ${texts.length} text comments.`, texts[1]!.line);
  const text = texts.length === 1 ? texts[0] : undefined;
  if (text?.value === "") tell("empty-text", "The text is empty.", text.line);
  known.isOpen = checkSpaces(rows, text, report);
}

const COMMENT = /^#\p{White_Space}*(sent_id|parallel_id|text)\p{White_Space}*=\p{White_Space}*/u;
// A name has no key: # newdoc id = x is not read, as in UD's validator.
const BEGINNING = /^#\p{White_Space}*(newdoc|newpar)(?:\p{White_Space}+\P{White_Space}+)?$/u;
const PARALLEL = /^([a-z]+\/[-0-9a-z]+)(?:\/(?=.)(?:alt([1-9][0-9]*))?(?:part([1-9][0-9]*))?)?$/;

/** The value of a comment, and its line. */
interface Comment {
  readonly value: string;
  readonly line: number;
}

type Tell = (rule: Parameters<Report>[0], message: string, line?: number) => void;

/** Whether there is one name, and no other sentence has it. */
function checkNames(names: readonly Comment[], known: Set<string>, kind: "sent" | "parallel", tell: Tell): boolean {
  if (names.length === 0 && kind === "sent") tell("missing-sent-id", "The sentence has no sent_id.");
  if (names.length > 1) {
    const list = names.map(({ value }) => value).join(", ");
    tell(`multiple-${kind}-id`, `The sentence has ${names.length} names: ${list}.`, names[1]!.line);
  }
  if (names.length !== 1) return false;
  const { value: name, line } = names[0]!;
  const isNew = !known.has(name);
  if (!isNew) tell(`non-unique-${kind}-id`, `Another sentence has the ${kind}_id ${name}.`, line);
  // A part of a string would keep all of the sentence in memory.
  known.add(` ${name}`.slice(1));
  if (kind === "sent" && name.split("/").length > 2) {
    tell("slash-in-sent-id", `${name}: a slash is kept for the names of parallel treebanks.`, line);
  }
  return isNew;
}

/** Alternatives of a parallel sentence, and parts of it, are numbered from 1, in their order, and all of them are. */
function checkVersion({ value: name, line }: Comment, { versions }: Metadata, tell: Tell): void {
  const [, sentence, ...own] = PARALLEL.exec(name)!;
  const last = versions.get(sentence!);
  const numbers = [Number(own[0] ?? 0), Number(own[1] ?? 0)] as const;
  (["alt", "part"] as const).forEach((kind, k) => {
    const number = numbers[k]!;
    const before = last?.[k] ?? 0;
    if (last !== undefined && (before === 0) !== (number === 0)) {
      const message = `Some names of ${sentence} have ${kind}1, ${kind}2, …, and others do not: ${name}.`;
      tell(`parallel-id-${kind}`, message, line);
    } else if (number > 0 && number !== before + 1) {
      tell(`parallel-id-${kind}`, `${name} is out of order (expected ${kind}${before + 1}).`, line);
    }
  });
  versions.set(` ${sentence}`.slice(1), numbers);
}

const FORMAT = page("format.html#untokenized-text");

/** Compares the text with the tokens and their SpaceAfter; says whether a space follows the last one. */
function checkSpaces(rows: readonly Row[], comment: Comment | undefined, report: Report): boolean {
  const text = comment?.value;
  let place = 0;
  let inside = 0;
  let isOpen = false;
  let isLost = text === undefined;
  for (const row of rows) {
    const { kind } = row;
    const isNo = row.is(MISC, "SpaceAfter=No");
    const misc = isNo ? "SpaceAfter=No" : row.isBlank(MISC) ? "_" : row.column(MISC);
    const isPart = kind === "word" && row.number <= inside;
    const isToken = kind === "token" || (kind === "word" && !isPart);
    let isJoined = isNo && isToken;
    if (!isJoined && misc.includes("SpaceAfter=")) {
      const tell = (rule: Parameters<Report>[0], message: string) => report(rule, at(row, MISC, FORMAT), message);
      isJoined = misc.split("|").includes("SpaceAfter=No");
      if (misc.includes("NoSpaceAfter=Yes")) tell("nospaceafter-yes", "NoSpaceAfter=Yes is written SpaceAfter=No.");
      const other = misc.split("|").find((item) => item.startsWith("SpaceAfter=") && item !== "SpaceAfter=No");
      if (other !== undefined) tell("spaceafter-value", `${other} is unknown (expected SpaceAfter=No, or nothing).`);
      // Whatever the item that says so is called: CorrectSpaceAfter=No is for tokens, too.
      const saysNo = misc.includes("SpaceAfter=No");
      if (saysNo && kind === "empty") tell("spaceafter-empty-node", "An empty node has no SpaceAfter=No.");
      if (saysNo && isPart)
        tell("spaceafter-mwt-node", "A word of a multiword token has no SpaceAfter=No; its token may.");
    }
    if (kind === "token") inside = Number(row.column(ID).split("-")[1]);
    if (!isToken) continue;
    isOpen = isJoined;
    if (isLost) continue;
    if (!row.isAt(FORM, text!, place)) {
      const form = row.column(FORM);
      const there = JSON.stringify(text!.slice(place, place + form.length + 12));
      report("text-form-mismatch", at(row, FORM, FORMAT), `The form is ${form}, but the text goes on with ${there}.`);
      isLost = true;
      continue;
    }
    place += row.size(FORM);
    if (isJoined) continue;
    if (place < text!.length && !isSpaceAt(text!, place)) {
      const message = `The text has no space after ${row.column(FORM)} (expected SpaceAfter=No).`;
      report("missing-spaceafter", at(row, MISC, FORMAT), message);
    }
    while (place < text!.length && isSpaceAt(text!, place)) place++;
  }
  if (!isLost && place < text!.length) {
    report(
      "text-extra-chars",
      { line: comment!.line, link: FORMAT },
      `The text has more than the tokens: ${text!.slice(place, place + 20)}.`,
    );
  }
  return isOpen;
}
