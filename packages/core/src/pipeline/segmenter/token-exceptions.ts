// Tokens that a user knows and the model does not: names of products, part numbers, contractions.
import { check, checkOptions, type Expectation } from "../../checks/options.js";
import { OBJECT } from "../../checks/shapes.js";
import { inPlainTypography } from "../typography/plain-typography.js";

/** Tokens that are found as they are written, whatever the model would make of them. */
export interface TokenExceptions {
  /**
   * Tokens by their text: `{ "C++": true, dunno: ["du", "n", "no"] }`. The words of a token are given where it stands
   * for several; `true` means that it is one word. Where a letter or digit is at its edge, none stands beside it.
   */
  tokens?: Readonly<Record<string, true | readonly string[]>> | undefined;
  /** Whatever matches is one token: `[/[A-Z]{2}-\d+/]`. White space parts tokens all the same. */
  tokenPatterns?: readonly RegExp[] | undefined;
}

const WORDS: Expectation = {
  expected: "true, or an array of two or more words",
  accepts: (value) =>
    value === true ||
    (Array.isArray(value) && value.length > 1 && value.every((word) => typeof word === "string" && isToken(word))),
};
const TOKEN: Expectation = { expected: "text without white space", accepts: (value) => isToken(value as string) };

/** The options, for `checkOptions`. */
export const TOKEN_EXCEPTIONS: Readonly<Record<keyof TokenExceptions, Expectation>> = {
  tokens: OBJECT,
  tokenPatterns: {
    expected: "an array of regular expressions",
    accepts: (value) =>
      Array.isArray(value) && value.every((one) => Object.prototype.toString.call(one) === "[object RegExp]"),
  },
};

function isToken(text: string): boolean {
  return text !== "" && !/\s/.test(text);
}

/** Throws a TypeError that names what is wrong. */
export function checkTokenExceptions(exceptions: TokenExceptions): void {
  checkOptions("the tokenizer", exceptions, TOKEN_EXCEPTIONS);
  for (const [token, words] of Object.entries(exceptions.tokens ?? {})) {
    check("token", token, TOKEN);
    check(`words of the token ${token}`, words, WORDS);
  }
}

/** Finds the tokens in a text in plain typography. */
export function exceptionPatterns({ tokens = {}, tokenPatterns = [] }: TokenExceptions): RegExp[] {
  // The longest first, so that "C++17" is not "C++".
  const forms = Object.keys(tokens).map(inPlainTypography);
  forms.sort((a, b) => b.length - a.length);
  const exact = forms.map((form) => {
    const before = /^[\p{L}\p{N}]/u.test(form) ? "(?<![\\p{L}\\p{N}])" : "";
    const after = /[\p{L}\p{N}]$/u.test(form) ? "(?![\\p{L}\\p{N}])" : "";
    return before + form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") + after;
  });
  return [
    ...(exact.length > 0 ? [new RegExp(exact.join("|"), "gu")] : []),
    ...tokenPatterns.map(({ source, flags }) => new RegExp(source, `${flags.replace(/[gy]/g, "")}g`)),
  ];
}
