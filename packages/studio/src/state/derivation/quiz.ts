import { batch, computed, signal } from "@preact/signals";
import { readAddress } from "../address/address.js";
import { after, derivation, effectivePolicy, prefix, shownStep, step } from "../shown/state.js";

/** Is the next transition asked for, with scores and costs hidden? */
export const quizOn = signal(readAddress(location.hash).quiz);

interface Count {
  asked: number;
  right: number;
}

export const count = signal<Count>({ asked: 0, right: 0 });

/** The transition that was answered in the configuration that is shown, by name. */
export const answered = signal<string | undefined>(undefined);

/** Has somebody asked to see what is hidden, in which configuration? */
const peeked = signal<unknown>(undefined);

const here = computed(() => derivation.value?.configurations[shownStep.value]);

/** Who takes the steps by hand is not told the answer either, unless by asking. */
const byHand = computed(
  () => effectivePolicy.value === "hand" && (prefix.value.length === 0 || after.value === "hand"),
);

/** Are scores, costs and labels hidden? */
export const hidesAnswer = computed(() => {
  if (quizOn.value) return answered.value === undefined;
  return byHand.value && peeked.value !== here.value;
});

export function peek(): void {
  peeked.value = here.value;
}

export function startQuiz(on: boolean): void {
  batch(() => {
    quizOn.value = on;
    count.value = { asked: 0, right: 0 };
    answered.value = undefined;
  });
}

export type Judgement = "right" | "wrong" | "unknown";

/**
 * Is this the transition to take: one without cost, or if the model decides the one that it takes? Where a cost is not
 * known, only the transition that is taken is known to be right.
 */
export function judge(move: string): Judgement {
  const now = here.value;
  const choice = now?.choices.find((one) => one.move === move);
  if (!now || !choice) return "unknown";
  if (choice.cost !== undefined && effectivePolicy.value !== "model") return choice.cost === 0 ? "right" : "wrong";
  if (now.choices[now.taken] === choice) return "right";
  return effectivePolicy.value === "model" ? "wrong" : "unknown";
}

export function answer(move: string): void {
  if (answered.value !== undefined) return;
  const judgement = judge(move);
  batch(() => {
    answered.value = move;
    // Nobody is judged by what is not known.
    if (judgement === "unknown") return;
    count.value = { asked: count.value.asked + 1, right: count.value.right + (judgement === "right" ? 1 : 0) };
  });
}

/** Goes on to the next configuration in which there is something to choose. */
export function nextQuestion(): void {
  ask(shownStep.value + 1);
}

/** Goes to the first configuration from a step on in which there is something to choose. */
export function ask(from: number): void {
  const configurations = derivation.value?.configurations ?? [];
  let to = from;
  while (to < configurations.length - 1 && configurations[to]!.choices.length === 1) to++;
  batch(() => {
    answered.value = undefined;
    step.value = Math.min(to, configurations.length - 1);
  });
}
