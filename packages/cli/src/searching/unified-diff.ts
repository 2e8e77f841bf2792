import { shownText } from "../terminal/shown-text.js";

/** Lines before and after a change that are shown with it. */
const CONTEXT = 3;
/** Longest stretch that is compared line by line; a longer one is shown as removed and added. */
const LONGEST = 2000;

type Line = readonly [sign: " " | "-" | "+", text: string];

/**
 * The changes from one text to another as hunks of a unified diff. The texts begin at those lines of their files;
 * `before` is what both have before them, for context.
 */
export function hunks(
  old: string,
  edited: string,
  place: { oldLine: number; newLine: number; before?: readonly string[] },
  color = false,
): string {
  const lead = (place.before ?? []).slice(-CONTEXT);
  const lines: Line[] = [...lead.map((text): Line => [" ", text]), ...changes(linesOf(old), linesOf(edited))];
  let oldLine = place.oldLine - lead.length;
  let newLine = place.newLine - lead.length;
  let text = "";
  for (let at = 0; at < lines.length; ) {
    if (lines[at]![0] === " ") {
      oldLine++;
      newLine++;
      at++;
      continue;
    }
    const end = endOfHunk(lines, at);
    const after = Math.min(CONTEXT, lines.length - end);
    // As many lines before as after, or `patch` takes the hunk for one at the end of the file.
    const start = Math.max(0, at - Math.max(after, 1));
    const part = lines.slice(start, end + after);
    const count = (sign: "-" | "+") => part.filter(([other]) => other === " " || other === sign).length;
    const header = `@@ -${oldLine - (at - start)},${count("-")} +${newLine - (at - start)},${count("+")} @@`;
    text += `${paint(header, 36, color)}\n`;
    for (const [sign, data] of part) {
      const line = color ? shownText(data) : data;
      text += `${sign === " " ? ` ${line}` : paint(sign + line, sign === "-" ? 31 : 32, color)}\n`;
    }
    for (; at < end + after; at++) {
      if (lines[at]![0] !== "+") oldLine++;
      if (lines[at]![0] !== "-") newLine++;
    }
  }
  return text;
}

/** Changes that are close to each other are one hunk. */
function endOfHunk(lines: readonly Line[], from: number): number {
  let end = from;
  for (let k = from; k < lines.length && k <= end + 2 * CONTEXT; k++) if (lines[k]![0] !== " ") end = k + 1;
  return end;
}

function paint(text: string, code: number, color: boolean): string {
  return color ? `\x1b[${code}m${text}\x1b[0m` : text;
}

/** The lines of a text that ends with a line end. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines[lines.length - 1] === "") lines.pop();
  return lines;
}

/** All lines, in order: kept, removed or added, with as many kept as possible. */
function changes(old: readonly string[], edited: readonly string[]): Line[] {
  let start = 0;
  while (start < old.length && start < edited.length && old[start] === edited[start]) start++;
  let end = 0;
  const shorter = Math.min(old.length, edited.length) - start;
  while (end < shorter && old[old.length - 1 - end] === edited[edited.length - 1 - end]) end++;
  const middle = difference(old.slice(start, old.length - end), edited.slice(start, edited.length - end));
  const kept = (text: string): Line => [" ", text];
  return [...old.slice(0, start).map(kept), ...middle, ...old.slice(old.length - end).map(kept)];
}

/** By the longest common subsequence. */
function difference(a: readonly string[], b: readonly string[]): Line[] {
  const removed = (text: string): Line => ["-", text];
  const added = (text: string): Line => ["+", text];
  if (a.length > LONGEST || b.length > LONGEST) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push([" ", a[i++]!]);
      j++;
    } else if (i < a.length && (j === b.length || common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      lines.push(removed(a[i++]!));
    } else lines.push(added(b[j++]!));
  }
  return lines;
}
