// The place of a token and the score of its head in MISC: TokenRange=0:5, Score=0.912, at the end, in this order.
import { check, checkRequired, checkTexts, number, STRING, TRUE_OR_FALSE } from "../../checks/options.js";
import { rangeOf } from "./token.js";

/** MISC with the range of a token, if there is one and it has none. */
export function withRange(
  misc: string,
  { start, end }: { start?: number | undefined; end?: number | undefined },
): string {
  if (!isOffset(start) || !isOffset(end) || rangeOf(misc)) return misc;
  const range = `TokenRange=${start}:${end}`;
  if (misc === "_") return range;
  const [score] = /(^|\|)Score=[^|]*$/.exec(misc) ?? [""];
  const others = misc.slice(0, misc.length - score.length);
  return `${others && `${others}|`}${range}${score && `|${score.replace("|", "")}`}`;
}

/** MISC with a score, if there is one and it has none. */
export function withScore(misc: string, score: number | undefined): string {
  check("MISC", misc, STRING);
  if (score !== undefined) check("score", score, number(0, 1));
  if (!isScore(score) || /(^|\|)Score=/.test(misc)) return misc;
  return misc === "_" ? `Score=${scoreText(score)}` : `${misc}|Score=${scoreText(score)}`;
}

/** MISC without a score. */
export function withoutScore(misc: string): string {
  check("MISC", misc, STRING);
  if (!misc.includes("Score=")) return misc;
  return (
    misc
      .split("|")
      .filter((item) => !item.startsWith("Score="))
      .join("|") || "_"
  );
}

/** The score that MISC has, 0 to 1; other programs may mean something else by it. */
export function scoreOf(misc: string): number | undefined {
  checkTexts({ misc });
  if (!misc.includes("Score=")) return undefined;
  const [, text] = /(?:^|\|)Score=([^|]+)(?:\||$)/.exec(misc) ?? [];
  const score = Number(text ?? Number.NaN);
  return isScore(score) ? score : undefined;
}

const MEASURES = { range: TRUE_OR_FALSE, score: TRUE_OR_FALSE };

/**
 * MISC without the range and the score that it ends with, for JSON, which has them as fields of their own; all of it if
 * withRange and withScore would not give it back.
 */
export function withoutMeasures(misc: string, measures: { range: boolean; score: boolean }): string {
  checkTexts({ misc });
  checkRequired("withoutMeasures", measures, MEASURES, ["range", "score"]);
  const { range, score } = measures;
  const foundScore = score ? scoreOf(misc) : undefined;
  const foundRange = range ? rangeOf(misc) : undefined;
  let bare = misc;
  if (foundScore !== undefined) bare = withoutEnd(bare, `Score=${scoreText(foundScore)}`);
  if (foundRange) bare = withoutEnd(bare, `TokenRange=${foundRange.start}:${foundRange.end}`);
  return withScore(withRange(bare, foundRange ?? {}), foundScore) === misc ? bare : misc;
}

function withoutEnd(misc: string, end: string): string {
  if (misc === end) return "_";
  return misc.endsWith(`|${end}`) ? misc.slice(0, -end.length - 1) : misc;
}

function scoreText(score: number): string {
  const short = score.toFixed(3);
  return Number(short) === score ? short : String(score);
}

/** Whether it says how sure something is. */
export function isScore(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}

/** Whether it is a place in a text. */
export function isOffset(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
