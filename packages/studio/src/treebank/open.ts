import { batch } from "@preact/signals";
import type { TreebankPlace } from "../annotation/changes.js";
import { ask } from "../client.js";
import { opener, replaceText } from "../input/actions.js";
import { formatOf } from "../input/conllu.js";
import { reason, say } from "../page/say.js";
import { place, view } from "../state.js";
import { get, keep } from "../storage/database.js";
import { forget, linkedTreebank, opening, problem, search, treebank } from "./state.js";

/** Treebank files that are kept in the browser. */
const MOST_TREEBANKS = 5;
/** As much of a file as is looked at to see what it is. */
const BEGINNING = 1 << 16;
/** A longer plain text is nothing for a page. */
const LONGEST_PLAIN_TEXT = 2_000_000;

/**
 * Opens what a file holds: a treebank, or a text to parse. What cannot be opened takes nothing away from what is there.
 */
export async function openFile(file: File): Promise<void> {
  problem.value = undefined;
  try {
    const beginning = await file.slice(0, BEGINNING).arrayBuffer();
    if (isPlainText(new Uint8Array(beginning))) await openText(file);
    else {
      view.value = "treebank";
      if (await openTreebank(file)) await keepTreebank(file);
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
  return formatOf(new TextDecoder().decode(bytes)) !== "conllu";
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
async function openTreebank(file: File): Promise<boolean> {
  opening.value = { name: file.name, done: 0 };
  const summary = await ask("openTreebank", { file }, (done) => {
    if (opening.value) opening.value = { name: file.name, done };
  });
  // Another file was opened meanwhile.
  if (!summary) return false;
  batch(() => {
    opening.value = undefined;
    linkedTreebank.value = undefined;
    treebank.value = summary;
    forget();
  });
  await search();
  return true;
}

async function keepTreebank(file: File): Promise<void> {
  try {
    await keep("treebanks", { key: treebank.value!.key, file }, MOST_TREEBANKS);
  } catch (error) {
    say(`The browser cannot keep this file; open it again after a reload: ${reason(error)}`);
  }
}

/** Opens the treebank of the link again, from where the browser keeps it. */
export async function restoreTreebank(key = linkedTreebank.value): Promise<void> {
  if (!key) return;
  linkedTreebank.value = key;
  try {
    const kept = await get("treebanks", key);
    if (kept) await openTreebank(kept.file);
    else if (view.value === "treebank") problem.value = "The treebank of this link is not stored in this browser.";
  } catch (error) {
    problem.value = `The treebank of this link cannot be opened: ${reason(error)}`;
  }
  batch(() => {
    opening.value = undefined;
    linkedTreebank.value = undefined;
    // A sentence of a file that is not there is a text like any other.
    if (treebank.value?.key !== place.value?.key) place.value = undefined;
  });
}

/** Shows a sentence of the treebank. */
export async function openSentence(index: number): Promise<void> {
  const key = treebank.value?.key;
  if (key && (await showSentence({ key, index }))) view.value = "parse";
}

async function showSentence({ key, index }: TreebankPlace): Promise<boolean> {
  if (treebank.value?.key !== key) return false;
  try {
    const text = await ask("sentence", { index });
    if (text === undefined) return false;
    replaceText({ text, place: { key, index } });
    return true;
  } catch (error) {
    say(reason(error));
    return false;
  }
}

opener.open = showSentence;
