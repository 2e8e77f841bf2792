import type { ShownSentence } from "../../state/shown/sentence.js";
import { modelInfo } from "../../state/shown/state.js";

/** Says that a prediction means nothing, where the model never saw the script of the sentence. */
export function UnseenScript({ sentence }: { sentence: ShownSentence }) {
  if (!sentence.unseenScript) return null;
  return (
    <p class="note warn unseen-script" role="status">
      <span>
        The model {modelInfo.value?.name} has never seen {sentence.unseenScript} script: what it makes of this sentence
        is a mere guess. Open a model for this language, or give CoNLL-U with heads.
      </span>
    </p>
  );
}
