import { batch, effect, signal } from "@preact/signals";
import { readJournal } from "../annotation/journal.js";
import { derive } from "../derivation/actions.js";
import { adoptLinkedTrees, parseText, restoreLongText } from "../input/actions.js";
import { loadChosenModel } from "../model/load.js";
import * as state from "../state.js";
import { keep } from "../storage/database.js";
import { restoreTreebank } from "../treebank/open.js";
import { treebankKey } from "../treebank/state.js";
import { type Address, longTextKey, readAddress, type View, writeAddress } from "./address.js";
import { reason, say } from "./say.js";

const REMEMBER_AFTER = 150;
/** Long texts that are kept in the browser. */
const MOST_TEXTS = 20;

/** The trees of a link are compared with those of the journal, so it has to be read first. */
const journalRead = signal(false);

/** Starts everything that follows from the state: parsing, deriving, the address bar. */
export function start(): void {
  // The last resort: whatever fails is said.
  addEventListener("unhandledrejection", (event) => say(reason(event.reason)));
  void loadChosenModel();
  void restoreLongText();
  void restoreTreebank();
  void readJournal((why) => say(`The browser cannot keep your changes for the next visit: ${why}`)).then(
    () => (journalRead.value = true),
  );
  effect(parseText);
  effect(() => {
    if (journalRead.value) adoptLinkedTrees();
  });
  effect(derive);
  effect(remember);
  addEventListener("hashchange", () => {
    if (location.hash !== written) restore(readAddress(location.hash));
  });
}

let written = location.hash;
let timer: ReturnType<typeof setTimeout> | undefined;

function address(): Address {
  const text = state.text.value;
  return {
    view: state.view.value,
    text,
    longText: state.longText.value ?? longTextKey(text),
    treebank: treebankKey.value,
    place: state.place.value,
    model: state.modelChoice.value,
    sentence: state.sentenceIndex.value,
    gold: state.parsed.value ? state.editedGold.value : state.linkedGold.value,
    system: state.systemWish.value,
    policy: state.policy.value,
    prefix: state.prefix.value,
    after: state.after.value,
    step: state.step.value,
    sides: state.sides.value,
  };
}

let keptText: string | undefined;

function remember(): void {
  const now = address();
  const hash = writeAddress(now);
  // The trees of one text do not go with another.
  if (state.parsing.value && state.parsed.value) return;
  clearTimeout(timer);
  // Browsers refuse many changes in a short time, as while playing or typing.
  timer = setTimeout(() => {
    const { longText, text } = now;
    if (longText && text !== "" && longText !== keptText) {
      keptText = longText;
      keep("texts", { key: longText, text }, MOST_TEXTS).catch((error) =>
        say(`The browser cannot keep this text: ${reason(error)}`),
      );
    }
    if (hash === written || (written === "" && hash === "#parse")) return;
    // The back button leads to the view before, not to the step before.
    const sameView = readAddress(hash).view === readAddress(written).view;
    written = hash;
    history[sameView ? "replaceState" : "pushState"](null, "", hash);
  }, REMEMBER_AFTER);
}

function restore(to: Address): void {
  const otherModel = to.model !== state.modelChoice.value;
  batch(() => {
    state.view.value = to.view;
    if (to.text !== state.text.value && !to.longText) state.text.value = to.text;
    state.longText.value = to.longText && to.longText !== longTextKey(state.text.value) ? to.longText : undefined;
    state.place.value = to.place;
    state.sentenceIndex.value = to.sentence;
    state.linkedGold.value = to.gold;
    state.modelChoice.value = to.model;
    state.systemWish.value = to.system;
    state.policy.value = to.policy;
    state.prefix.value = to.prefix;
    state.after.value = to.after;
    state.step.value = to.step;
    state.sides.value = to.sides;
  });
  written = location.hash;
  void restoreLongText();
  if (to.treebank && to.treebank !== treebankKey.value) void restoreTreebank(to.treebank);
  if (otherModel) void loadChosenModel();
}

export function show(view: View): void {
  state.view.value = view;
}
