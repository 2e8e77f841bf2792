// The other side of a comparison: a second model, a second treebank.

import { signal } from "@preact/signals";
import { readAddress } from "../address/address.js";
import { unpacked } from "../model/download.js";
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
export const opened = signal<{ "other-model"?: string; "other-file"?: string }>({});

const MOST_MODELS = 3;

/** `isNew`: was it chosen just now, so that it is to be seen? */
export async function openOtherModel(file: File, isNew = true): Promise<void> {
  try {
    const bytes = await unpacked(file.stream());
    const info = await ask("loadOtherModel", { name: file.name, bytes }, undefined, [bytes]);
    if (!info) return;
    opened.value = { ...opened.value, "other-model": info.name };
    if (isNew) showBelow("other-model");
    await keep("models", { key: file.name, file }, MOST_MODELS);
    otherModel.value = file.name;
  } catch (error) {
    say(reason(error));
  }
}

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
function showBelow(side: "other-model" | "other-file"): void {
  if (!sides.value.includes(side)) sides.value = [sides.value[0], side];
}

/** Opens again what the link names, from where the browser keeps it. */
export async function restoreOtherSide(): Promise<void> {
  const [modelName, fileKey] = [otherModel.value, otherFile.value];
  const model = modelName ? await get("models", modelName).catch(() => undefined) : undefined;
  if (model) await openOtherModel(model.file, false);
  else if (modelName) say(`The second model, ${modelName}, is not kept in this browser: open its file again.`);
  const file = fileKey ? await get("treebanks", fileKey).catch(() => undefined) : undefined;
  if (file) await openOtherFile(file.file, false);
  else if (fileKey) say("The second file of this link is not kept in this browser: open it again.");
}
