import { checkOptions, FUNCTION } from "../checks/options.js";
import { PARSER_OPTIONS, type ParserOptions } from "../parser/tree-parser.js";
import type { GivenWord } from "./given-word.js";
import { TOKEN_EXCEPTIONS, type TokenExceptions } from "./segmenter/token-exceptions.js";

/** Options of `load` and `Pipeline`: how the parser searches, and what is known better than the model knows it. */
export interface PipelineOptions extends ParserOptions, TokenExceptions {
  /**
   * Called with the words of each sentence of a text when they have tags and lemmas and before they are parsed. What it
   * changes, and heads and labels that it sets, is kept, and the rest is found again to agree with it.
   */
  afterTagging?: ((words: GivenWord[]) => void) | undefined;
}

/** The options, for `checkOptions`. */
export const PIPELINE_OPTIONS = { ...PARSER_OPTIONS, ...TOKEN_EXCEPTIONS, afterTagging: FUNCTION };

export function checkPipelineOptions(options: unknown): void {
  checkOptions("the parser", options ?? null, PIPELINE_OPTIONS);
}
