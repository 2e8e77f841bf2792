// The treebank as a file again: in its place where the browser can write files, a download elsewhere.

import { signal } from "@preact/signals";
import type { Marks, TreebankSummary } from "../../protocol/treebank.js";
import { save } from "../export/export.js";
import { ask } from "../shown/client.js";
import { reason, say } from "../shown/say.js";
import { get, put } from "../storage/database.js";
import { sentenceStates, settle, stampOf } from "../storage/journal.js";
import { handle, modified, recallWritten, written } from "../storage/written.js";
import { treebank } from "./treebank.js";

/** Of the File System Access API, which not all browsers have, and TypeScript does not know yet. */
interface SavePicker {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
}

/** Are notes and done marks written as comments? */
export const writesMarks = signal(localStorage.getItem("stemma-marks") === "1");

export function setWritesMarks(value: boolean): void {
  writesMarks.value = value;
  localStorage.setItem("stemma-marks", value ? "1" : "0");
}

/** Is a file being written? */
export const writing = signal(false);

/** Writes the treebank: to the file it was read from or written to before, else where the user wants it. */
export async function saveTreebank(elsewhere = false): Promise<void> {
  const file = treebank.value;
  if (!file || writing.value) return;
  writing.value = true;
  const task = () => write(file, elsewhere);
  // Tabs save one after the other, so that each knows what the one before wrote. Not every page may use locks.
  await ("locks" in navigator ? navigator.locks.request("stemma-save", task) : task());
  writing.value = false;
}

async function write(file: TreebankSummary, elsewhere: boolean): Promise<void> {
  try {
    // Browsers let a page ask for a file only right after a click.
    const to = await target(file.name, elsewhere);
    if (to === "nowhere") return;
    await settle();
    const stamp = stampOf(file.key, writesMarks.value);
    const marks = marksOf(file.key);
    const answer = await ask("write", { marks });
    if (!answer) return;
    if (to) {
      const stream = await to.createWritable();
      // The file is replaced when the stream is closed, not before: nothing is ever half-written.
      await stream.write(answer.file);
      await stream.close();
      handle.value = to;
      modified.value = (await to.getFile()).lastModified;
    } else save(answer.file, file.name);
    const record = { key: answer.key, treebank: file.key, stamp, time: Date.now(), modified: modified.value };
    written.value = record;
    await put("written", record).catch(() => undefined);
    await keepHandle(file.key);
    say(to ? `${to.name} was saved.` : `${file.name} was downloaded.`);
  } catch (error) {
    say(`The file was not saved: ${reason(error)}`);
  }
}

/** Downloads the treebank with all changes, wherever else it is written to. */
export async function downloadTreebank(): Promise<void> {
  const file = treebank.value;
  if (!file) return;
  await settle();
  const answer = await ask("write", { marks: marksOf(file.key) });
  if (answer) save(answer.file, file.name);
}

async function target(name: string, elsewhere: boolean): Promise<FileSystemFileHandle | undefined | "nowhere"> {
  const known = handle.value;
  if (known && !elsewhere && (await mayWrite(known))) return known;
  const { showSaveFilePicker } = window as SavePicker;
  if (!showSaveFilePicker) return undefined;
  try {
    return await showSaveFilePicker.call(window, { suggestedName: name });
  } catch (error) {
    if ((error as Error).name === "AbortError") return "nowhere";
    throw error;
  }
}

/** Asks the user, if need be; no if the file is no longer what was read or written here. */
async function mayWrite(known: FileSystemFileHandle): Promise<boolean> {
  const { requestPermission } = known as FileSystemFileHandle & {
    requestPermission?(options: { mode: "readwrite" }): Promise<PermissionState>;
  };
  if (requestPermission && (await requestPermission.call(known, { mode: "readwrite" })) !== "granted") return false;
  const now = await known.getFile().catch(() => undefined);
  // Another tab may have written it, with changes that are known here.
  if (treebank.value) await recallWritten(treebank.value.key);
  if (now && now.lastModified > Math.max(modified.value, written.value?.modified ?? 0)) {
    say(`${known.name} was changed by another program; choose where to save.`);
    return false;
  }
  return true;
}

async function keepHandle(key: string): Promise<void> {
  const record = await get("treebanks", key).catch(() => undefined);
  if (record && handle.value) await put("treebanks", { ...record, handle: handle.value }).catch(() => undefined);
}

function marksOf(key: string): Marks[] {
  if (!writesMarks.value) return [];
  return [...(sentenceStates.value.get(key) ?? [])].flatMap(([index, { note, done }]) =>
    note === undefined && done === undefined ? [] : [{ index, note, done }],
  );
}
