import { batch, effect, signal, untracked } from "@preact/signals";
import { formatOf } from "../../protocol/input-format.js";
import { opener, replaceText } from "../editing/text.js";
import { original, stateOf } from "../editing/treebank-edits.js";
import { ask } from "../shown/client.js";
import { reason, say } from "../shown/say.js";
import * as state from "../shown/state.js";
import { place, view } from "../shown/state.js";
import type { SentenceState, TreebankPlace } from "../storage/changes.js";
import { get } from "../storage/database.js";
import { sentenceStates } from "../storage/journal.js";
import { keepTreebank } from "../storage/keep-treebank.js";
import { handle, modified, recallWritten } from "../storage/written.js";
import { carryOver } from "./carry-over.js";
import {
  forget,
  isUnreadable,
  linkedTreebank,
  matches,
  opening,
  problem,
  type Query,
  query,
  search,
  treebank,
} from "./treebank.js";

/** As much of a file as is looked at to see what it is. */
const BEGINNING = 1 << 16;
/** A longer plain text is nothing for a page. */
const LONGEST_PLAIN_TEXT = 2_000_000;

/**
 * Opens what a file holds: a treebank, or a text to parse. What cannot be opened takes nothing away from what is there.
 */
export async function openFile(file: File, from?: FileSystemFileHandle): Promise<void> {
  problem.value = undefined;
  try {
    const beginning = await file.slice(0, BEGINNING).arrayBuffer();
    if (isPlainText(new Uint8Array(beginning))) await openText(file);
    else {
      view.value = "treebank";
      if (!(await openTreebank(file))) return;
      const before = await treebankWrittenAs(treebank.value!.key);
      if (before && (await openTreebank(before))) say(`Continuing your work on ${before.name}.`);
      // A converted file is another file, which is not written over the one that was opened.
      handle.value = treebank.value!.converted === undefined ? from : undefined;
      modified.value = file.lastModified;
      await keepOpened(before ?? file);
      if (!before && treebank.value!.converted === undefined) await carryOver(file, treebank.value!.key);
    }
  } catch (error) {
    batch(() => {
      opening.value = undefined;
      problem.value = reason(error);
      view.value = "treebank";
    });
  }
}

/** Is it text, but not CoNLL-U? What is packed or has zero bytes is for the reader of treebanks to judge. */
function isPlainText(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes.includes(0) || (bytes[0] === 0x1f && bytes[1] === 0x8b)) return false;
  const format = formatOf(new TextDecoder().decode(bytes));
  return format !== "conllu" && format !== "conll09";
}

async function openText(file: File): Promise<void> {
  if (file.size > LONGEST_PLAIN_TEXT) {
    const size = `${(file.size / 1e6).toFixed(1)} MB`;
    throw new Error(
      `${file.name} is ${size} of plain text (the page accepts at most ${LONGEST_PLAIN_TEXT / 1e6} MB); use “stemma parse” for longer texts.`,
    );
  }
  const text = await file.text();
  replaceText({ text, place: undefined });
  view.value = "parse";
  say(`${file.name} is not a treebank; its text is now in the text box.`);
}

/** Says whether the file is open now. */
async function openTreebank(file: File, wanted?: Query): Promise<boolean> {
  opening.value = { name: file.name, done: 0 };
  const summary = await ask("openTreebank", { file }, (done) => {
    if (opening.value) opening.value = { name: file.name, done };
  });
  // Another file was opened meanwhile.
  if (!summary) return false;
  told = { key: undefined, texts: new Map() };
  batch(() => {
    opening.value = undefined;
    linkedTreebank.value = undefined;
    treebank.value = summary;
    handle.value = undefined;
    forget(wanted);
  });
  await recallWritten(summary.key);
  await search();
  return true;
}

async function keepOpened(opened: File): Promise<void> {
  try {
    await keepTreebank(treebank.value!.key, opened, handle.value);
  } catch (error) {
    say(`The browser cannot keep this file; open it again after a reload: ${reason(error)}`);
  }
}

/** The file that a file was written from here, so that the work on it goes on. */
async function treebankWrittenAs(key: string): Promise<File | undefined> {
  try {
    const written = await get("written", key);
    return written && written.treebank !== key ? (await get("treebanks", written.treebank))?.file : undefined;
  } catch {
    return undefined;
  }
}

