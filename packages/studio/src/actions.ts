import { batch, effect } from "@preact/signals";
import { ask } from "./client.js";
import { looksLikeConllu } from "./input/conllu.js";
import { download } from "./model/download.js";
import { type Address, readAddress, type SystemWish, type View, writeAddress } from "./page/address.js";
import type { Policy, Taken, Tree } from "./protocol.js";
import * as state from "./state.js";

const REMEMBER_AFTER = 150;
const MESSAGE_TIME = 6000;

/** Starts everything that follows from the state: parsing, deriving, the address bar. */
export function start(): void {
  void loadModel(MODEL_NAME, shippedModel());
  effect(parseText);
  effect(derive);
  effect(remember);
  addEventListener("hashchange", () => {
    if (location.hash !== written) restore(readAddress(location.hash));
  });
}

const MODEL_NAME = "en.stemma";

/** The model beside the page, which index.html asks for before any module is there. */
function shippedModel(): Promise<ArrayBuffer> {
  const { stemmaModel = fetch(MODEL_NAME) } = globalThis as { stemmaModel?: Promise<Response> };
  return download(stemmaModel, (done) => {
    state.model.value = { kind: "loading", done };
  });
}

async function loadModel(name: string, coming: Promise<ArrayBuffer>): Promise<void> {
  const before = state.model.value;
  state.model.value = { kind: "loading", done: 0 };
  try {
    const bytes = await coming;
    const info = await ask("loadModel", { name, bytes }, undefined, [bytes]);
    if (info) state.model.value = { kind: "ready", info };
  } catch (error) {
    // A file that is no model takes nothing away from the one that is there.
    if (before.kind === "ready") {
      state.model.value = before;
      say(reason(error));
    } else state.model.value = { kind: "missing", message: reason(error) };
  }
}

export async function openModelFile(file: File): Promise<void> {
  await loadModel(file.name, file.arrayBuffer());
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parseText(): void {
  const text = state.text.value;
  // What came with its heads can be drawn without waiting for the model.
  if (state.model.value.kind === "loading" && !looksLikeConllu(text)) return;
  ask("parse", { text }).then(
    (result) => {
      if (!result) return;
      batch(() => {
        state.parsed.value = result;
        state.parseError.value = undefined;
      });
    },
    (error) => {
      batch(() => {
        state.parsed.value = undefined;
        state.parseError.value = reason(error);
      });
    },
  );
}

function derive(): void {
  const sentence = state.sentence.value;
  const target = state.target.value;
  const system = state.system.value;
  const prefix = state.prefix.value;
  const policy: Policy = prefix.length > 0 ? state.after.value : state.decider.value;
  if (state.view.value !== "step" || !sentence || state.model.value.kind === "loading") return;
  const { forms, lemmas, upos, xpos, feats } = sentence;
  ask("derive", { words: { forms, lemmas, upos, xpos, feats }, system, target, policy, prefix }).then(
    (derivation) => {
      if (!derivation) return;
      batch(() => {
        state.derivation.value = derivation;
        state.deriveError.value = undefined;
      });
    },
    (error) => {
      state.deriveError.value = reason(error);
    },
  );
}

let written = location.hash;
let timer: ReturnType<typeof setTimeout> | undefined;

export function address(): Address {
  return {
    view: state.view.value,
    text: state.text.value,
    sentence: state.sentenceIndex.value,
    gold: state.editedGold.value,
    system: state.systemWish.value,
    policy: state.policy.value,
    prefix: state.prefix.value,
    after: state.after.value,
    step: state.step.value,
    sides: state.sides.value,
  };
}

function remember(): void {
  const hash = writeAddress(address());
  clearTimeout(timer);
  // Browsers refuse many changes in a short time, as while playing or typing.
  timer = setTimeout(() => {
    if (hash === written || (written === "" && hash === "#parse")) return;
    // The back button leads to the view before, not to the step before.
    const sameView = readAddress(hash).view === readAddress(written).view;
    written = hash;
    history[sameView ? "replaceState" : "pushState"](null, "", hash);
  }, REMEMBER_AFTER);
}

function restore(to: Address): void {
  batch(() => {
    state.view.value = to.view;
    if (to.text !== state.text.value) state.text.value = to.text;
    state.sentenceIndex.value = to.sentence;
    state.editedGold.value = to.gold;
    state.systemWish.value = to.system;
    state.policy.value = to.policy;
    state.prefix.value = to.prefix;
    state.after.value = to.after;
    state.step.value = to.step;
    state.sides.value = to.sides;
  });
  written = location.hash;
}

export function show(view: View): void {
  state.view.value = view;
}

export function setText(text: string): void {
  batch(() => {
    state.text.value = text;
    state.editedGold.value = {};
    chooseSentence(0);
  });
}

export function chooseSentence(index: number): void {
  batch(() => {
    state.sentenceIndex.value = index;
    fromTheStart();
  });
}

/** A new derivation is shown from its first configuration. */
export function fromTheStart(): void {
  batch(() => {
    moments.length = 0;
    state.prefix.value = [];
    state.step.value = 0;
  });
}

export function setSystem(wish: SystemWish): void {
  batch(() => {
    state.systemWish.value = { ...state.systemWish.value, ...wish };
    fromTheStart();
  });
}

export function setPolicy(policy: Policy): void {
  batch(() => {
    state.policy.value = policy;
    fromTheStart();
  });
}

export function setGold(index: number, tree: Tree | undefined): void {
  const trees = { ...state.editedGold.value };
  if (tree) trees[index] = tree;
  else delete trees[index];
  state.editedGold.value = trees;
}

interface Moment {
  prefix: Taken[];
  after: Policy;
  step: number;
}

const moments: Moment[] = [];

/** The transitions of the derivation that is shown, up to a step. */
function takenUntil(step: number): Taken[] {
  const configurations = state.derivation.value?.configurations ?? [];
  return configurations.slice(0, step).map(({ choices, taken }) => {
    const { move, label } = choices[taken]!;
    return { move, label };
  });
}

function change(prefix: Taken[], after: Policy, step: number): void {
  moments.push({ prefix: state.prefix.value, after: state.after.value, step: state.step.value });
  batch(() => {
    state.prefix.value = prefix;
    state.after.value = after;
    state.step.value = step;
  });
}

/** What if: takes a transition in the configuration that is shown; what comes then is open. */
export function take(taken: Taken): void {
  const at = state.shownStep.value;
  change([...takenUntil(at), taken], "hand", at + 1);
}

/** Lets the model or an oracle go on from where the hand left off. */
export function finishWith(policy: Policy): void {
  change(state.prefix.value, policy, state.step.value);
}

export function undo(): void {
  const moment = moments.pop();
  if (!moment) {
    fromTheStart();
    return;
  }
  batch(() => {
    state.prefix.value = moment.prefix;
    state.after.value = moment.after;
    state.step.value = moment.step;
  });
}

let quiet: ReturnType<typeof setTimeout> | undefined;

export function say(text: string, visible = true): void {
  state.message.value = { text, visible };
  clearTimeout(quiet);
  if (visible) quiet = setTimeout(() => (state.message.value = { text: "", visible: false }), MESSAGE_TIME);
}
