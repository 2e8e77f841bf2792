// Numbers on the command line, each with what is expected.
import { InvalidArgumentError } from "commander";

type NumberOption = (text: string) => number;

const number =
  (accepts: (n: number) => boolean, expected: string): NumberOption =>
  (text) => {
    const n = Number(text);
    if (text.trim() !== "" && Number.isFinite(n) && accepts(n)) return n;
    throw new InvalidArgumentError(`expected ${expected}`);
  };

export const nonNegative = number((n) => n >= 0, "0 or more");

/** A whole number from 1, such as that of a sentence. */
export const positive = number((n) => Number.isSafeInteger(n) && n > 0, "a whole number above 0");

/** A whole number between two others. */
export function between(least: number, most: number): NumberOption {
  const accepts = number((n) => n >= least && n <= most, `a whole number from ${least} to ${most}`);
  return (text) => accepts(/^\d+$/.test(text) ? text : "");
}
