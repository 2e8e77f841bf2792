/**
 * The format of a text: running text, CoNLL-U, CoNLL-2009, or CoNLL-U whose tabs became spaces on the way, as when it
 * is copied from a page.
 */
export type InputFormat = "text" | "conllu" | "conll09" | "spaced";

const COLUMNS = 10;
/** A line of CoNLL-2009 has 12 columns at least; HEAD and PHEAD are the ninth and tenth. */
const CONLL09_WORD = /^\d+\t(?:[^\t\n]+\t){7}(?:\d+|_)\t(?:\d+|_)\t[^\t\n]+\t[^\t\n]/;
/** ID, then six columns, then HEAD. */
const WORD = /^\d+(?:[-.]\d+)?[ \t]+(?:\S+[ \t]+){5}(?:\d+|_)(?:[ \t]|$)/;

export function formatOf(text: string): InputFormat {
  // A line that starts like a word of CoNLL-U: a number and a tab.
  const first = /^\d+(?:[-.]\d+)?\t.*/m.exec(text);
  if (first) return CONLL09_WORD.test(first[0]) ? "conll09" : "conllu";
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return lines.length > 0 && lines.every((line) => WORD.test(line.trim())) ? "spaced" : "text";
}

/** Puts the tabs back. Lines that do not have ten columns stay as they are, for the reader to name them. */
export function withTabs(text: string): string {
  return text
    .split("\n")
    .map((line) => {
      if (line.startsWith("#")) return line;
      const columns = line.trim().split(/[ \t]+/);
      return columns.length === COLUMNS || columns.length === COLUMNS - 1 ? columns.join("\t") : line.trim();
    })
    .join("\n");
}
