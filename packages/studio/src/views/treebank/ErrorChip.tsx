import { described } from "../../protocol/error-filter.js";
import { query, showErrors } from "../../state/treebank/treebank.js";

/** Says that the list shows the sentences behind a figure, and how to get rid of that. */
export function ErrorChip() {
  const { errors } = query.value;
  if (!errors) return null;
  return (
    <button type="button" class="small error-chip" aria-pressed="true" onClick={() => showErrors(undefined)}>
      Only {described(errors)} <span aria-hidden="true">×</span>
      <span class="unseen">, show all again</span>
    </button>
  );
}
