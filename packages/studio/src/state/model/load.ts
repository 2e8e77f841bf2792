import { ask } from "../shown/client.js";
import { reason, say } from "../shown/say.js";
import { model, modelChoice } from "../shown/state.js";
import { get, keep } from "../storage/database.js";
import { beside, readAvailable, readKept } from "./available.js";
import { download, unpacked } from "./download.js";
import { keepForOffline } from "./offline.js";

/** The address of the model that the page begins with; the list of models says what it is called. */
const FIRST_MODEL = "en.stemma";
/** Model files that are kept in the browser. */
const MOST_MODELS = 3;

/** The model beside the page, which index.html asks for before any module is there. */
async function shippedModel(): Promise<ArrayBuffer> {
  const { stemmaModel = fetch(FIRST_MODEL) } = globalThis as { stemmaModel?: Promise<Response> | undefined };
  // An answer can be read once.
  (globalThis as { stemmaModel?: undefined }).stemmaModel = undefined;
  const [bytes] = await Promise.all([download(stemmaModel, progress), readAvailable()]);
  return bytes;
}

/** A model of the menu: where its bytes come from, the browser or beside the page; undefined if it is not there. */
export async function storedModel(
  name: string,
  told: (done: number) => void,
): Promise<(() => Promise<ArrayBuffer>) | undefined> {
  const kept = await get("models", name).catch(() => undefined);
  if (kept) return () => unpacked(kept.file.stream());
  await readAvailable();
  const available = beside.value.find((one) => one.name === name);
  return available && (() => download(fetch(available.file), told));
}

function progress(done: number): void {
  model.value = { kind: "loading", done };
}

/** Loads the model that was chosen, from the browser or from beside the page, or the one that comes with the page. */
export async function loadChosenModel(): Promise<void> {
  const name = modelChoice.value;
  void readKept();
  if (name) {
    const bytes = await storedModel(name, progress);
    if (bytes && (await loadModel(name, bytes()))) return;
    modelChoice.value = undefined;
    say(
      `The model ${name} is not stored in this browser: open its file again. Until then the page uses its own model.`,
    );
  }
  const firstName = () => beside.value[0]?.name ?? FIRST_MODEL;
  if (await loadModel(firstName, shippedModel())) void keepForOffline(FIRST_MODEL);
}

/** Takes another model of the menu. */
export async function chooseModel(name: string): Promise<void> {
  modelChoice.value = name === beside.value[0]?.name ? undefined : name;
  await loadChosenModel();
}

/** Says whether there is another model now: a file that is no model takes nothing away from the one that is there. */
async function loadModel(named: string | (() => string), coming: Promise<ArrayBuffer>): Promise<boolean> {
  const before = model.value;
  model.value = { kind: "loading", done: 0 };
  try {
    const bytes = await coming;
    const name = typeof named === "string" ? named : named();
    const info = await ask("loadModel", { name, bytes }, undefined, [bytes]);
    if (info) model.value = { kind: "ready", info };
    return info !== undefined;
  } catch (error) {
    if (before.kind === "ready") {
      model.value = before;
      say(reason(error));
    } else model.value = { kind: "missing", message: reason(error) };
    return false;
  }
}

export async function openModelFile(file: File): Promise<void> {
  if (!(await loadModel(file.name, unpacked(file.stream())))) return;
  try {
    await keep("models", { key: file.name, file }, MOST_MODELS);
    modelChoice.value = file.name;
    void readKept();
  } catch (error) {
    say(`The browser cannot keep this model; open it again after a reload: ${reason(error)}`);
  }
}
