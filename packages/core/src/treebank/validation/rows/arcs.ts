// DEPS: how the arcs of the enhanced graph are written.

import { type Relation, relationOf } from "./relation-names.js";

/** An arc of DEPS. */
export interface EnhancedArc {
  readonly head: string;
  readonly label: string;
}

export function arcsOf(deps: string): EnhancedArc[] {
  if (deps === "_") return [];
  return deps.split("|").map((arc) => {
    const colon = arc.indexOf(":");
    return colon < 0 ? { head: arc, label: "" } : { head: arc.slice(0, colon), label: arc.slice(colon + 1) };
  });
}

const [ZERO, NINE, COLON, BAR] = [48, 57, 58, 124];

/** Goes over the arcs in a part of a text, one after the other, without cutting anything out. */
export class ArcReader {
  private text = "";
  private start = 0;
  private colon = 0;
  private end = 0;
  private last = 0;
  /** The head, if it is written like a word or 0, else -1. */
  word = 0;
  /** Undefined where there is no label. */
  relation: Relation | undefined;

  read(text: string, start: number, end: number): void {
    this.text = text;
    this.end = start - 1;
    this.last = end;
  }

  /** Goes to the next arc; false if there is none. */
  next(): boolean {
    const { text, last } = this;
    if (this.end >= last) return false;
    const start = this.end + 1;
    let word = 0;
    let k = start;
    let code = 0;
    for (; k < last; k++) {
      code = text.charCodeAt(k);
      if (code < ZERO || code > NINE) break;
      word = 10 * word + code - ZERO;
    }
    if (code !== COLON || k === start || (k > start + 1 && text.charCodeAt(start) === ZERO)) word = -1;
    while (k < last && code !== COLON && code !== BAR) code = text.charCodeAt(++k);
    const colon = k;
    while (k < last && code !== BAR) code = text.charCodeAt(++k);
    this.start = start;
    this.colon = colon;
    this.end = k;
    this.word = word;
    this.relation = k > colon + 1 ? relationOf(text, colon + 1, k) : undefined;
    return true;
  }

  /** The head as it is written. */
  get head(): string {
    return this.text.slice(this.start, this.colon);
  }
}
