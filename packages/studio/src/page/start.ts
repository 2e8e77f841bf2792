import { batch, effect, signal } from "@preact/signals";
import { type Address, longTextKey, readAddress, writeAddress } from "../state/address/address.js";
import { embedded } from "../state/address/embed.js";
import { otherFile, otherModel, restoreOtherSide } from "../state/comparison/other-side.js";
import { derive } from "../state/derivation/actions.js";
import { deriveBranches } from "../state/derivation/branches.js";
import { quizOn } from "../state/derivation/quiz.js";
import { presenting } from "../state/derivation/stage.js";
import { adoptLinkedTrees, parseText, restoreLongText } from "../state/editing/text.js";
import { showState } from "../state/editing/treebank-edits.js";
import { prepareLesson } from "../state/lessons/actions.js";
import { loadChosenModel } from "../state/model/load.js";
import { reason, say } from "../state/shown/say.js";
import * as state from "../state/shown/state.js";
import { keep } from "../state/storage/database.js";
import { readJournal } from "../state/storage/journal.js";
import { leaveWhatIsGone, restoreTreebank, tellEdits } from "../state/treebank/open.js";
import { evaluateForLink, query, retag, searchAgain, treebankKey } from "../state/treebank/treebank.js";
import { followWindow } from "./window-size.js";

const REMEMBER_AFTER = 150;
/** Long texts that are kept in the browser. */
const MOST_TEXTS = 20;

/** The trees of a link are compared with those of the journal, so it has to be read first. */
const journalRead = signal(false);

/** Starts everything that follows from the state: parsing, deriving, the address bar. */
export function start(): void {
  // The last resort: whatever fails is said.
  addEventListener("unhandledrejection", (event) => say(reason(event.reason)));
  followWindow();
  void loadChosenModel();
  void restoreLongText();
  void restoreOtherSide();
  const fail = (why: string) => {
    // A page within another one is often not allowed to keep anything, and does not have to.
    if (!embedded) say(`The browser cannot keep your changes for the next visit: ${why}`);
  };
  const takeOver = (what: string) => {
    showState();
    if (what) say(what);
  };
  void readJournal(fail, takeOver).then(() => {
    journalRead.value = true;
    return restoreTreebank();
  });
  effect(parseText);
  effect(() => {
    if (journalRead.value) adoptLinkedTrees();
  });
  effect(prepareLesson);
  effect(derive);
  effect(deriveBranches);
  effect(tellEdits);
  effect(leaveWhatIsGone);
  effect(evaluateForLink);
  effect(remember);
  addEventListener("hashchange", () => {
    if (location.hash !== written) restore(readAddress(location.hash));
  });
}

let written = location.hash;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Signals that hold a field of the address as it is. */
const FIELDS = {
  view: state.view,
  place: state.place,
  model: state.modelChoice,
  sentence: state.sentenceIndex,
  system: state.systemWish,
  policy: state.policy,
  branches: state.branches,
  branch: state.branch,
  step: state.step,
  quiz: quizOn,
  present: presenting,
  lesson: state.lesson,
  sides: state.sides,
  retag,
} satisfies { [F in keyof Address]?: { value: Address[F] } };

type Fields = Pick<Address, keyof typeof FIELDS>;

function address(): Address {
  const text = state.text.value;
  return {
    ...(Object.fromEntries(Object.entries(FIELDS).map(([name, { value }]) => [name, value])) as unknown as Fields),
    text,
    longText: state.longText.value ?? longTextKey(text),
    treebank: treebankKey.value,
    gold: state.parsed.value ? state.editedGold.value : state.linkedGold.value,
    otherModel: otherModel.value,
    otherFile: otherFile.value,
    query: query.value,
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
    // Somebody has followed a link, and the event that says so is on its way: it goes before what was there until now.
    if (location.hash !== written) return;
    // The back button leads to the view or lesson before, not to the step before.
    const [to, from] = [readAddress(hash), readAddress(written)];
    const sameView = to.view === from.view && to.lesson === from.lesson;
    history[sameView ? "replaceState" : "pushState"](null, "", hash);
    written = location.hash;
  }, REMEMBER_AFTER);
}

function restore(to: Address): void {
  const otherModel = to.model !== state.modelChoice.value;
  batch(() => {
    // The view comes first: it decides whether the derivation is that of a lesson.
    for (const [name, field] of Object.entries(FIELDS)) field.value = to[name as keyof Fields] as never;
    if (to.text !== state.text.value && !to.longText) state.text.value = to.text;
    state.longText.value = to.longText && to.longText !== longTextKey(state.text.value) ? to.longText : undefined;
    state.linkedGold.value = to.gold;
  });
  written = location.hash;
  void restoreLongText();
  if (to.treebank && to.treebank !== treebankKey.value) void restoreTreebank(to.treebank);
  else searchAgain(to.query);
  if (otherModel) void loadChosenModel();
}
