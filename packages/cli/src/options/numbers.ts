// Numbers on the command line, each with what is expected.
import { isPercentage, type LossBound } from "@stemma/core/training";
import { InvalidArgumentError } from "commander";

type NumberOption = (text: string) => number;

const number =
  (accepts: (n: number) => boolean, expected: string): NumberOption =>
  (text) => {
    const n = Number(text);
    if (text.trim() !== "" && Number.isFinite(n) && accepts(n)) return n;
    throw new InvalidArgumentError(`expected ${expected}`);
  };

export const positive = number((n) => Number.isInteger(n) && n > 0, "a whole number above 0");
export const whole = number(Number.isInteger, "a whole number");
export const wholeNonNegative = number((n) => Number.isInteger(n) && n >= 0, "a whole number, 0 or more");
export const nonNegative = number((n) => n >= 0, "0 or more");
export const aboveZero = number((n) => n > 0, "a number above 0");
export const probability = number((n) => n >= 0 && n <= 1, "a number from 0 to 1");
/** A probability that something happens which must not always happen. */
export const share = number((n) => n >= 0 && n < 1, "a number from 0 to below 1");
export const multipleOf8 = number((n) => Number.isInteger(n) && n > 0 && n % 8 === 0, "a multiple of 8 above 0");

/** A number above 0 that is not too large. */
export function aboveZeroTo(most: number): NumberOption {
  return number((n) => n > 0 && n <= most, `a number above 0, at most ${most}`);
}

/** A number of arcs, or a share of the words of a sentence. */
export function lossBound(text: string): LossBound {
  if (isPercentage(text)) return text as LossBound;
  const n = Number(text);
  if (/^\d+$/.test(text) && n > 0) return n;
  throw new InvalidArgumentError("expected a whole number above 0, or a percentage above 0% and up to 100%");
}

/** A whole number between two others. */
export function between(least: number, most: number): NumberOption {
  const accepts = number((n) => n >= least && n <= most, `a whole number from ${least} to ${most}`);
  return (text) => accepts(/^\d+$/.test(text) ? text : "");
}
