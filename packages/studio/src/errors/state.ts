import { panel } from "../treebank/panel.js";
import { search } from "../treebank/state.js";
import type { ErrorFilter } from "./filter.js";

/** Lists the sentences behind a figure of the evaluation. */
export function showErrors(errors: ErrorFilter | undefined): void {
  panel.value = "Sentences";
  void search({ errors });
}
