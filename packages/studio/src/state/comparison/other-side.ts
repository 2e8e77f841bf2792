// The other side of a comparison: a second model, a second treebank.

import { signal } from "@preact/signals";
import { readAddress } from "../address/address.js";
import { readKept } from "../model/available.js";
import { unpacked } from "../model/download.js";
import { storedModel } from "../model/load.js";
import { ask } from "../shown/client.js";
import { reason, say } from "../shown/say.js";
import { sides } from "../shown/state.js";
import { get, keep } from "../storage/database.js";
import { keepTreebank } from "../storage/keep-treebank.js";

const start = readAddress(location.hash);

/** The names under which they are kept in the browser; they stand in links. */
export const otherModel = signal(start.otherModel);
export const otherFile = signal(start.otherFile);
/** The names under which they are shown; undefined until they are open. */
export const opened = signal<{ "other-model"?: string | undefined; "other-file"?: string | undefined }>({});

const MOST_MODELS = 3;

/** How far a second model has come, from 0 to 1; undefined if none is on its way. */
export const otherLoading = signal<number | undefined>(undefined);

/** Opens a file as the second model. */
export async function openOtherModel(file: File): Promise<void> {
  if (!(await loadOther(file.name, () => unpacked(file.stream())))) return;
  showBelow("other-model");
  try {
    await keep("models", { key: file.name, file }, MOST_MODELS);
    void readKept();
  } catch (error) {
    say(`The browser cannot keep this model; open it again after a reload: ${reason(error)}`);
  }
}

/** Takes a model of the menu as the second one, or none. */
export async function chooseOtherModel(name: string | undefined): Promise<boolean> {
  if (name === undefined) {
    opened.value = { ...opened.value, "other-model": undefined };
    otherModel.value = undefined;
    if (sides.value.includes("other-model")) sides.value = ["gold", "model"];
    return false;
  }
  otherLoading.value = 0;
  const bytes = await storedModel(name, (done) => (otherLoading.value = done));
  if (bytes) return loadOther(name, bytes);
  otherLoading.value = undefined;
  say(`The second model, ${name}, is not stored in this browser: open its file again.`);
  return false;
}

async function loadOther(name: string, coming: () => Promise<ArrayBuffer>): Promise<boolean> {
  otherLoading.value = 0;
  try {
    const bytes = await coming();
    const info = await ask("loadOtherModel", { name, bytes }, undefined, [bytes]);
    if (!info) return false;
    opened.value = { ...opened.value, "other-model": info.name };
    otherModel.value = name;
    return true;
  } catch (error) {
    say(reason(error));
    return false;
  } finally {
    otherLoading.value = undefined;
  }
}

/** `isNew`: was it chosen just now, so that it is to be seen? */
export async function openOtherFile(file: File, isNew = true): Promise<void> {
  try {
    const summary = await ask("openOtherFile", { file });
    if (!summary) return;
    opened.value = { ...opened.value, "other-file": summary.name };
    if (isNew) showBelow("other-file");
    await keepTreebank(summary.key, file);
    otherFile.value = summary.key;
  } catch (error) {
    say(reason(error));
  }
}

/** Shows the side that was just opened. */
export function showBelow(side: "other-model" | "other-file"): void {
  if (!sides.value.includes(side)) sides.value = [sides.value[0], side];
}

/** Opens again what the link names, from where the browser keeps it. */
export async function restoreOtherSide(): Promise<void> {
  const [modelName, fileKey] = [otherModel.value, otherFile.value];
  if (modelName) await chooseOtherModel(modelName);
  const file = fileKey ? await get("treebanks", fileKey).catch(() => undefined) : undefined;
  if (file) await openOtherFile(file.file, false);
  else if (fileKey) say("The second file of this link is not kept in this browser: open it again.");
}
