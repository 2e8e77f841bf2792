/** An error in a pattern, with its place: the message shows the line of the pattern with a caret under it. */
export class PatternError extends Error {
  /** Where in the text of the pattern, in UTF-16 units from 0; -1 if the pattern was not text. */
  readonly offset: number;
  /** The problem, without its place. */
  readonly problem: string;

  /**
   * @param problem what is wrong, in words
   * @param source the text of the pattern
   * @param offset where in it, in UTF-16 units from 0
   */
  constructor(problem: string, source = "", offset = -1) {
    super(`invalid pattern: ${problem}${offset < 0 ? "" : excerpt(source, offset)}`);
    this.name = "PatternError";
    this.problem = problem;
    this.offset = offset;
  }
}

function excerpt(source: string, offset: number): string {
  const start = source.lastIndexOf("\n", offset - 1) + 1;
  const newline = source.indexOf("\n", offset);
  const line = source.slice(start, newline < 0 ? source.length : newline);
  // Tabs stay tabs under tabs, so that the caret is where the eye expects it.
  const space = [...source.slice(start, offset)].map((character) => (character === "\t" ? "\t" : " ")).join("");
  return `\n  ${line}\n  ${space}^`;
}
