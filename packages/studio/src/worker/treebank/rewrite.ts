import { EDIT_ACTIONS, type EditAction, editAction, TreeEditor } from "@stemma/core/search";
import { TreebankError } from "@stemma/core/treebank";
import type { Requests } from "../../protocol/requests.js";
import type { Rewritten } from "../../protocol/treebank.js";
import { type Task, watched } from "../tasks/task.js";
import type { TreebankFile } from "./treebank-file.js";

/** Every sentence that an edit changes, as it is by now and as it would be; nothing is changed here. */
export async function rewrite(
  { pattern, actions }: Requests["rewrite"]["ask"],
  treebank: TreebankFile,
  task: Task,
): Promise<Rewritten | undefined> {
  const editor = new TreeEditor(pattern, actionsOf(actions));
  const watch = watched(task);
  const result: Rewritten = { matches: 0, sentences: 0, changed: [], refused: [] };
  for await (const [index, sentences] of treebank.current(watch, () => true)) {
    result.sentences++;
    const before = sentences.map(String).join("");
    try {
      const edited = sentences.map((sentence) => editor.edit(sentence, treebank.name));
      result.matches += edited.reduce((sum, { matches }) => sum + matches, 0);
      const after = edited.map(({ sentence }) => sentence.toString()).join("");
      if (edited.some(({ isChanged }) => isChanged)) result.changed.push({ index, before, after });
    } catch (error) {
      if (!(error instanceof TreebankError)) throw error;
      result.refused.push({ index, reason: error.message });
    }
    if (!(await watch.tick(index / treebank.size))) return undefined;
  }
  return watch.isStopped ? undefined : result;
}

/** The actions of the lines of a text, each with its name first, as the options of `stemma edit` have it. */
function actionsOf(text: string): EditAction[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) throw new Error(`There is nothing to do: expected a line with ${EDIT_ACTIONS.join(", ")}.`);
  return lines.map((line) => {
    const [, name = "", value = ""] = /^\s*(?:--)?(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
    const known = EDIT_ACTIONS.find((one) => one === name);
    if (!known) throw new Error(`Unknown action ${name}: expected one of ${EDIT_ACTIONS.join(", ")}.`);
    return editAction(known, value);
  });
}