/** Opens the treebank of the link again, from where the browser keeps it. */
export async function restoreTreebank(key = linkedTreebank.value): Promise<void> {
  if (!key) return;
  linkedTreebank.value = key;
  try {
    const kept = await get("treebanks", key);
    if (kept) {
      await openTreebank(kept.file, query.value);
      handle.value = kept.handle;
      modified.value = kept.file.lastModified;
    } else if (view.value === "treebank") problem.value = "The treebank of this link is not stored in this browser.";
  } catch (error) {
    problem.value = `The treebank of this link cannot be opened: ${reason(error)}`;
  }
  batch(() => {
    opening.value = undefined;
    linkedTreebank.value = undefined;
    // A sentence of a file that is not there is a text like any other.
    if (treebank.value?.key !== place.value?.key) place.value = undefined;
  });
  if (place.value) await refresh(place.value);
}

/** After a reload the sentence that is shown is as the journal has it. */
async function refresh(shown: TreebankPlace): Promise<void> {
  const text = await ask("sentence", { index: shown.index }).catch(() => undefined);
  if (text === undefined || place.value?.index !== shown.index) return;
  original.value = { place: shown, text };
  const now = stateOf(shown).text ?? text;
  if (now !== state.text.value) replaceText({ text: now, place: shown });
}

/** Closes the treebank that is open; a sentence of it that is shown stays as a text. */
export function closeTreebank(): void {
  batch(() => {
    treebank.value = undefined;
    handle.value = undefined;
    place.value = undefined;
    forget();
  });
}

/** Shows a sentence of the treebank, where sentences were worked on last. */
export async function openSentence(
  index: number,
  where: "parse" | "annotate" | "compare" = sentenceView.value,
): Promise<void> {
  const key = treebank.value?.key;
  if (key && (await showSentence({ key, index }))) view.value = isUnreadable(index) ? "annotate" : where;
}

/** The view in which sentences are opened from the list. */
const sentenceView = signal<"parse" | "annotate">(view.peek() === "annotate" ? "annotate" : "parse");
effect(() => {
  if (view.value === "parse" || view.value === "annotate") sentenceView.value = view.value;
});

export async function showSentence(wanted: TreebankPlace): Promise<boolean> {
  if (treebank.value?.key !== wanted.key) return false;
  try {
    const text = await ask("sentence", { index: wanted.index });
    if (text === undefined) return false;
    original.value = { place: wanted, text };
    replaceText({ text: stateOf(wanted).text ?? text, place: wanted });
    return true;
  } catch (error) {
    say(reason(error));
    return false;
  }
}

opener.open = showSentence;

/** The versions of sentences of the open treebank that the worker knows. */
let told: { key: string | undefined; texts: Map<number, string> } = { key: undefined, texts: new Map() };

/** Tells the worker what stands in the place of sentences of the file. */
export function tellEdits(): void {
  const key = treebank.value?.key;
  if (!key) return;
  if (told.key !== key) told = { key, texts: new Map() };
  const states = sentenceStates.value.get(key) ?? new Map<number, SentenceState>();
  const edits: [number, string | undefined][] = [];
  const before = new Set(told.texts.keys());
  for (const [index, { text }] of states) {
    if (text !== undefined && told.texts.get(index) !== text) edits.push([index, text]);
  }
  for (const index of told.texts.keys()) if (states.get(index)?.text === undefined) edits.push([index, undefined]);
  for (const [index, text] of edits) {
    if (text === undefined) told.texts.delete(index);
    else told.texts.set(index, text);
  }
  if (edits.length === 0) return;
  void ask("edit", { key, edits }).catch((error) => say(reason(error)));
  // A sentence joined to another is none any more, and is one again when that is undone. What was split off one
  // is a sentence of its own, and none any more when that is undone.
  const listed = untracked(() => matches.value);
  const isOther = ([index, text]: [number, string | undefined]) =>
    Number.isInteger(index) ? (text === "") === listed!.includes(index) : before.has(index) !== (text !== undefined);
  if (listed && edits.some(isOther)) untracked(() => void search());
}

/** A sentence that is shown and is there no more, being joined to another or no longer split off, gives way to it. */
export function leaveWhatIsGone(): void {
  const shown = place.value;
  const states = shown && treebank.value?.key === shown.key ? sentenceStates.value.get(shown.key) : undefined;
  if (!shown || !states) return;
  const isGone = (index: number) => {
    const text = states.get(index)?.text;
    return Number.isInteger(index) ? text === "" : !text;
  };
  if (!isGone(shown.index)) return;
  let index = Math.floor(shown.index);
  while (index > 0 && isGone(index)) index--;
  untracked(() => void showSentence({ key: shown.key, index }));
}
