import { check, checkOptions, type Expectation, STRING, WHOLE_NUMBER, wholeNumber } from "../../checks/options.js";
import { checkColumns } from "./columns.js";
import { checkAllGraphs, checkEnhancedRelations, checkGraph, type Graphs } from "./enhanced.js";
import { readRows } from "./format.js";
import { checkMetadata, type Metadata } from "./metadata.js";
import { checkRelations } from "./relations.js";
import { FEATS, type Rows } from "./rows/rows.js";
import { checkTree } from "./tree-shape.js";
import { page, type Report, RULE_LEVELS, type ValidationLevel, type Violation } from "./violation.js";

/** Options of `Validator` and `validate`. */
export interface ValidationOptions {
  /** The highest level to check, 3 by default. */
  level?: ValidationLevel | undefined;
}

export const VALIDATION_OPTIONS: Readonly<Record<keyof ValidationOptions, Expectation>> = { level: wholeNumber(1, 3) };

/**
 * Validates the sentences of a treebank one after the other; what holds between sentences (names that are used once,
 * DEPS that all have or none) is checked as well. Memory grows by the names of the sentences.
 *
 * @example
 * ```ts
 * import { Validator } from "@stemma/core/treebank";
 *
 * const validator = new Validator({ level: 2 });
 * const conllu = "# sent_id = 1\n# text = Stop!\n1\tStop\tstop\tVERB\t_\t_\t0\troot\t_\t_\n\n";
 * for (const { line, rule, message } of validator.check(conllu)) console.log(line, rule, message);
 * ```
 */
export class Validator {
  private readonly level: ValidationLevel;
  private readonly metadata: Metadata = {
    sentenceIds: new Set(),
    parallelIds: new Set(),
    versions: new Map(),
    isOpen: false,
  };
  private readonly graphs: Graphs = {
    withGraph: 0,
    withoutGraph: 0,
    orphan: 0,
    emptyNode: 0,
    last: 0,
    isEnhanced: false,
  };
  private hasFeatures = false;
  private hasReturns = false;
  /** The violations if the treebank has features, which none of the sentences so far does. */
  private pending: Violation[] = [];

  /** @param options how much is checked */
  constructor(options: ValidationOptions = {}) {
    checkOptions("a validator", options, VALIDATION_OPTIONS);
    this.level = options.level ?? 3;
  }

  /**
   * The problems of the lines of one sentence, with the empty line after it; `line` is the number of the first.
   * @param text the text
   * @param line the number of its first line
   */
  check(text: string, line = 1): Violation[] {
    check("text", text, STRING);
    check("line", line, WHOLE_NUMBER);
    const found: Violation[] = [];
    const report = reporter(found);
    let lines = text;
    if (lines.includes("\r")) {
      const at = lines.indexOf("\r");
      if (!this.hasReturns) {
        const what = lines[at + 1] === "\n" ? "Lines end in CR LF" : "The line has a carriage return within";
        report(
          "non-unix-newline",
          { line: line + lines.slice(0, at).split("\n").length - 1 },
          `${what} (expected LF).`,
        );
      }
      this.hasReturns = true;
      lines = lines.replaceAll("\r\n", "\n");
    }
    const rows = readRows(lines, line, report);
    if (rows !== undefined && this.level >= 2) this.checkRows(rows, found, report);
    return found.length < 2 ? found : found.sort((a, b) => a.line - b.line || a.column - b.column);
  }

  /** The problems of the treebank as a whole, after its last sentence. */
  end(): Violation[] {
    const found: Violation[] = [];
    if (this.level >= 3) checkAllGraphs(this.graphs, reporter(found));
    return found;
  }

  private checkRows(rows: Rows, found: Violation[], report: Report): void {
    checkMetadata(rows, this.metadata, report);
    if (!this.hasFeatures && rows.rows.some((row) => row.kind !== "token" && !row.isBlank(FEATS))) {
      this.hasFeatures = true;
      found.push(...this.pending);
      this.pending = [];
    }
    for (const row of rows.rows) checkColumns(row, report);
    if (rows.words.length === 0) return;
    const odd = checkGraph(rows, this.graphs, report);
    const heads = checkTree(rows.words, report);
    if (heads === undefined || this.level < 3) return;
    checkRelations(rows.words, heads, report, this.hasFeatures ? report : reporter(this.pending));
    checkEnhancedRelations(odd, this.graphs, report);
  }
}

const FORMAT = page("format.html");

function reporter(found: Violation[]): Report {
  return (rule, { line, column = 0, word = 0, link = FORMAT, severity }, message) => {
    found.push({
      rule,
      level: RULE_LEVELS.get(rule)!,
      severity: severity ?? "error",
      line,
      column,
      word,
      message,
      link,
    });
  };
}
