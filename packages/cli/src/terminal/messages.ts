// Messages of commands on standard error beside their results: notes, warnings, and on a terminal one line that
// changes.
import { cellWidth } from "@stemma/core";
import { shownText } from "./shown-text.js";

let quiet = false;
let statusIsShown = false;

/** From now on only errors and warnings are said. */
export function setQuiet(): void {
  quiet = true;
}

/**
 * Whether a line that changes can be shown: not in a file or a pipe, nor on a terminal that cannot go back to the start
 * of a line.
 */
export function canShowStatus(): boolean {
  return !quiet && process.stderr.isTTY === true && process.env.TERM !== "dumb";
}

/**
 * Shows how far the work is, in the place of what was shown before; shortened to the width of the terminal, since it
 * must not wrap.
 */
export function showStatus(text: string): void {
  if (!canShowStatus()) return;
  process.stderr.write(`\r\x1b[K${shortened(text, (process.stderr.columns || 80) - 1)}`);
  statusIsShown = true;
}

/** Takes the line that changes away. */
export function clearStatus(): void {
  if (statusIsShown) process.stderr.write("\r\x1b[K");
  statusIsShown = false;
}

/** Says something that is good to know, unless the command is to be quiet. */
export function note(text: string): void {
  if (!quiet) warn(text);
}

/** Says something that must be known. */
export function warn(text: string): void {
  clearStatus();
  process.stderr.write(`${process.stderr.isTTY ? shownText(text) : text}\n`);
}

function shortened(text: string, columns: number): string {
  if (cellWidth(text) <= columns) return text;
  const characters = [...text];
  while (characters.length > 0 && cellWidth(characters.join("")) >= columns) characters.pop();
  return `${characters.join("")}…`;
}

/** A time as people say it. */
export function duration(seconds: number): string {
  if (seconds < 100) return `${seconds.toFixed(0)} s`;
  if (seconds < 6000) return `${(seconds / 60).toFixed(0)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
