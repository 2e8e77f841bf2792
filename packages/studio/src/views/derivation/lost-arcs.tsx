import type { ComponentChildren } from "preact";
import type { Choice, Derivation, Taken } from "../../protocol/derivation.js";
import { takenUntil } from "../../state/derivation/actions.js";
import { shownStep, target } from "../../state/shown/state.js";
import { Form } from "../common/Form.js";
import { useAnswer } from "../common/use-answer.js";

/** The words whose gold arcs transitions lose, as far as that is known. */
export interface LostArcs {
  /** By the last transition taken. */
  byTaken: readonly number[] | undefined;
  /** By a permitted one. */
  by(choice: Choice): readonly number[] | undefined;
}

const costsSomething = ({ cost }: Choice) => cost !== undefined && cost > 0;
const named = ({ move, label }: Choice): Taken => ({ move, label });

/** Asks which arcs the transition just taken lost, and which the permitted ones would lose. */
export function useLostArcs(derivation: Derivation): LostArcs {
  const now = shownStep.value;
  const aim = target.value;
  const here = derivation.configurations[now]!.choices.filter(costsSomething);
  const last = derivation.configurations[now - 1];
  const taken = [last?.choices[last.taken]].filter((choice) => choice !== undefined).filter(costsSomething);
  const answer = useAnswer("lost", () => {
    if (!aim || here.length + taken.length === 0) return undefined;
    const before = takenUntil(now);
    const questions = [
      ...taken.map((choice) => ({ before: before.slice(0, -1), taken: named(choice) })),
      ...here.map((choice) => ({ before, taken: named(choice) })),
    ];
    return { system: derivation.system, target: aim, questions };
  }, [derivation, now, aim]);
  const known = answer && !("reason" in answer) ? answer : [];
  return {
    byTaken: taken.length > 0 ? known[0] : undefined,
    by: (choice) => {
      const index = here.indexOf(choice);
      return index < 0 ? undefined : known[taken.length + index];
    },
  };
}

const NUMBERS = ["none", "one", "two", "three", "four", "five", "six"];

/** The arcs that a transition loses, by name: “loses a → b and c → d”. */
export function Lost({
  words,
  cost,
  forms,
}: {
  words: readonly number[] | undefined;
  cost: number;
  forms: readonly string[];
}): ComponentChildren {
  const aim = target.value;
  if (!words || words.length === 0 || !aim) return null;
  const isOpen = words.length > cost;
  const last = words.length - 1;
  return (
    <>
      loses {isOpen && `${NUMBERS[cost] ?? cost} of `}
      {words.map((d, i) => (
        <>
          {i > 0 && (i < last || words.length < cost ? ", " : isOpen ? " or " : " and ")}
          <Form node={aim.heads[d]!} forms={forms} /> → <Form node={d} forms={forms} />
        </>
      ))}
      {words.length < cost && " and more"}
    </>
  );
}
