/** An error in a treebank and its place. */
export interface TreebankProblem {
  /** The invalid item, in one or two words: "HEAD", "ID", "column count". */
  what: string;
  /** As it is there. */
  value: string;
  /** In words. */
  expected: string;
  /** 1-based line in the file. */
  line: number;
  /** 1-based column of the tab-separated line (HEAD is 7 in CoNLL-U), where one column is at fault. */
  column?: number | undefined;
}

/** An error in a treebank, with its place: `train.conllu:4021:7: invalid HEAD: 17 (expected 0 to 12)`. */
export class TreebankError extends Error implements TreebankProblem {
  /** The name of the file. */
  readonly source: string;
  /** The part that is wrong. */
  readonly what: string;
  /** As it is there. */
  readonly value: string;
  /** In words. */
  readonly expected: string;
  /** The number of the line, from 1. */
  readonly line: number;
  /** The number of the column, from 1, if it is known. */
  readonly column: number | undefined;

  /**
   * @param source the name of the file
   * @param problem its place, the value, and what was expected
   */
  constructor(source: string, problem: TreebankProblem) {
    const { what, value, expected, line, column } = problem;
    const place = column === undefined ? `${source}:${line}` : `${source}:${line}:${column}`;
    super(`${place}: invalid ${what}: ${printable(value)} (expected ${expected})`);
    this.name = "TreebankError";
    this.source = source;
    this.what = what;
    this.value = value;
    this.expected = expected;
    this.line = line;
    this.column = column;
  }
}

const LONGEST_VALUE = 60;

// A value can be a whole line of a binary file: cut it, and let no control character reach the terminal.
function printable(value: string): string {
  const cut = value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value;
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u.test(cut) ? cut : JSON.stringify(cut).replace(/[\x7f-\x9f]/g, "\ufffd");
}
