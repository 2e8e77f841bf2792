// The state of the page as signals, and what follows from it. Views read signals, and what is done to them is in the
// actions.ts of each folder.

import { computed, signal } from "@preact/signals";
import { haveSameSettings } from "@stemma/core/systems";
import type { Choice, Derivation, Policy, SystemChoice } from "../../protocol/derivation.js";
import type { ModelInfo, ParseResult, Tree } from "../../protocol/sentence.js";
import { readAddress } from "../address/address.js";
import type { TreebankPlace } from "../storage/changes.js";
import { sentenceStates, trees } from "../storage/journal.js";
import type { ShownSentence } from "./sentence.js";
import { sentenceKeys } from "./sentence-keys.js";

const start = readAddress(location.hash);

export const view = signal(start.view);
export const text = signal(start.text);
export const sentenceIndex = signal(start.sentence);
/** The sentence of a treebank that the text is; undefined for a text of its own. */
export const place = signal<TreebankPlace | undefined>(start.place);
/** Gold trees that came with a link, by sentence, until they are among those made by hand. */
export const linkedGold = signal(start.gold);
/** The key of a text that is too long for the address, until it is there. */
export const longText = signal(start.longText);
/** The model that a person chose, by name; undefined for the one that comes with the page. */
export const modelChoice = signal(start.model);

/** The lesson that is open. */
export const lesson = signal(start.lesson);
/** The sentence of the lesson, as soon as it is known. */
export const lessonSentence = signal<ShownSentence | undefined>(undefined);
export const inLesson = computed(() => view.value === "learn");

/** Lessons have a derivation of their own: what was looked at before is there again afterwards. */
function apart<T>(first: T, nothing: T) {
  const own = signal(start.view === "learn" ? nothing : first);
  const ofLesson = signal(start.view === "learn" ? first : nothing);
  return {
    get value(): T {
      return inLesson.value ? ofLesson.value : own.value;
    },
    set value(value: T) {
      (inLesson.peek() ? ofLesson : own).value = value;
    },
  };
}

export const systemWish = apart(start.system, {});
export const policy = apart<Policy>(start.policy, "model");
export const branches = apart(start.branches, []);
export const branch = apart(start.branch, undefined);
export const step = apart(start.step, 0);
const shownBranch = computed(() => branches.value[branch.value ?? -1]);
/** Transitions up to the last one taken by hand in the branch that is shown, and who goes on from there. */
export const prefix = computed(() => shownBranch.value?.prefix ?? []);
export const after = computed<Policy>(() => shownBranch.value?.after ?? "hand");
export const sides = signal(start.sides);

export type ModelState =
  | { kind: "loading"; done: number }
  | { kind: "ready"; info: ModelInfo }
  | { kind: "missing"; message: string };

export const model = signal<ModelState>({ kind: "loading", done: 0 });
export const modelLoading = computed(() => model.value.kind === "loading");
export const modelInfo = computed(() => (model.value.kind === "ready" ? model.value.info : undefined));

/** The text that is shown, as the worker has read it. */
export interface ShownText extends Omit<ParseResult, "sentences"> {
  sentences: ShownSentence[];
}

/** Undefined until the first answer; the last answer stays while the next is on its way. */
export const parsed = signal<ShownText | undefined>(undefined);
/** Is what is shown the tree of another text than the one in the box? */
export const parsing = signal(false);
export const parseError = signal<string | undefined>(undefined);

export const sentence = computed<ShownSentence | undefined>(() => {
  if (inLesson.value) return lessonSentence.value;
  const sentences = parsed.value?.sentences ?? [];
  return sentences[Math.min(sentenceIndex.value, sentences.length - 1)];
});

const keys = computed(() => sentenceKeys(parsed.value?.sentences ?? [], place.value));

/** The key of a sentence that is shown, under which changes to it are kept. */
export function keyOf(index: number): string {
  return keys.value[index] ?? "";
}

/** The version of the sentence of a treebank that is shown. */
export const sentenceState = computed(() => {
  const { key, index } = place.value ?? { key: "", index: 0 };
  return sentenceStates.value.get(key)?.get(index);
});

/** The tree that was made by hand for a sentence that is shown; that of a treebank has it in its text. */
export function editedGoldOf(data: ShownSentence, index: number): Tree | undefined {
  const tree = (place.value ? undefined : trees.value.get(keyOf(index))) ?? linkedGold.value[index];
  return tree && fits(tree, data) ? tree : undefined;
}

/** Is it other than it came? */
export function isEdited(data: ShownSentence, index: number): boolean {
  return place.value ? sentenceState.value?.text !== undefined : editedGoldOf(data, index) !== undefined;
}

/** The gold tree of a sentence: made by hand, or the one it came with. */
export function goldOf(data: ShownSentence, index: number): Tree | undefined {
  return editedGoldOf(data, index) ?? data.gold;
}

export function fits({ heads }: Tree, { forms }: ShownSentence): boolean {
  return heads.length === forms.length && heads.every((head, d) => head < forms.length && head !== d);
}

/** The trees made by hand for the sentences that are shown, for links. */
export const editedGold = computed(() => {
  const edited: Record<number, Tree> = {};
  parsed.value?.sentences.forEach((data, i) => {
    const tree = editedGoldOf(data, i);
    if (tree) edited[i] = tree;
  });
  return edited;
});

export const gold = computed(() => {
  const data = sentence.value;
  return inLesson.value ? data?.gold : data && goldOf(data, sentenceIndex.value);
});
/** The tree that oracles aim at. */
export const target = computed(() => gold.value ?? sentence.value?.predicted);

export const system = computed<SystemChoice>(() => {
  const wish = systemWish.value;
  const own = inLesson.value ? undefined : modelInfo.value?.transitions;
  return {
    name: wish.name ?? own?.system ?? "arc-standard",
    root: wish.root ?? own?.root ?? "last",
    singleRoot: wish.singleRoot ?? true,
    settings: { ...own?.settings, ...wish.settings },
  };
});

/** Can the model decide in the chosen system? */
export const modelFits = computed(() => {
  const own = modelInfo.value?.transitions;
  const { name, root, singleRoot, settings } = system.value;
  return (
    own !== undefined &&
    !inLesson.value &&
    own.system === name &&
    own.root === root &&
    singleRoot &&
    haveSameSettings(name, own.settings, settings)
  );
});

/** Does the model build trees without transitions? Then there is no derivation of its own to show. */
export const hasNoDerivation = computed(
  () => modelInfo.value !== undefined && modelInfo.value.transitions === undefined,
);

/** Who decides; the static oracle where the model cannot. */
export const effectivePolicy = computed(() => (policy.value === "model" && !modelFits.value ? "static" : policy.value));

export const derivation = signal<Derivation | undefined>(undefined);
/** The sentence that the derivation is of. */
export const derivedFrom = signal<ShownSentence | undefined>(undefined);
/** Is another derivation on its way? */
export const deriving = signal(false);
export const deriveError = signal<string | undefined>(undefined);
/** The step that is shown: never beyond the derivation. */
export const shownStep = computed(() =>
  Math.min(step.value, Math.max(0, (derivation.value?.configurations.length ?? 1) - 1)),
);

/** The transition that is pointed at: its arc is shown before it is built. */
export const considered = signal<Choice | undefined>(undefined);

/** Is a file held over the page? */
export const fileOver = signal(false);
