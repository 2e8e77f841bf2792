// What the page knows and what follows from it. Views read signals and call the functions of actions.ts.

import { computed, signal } from "@preact/signals";
import { haveSameSettings } from "@stemma/core";
import { readAddress } from "./address.js";
import type { Choice, Derivation, ModelInfo, ParseResult, SentenceData, SystemChoice, Tree } from "./protocol.js";

const start = readAddress(location.hash);

export const view = signal(start.view);
export const text = signal(start.text);
export const sentenceIndex = signal(start.sentence);
export const editedGold = signal(start.gold);
export const systemWish = signal(start.system);
export const policy = signal(start.policy);
export const prefix = signal(start.prefix);
export const after = signal(start.after);
export const step = signal(start.step);
export const sides = signal(start.sides);

export type ModelState =
  | { kind: "loading"; done: number }
  | { kind: "ready"; info: ModelInfo }
  | { kind: "missing"; message: string };

export const model = signal<ModelState>({ kind: "loading", done: 0 });
export const modelInfo = computed(() => (model.value.kind === "ready" ? model.value.info : undefined));

/** Undefined until the first answer; the last answer stays while the next is on its way. */
export const parsed = signal<ParseResult | undefined>(undefined);
export const parseError = signal<string | undefined>(undefined);

export const sentence = computed<SentenceData | undefined>(() => {
  const sentences = parsed.value?.sentences ?? [];
  return sentences[Math.min(sentenceIndex.value, sentences.length - 1)];
});

/** The gold tree of a sentence: made by hand, or the one it came with. */
export function goldOf(data: SentenceData, index: number): Tree | undefined {
  const edited = editedGold.value[index];
  return edited && fits(edited, data) ? edited : data.gold;
}

function fits({ heads }: Tree, { forms }: SentenceData): boolean {
  return heads.length === forms.length && heads.every((head, d) => head < forms.length && head !== d);
}

export const gold = computed(() => sentence.value && goldOf(sentence.value, sentenceIndex.value));
/** What oracles aim at. */
export const target = computed(() => gold.value ?? sentence.value?.predicted);

export const system = computed<SystemChoice>(() => {
  const wish = systemWish.value;
  const info = modelInfo.value;
  return {
    name: wish.name ?? info?.system ?? "arc-standard",
    root: wish.root ?? info?.root ?? "last",
    degree: wish.degree ?? (info?.degree === 3 ? 3 : 2),
    lazy: wish.lazy ?? info?.lazy ?? false,
    singleRoot: wish.singleRoot ?? true,
  };
});

/** Can the model decide in the chosen system? */
export const modelFits = computed(() => {
  const info = modelInfo.value;
  const { name, root, degree, lazy, singleRoot } = system.value;
  return (
    info !== undefined &&
    info.system === name &&
    info.root === root &&
    singleRoot &&
    haveSameSettings(name, info, { degree, lazy })
  );
});

/** Who decides; the static oracle where the model cannot. */
export const decider = computed(() => (policy.value === "model" && !modelFits.value ? "static" : policy.value));

export const derivation = signal<Derivation | undefined>(undefined);
export const deriveError = signal<string | undefined>(undefined);
/** The step that is shown: never beyond the derivation. */
export const shownStep = computed(() =>
  Math.min(step.value, Math.max(0, (derivation.value?.configurations.length ?? 1) - 1)),
);

/** The transition that is pointed at: its arc is shown before it is built. */
export const considered = signal<Choice | undefined>(undefined);

/** Said to screen readers, and for a few seconds at the foot of the page if `visible`. */
export const message = signal<{ text: string; visible: boolean }>({ text: "", visible: false });

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const LETTER = /\p{L}/u;

/** The direction of the first letter decides, as in HTML's dir=auto. */
export function isRightToLeft(text: string): boolean {
  const letter = LETTER.exec(text);
  return letter !== null && RIGHT_TO_LEFT.test(letter[0]);
}
