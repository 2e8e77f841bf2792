import { readTreebank, type Sentence } from "@stemma/core";
import type { Marks } from "../../protocol/treebank.js";

/**
 * A sentence with what a person wrote to it as comments: `# note = …`, line ends as " / ", and `# done = yes`. Of
 * several sentences the first has them.
 */
export function withMarks(text: string, { note, done }: Marks): string {
  const line = note
    ?.trim()
    .replace(/\s*[\r\n]+\s*/g, " / ")
    .replaceAll("\t", " ");
  const marks = [
    ["note", line],
    ["done", done === undefined ? undefined : done ? "yes" : ""],
  ] as const;
  const sentences = readable(text);
  const [first] = sentences ?? [];
  for (const [name, value] of marks) {
    if (value === undefined) continue;
    if (first) first.setComment(name, value || undefined);
    else text = withComment(text, name, value);
  }
  return first ? sentences!.map(String).join("") : text;
}

function readable(text: string): Sentence[] | undefined {
  try {
    return readTreebank(text, { allowNonTrees: true });
  } catch {
    return undefined;
  }
}

/** A sentence that cannot be read gets its comments all the same; an empty one is none. */
function withComment(text: string, name: string, value: string): string {
  const rest = text.replace(new RegExp(`^# ${name} = .*\r?\n`, "m"), "");
  return value === "" ? rest : `# ${name} = ${value}\n${rest}`;
}
