import { place } from "../../state/shown/state.js";
import { evaluation, query, treebank } from "../../state/treebank/treebank.js";
import { useAnswer } from "../common/use-answer.js";

/** The words of the sentence that is shown for whose errors it was found. */
export function useErrorWords(): readonly number[] {
  const { errors } = query.value;
  const shown = place.value;
  const isShown = shown && treebank.value?.key === shown.key;
  const answer = useAnswer("errorWords", () => {
    return errors && isShown ? { index: shown.index, errors } : undefined;
  }, [errors, shown, evaluation.value]);
  return Array.isArray(answer) ? answer : [];
}
