import type { Words } from "../../features/columns.js";
import { FIRST_ROW, type InputKind, InputTable, inputKeys, isBag, MOST_KEYS } from "../../scoring/network/inputs.js";

/** Sentences as a network learns from them: numbers only, so that threads can share them. */
export interface NetworkExamples {
  /** Where the nodes of each sentence begin (node 0 is the first), and the end of the last. */
  readonly begins: Int32Array;
  /** Of each node; NONE for node 0. */
  readonly heads: Int32Array;
  readonly labels: Int32Array;
  /** Where words may be left out of trees: why each is to be, 0 if it is not. */
  readonly leftOut?: Int32Array | undefined;
  /** The rows of node x in table k are rows[from[x × tables + k]] … rows[from[x × tables + k + 1] - 1]. */
  readonly from: Int32Array;
  readonly rows: Int32Array;
}

interface Example {
  readonly words: Words;
  readonly heads: ArrayLike<number>;
  readonly labels: Int32Array;
  readonly leftOut?: Uint8Array | undefined;
}

/** Keys that occur less often than this in the training data have no embedding. */
const LEAST_COUNT: Record<InputKind, number> = {
  word: 2,
  lemma: 2,
  upos: 1,
  xpos: 2,
  feats: 2,
  affixes: 3,
  vector: 1,
  contextual: 1,
};

/** Kinds of which there are as many keys as there is data. */
const OPEN_KINDS: readonly InputKind[] = ["word", "lemma", "affixes"];

/**
 * The table of a kind for the training data, and how often each row occurs. Of the words, lemmas and affixes only the
 * `most` frequent have rows.
 */
export function tableFor(
  kind: InputKind,
  sentences: Iterable<Words>,
  most = Number.POSITIVE_INFINITY,
): { table: InputTable; counts: Int32Array } {
  const counts = new Map<number, number>();
  const keys = new Int32Array(MOST_KEYS);
  for (const words of sentences) {
    for (let i = 1; i <= words.length; i++) {
      const count = inputKeys(kind, words, i, keys);
      for (let k = 0; k < count; k++) counts.set(keys[k]!, (counts.get(keys[k]!) ?? 0) + 1);
    }
  }
  const least = LEAST_COUNT[kind];
  let frequent = [...counts].filter(([, count]) => count >= least);
  if (frequent.length > most && OPEN_KINDS.includes(kind)) {
    frequent = frequent.sort(([a, m], [b, n]) => n - m || (a >>> 0) - (b >>> 0)).slice(0, most);
  }
  const kept = Uint32Array.from(frequent.map(([key]) => key >>> 0)).sort();
  const table = new InputTable(kind, kept);
  const byRow = new Int32Array(table.size);
  kept.forEach((key, k) => {
    byRow[FIRST_ROW + k] = counts.get(key | 0)!;
  });
  return { table, counts: byRow };
}

/** Sentences as numbers; `shared` puts them where threads can share them. */
export function packExamples(
  examples: readonly Example[],
  tables: readonly InputTable[],
  shared: boolean,
): NetworkExamples {
  const array = arraysIn(shared);
  const nodes = examples.reduce((sum, { words }) => sum + words.length + 1, 0);
  const begins = array(examples.length + 1);
  const heads = array(nodes);
  const labels = array(nodes);
  const leftOut = examples.some((example) => example.leftOut) ? array(nodes) : undefined;
  const from = array(nodes * tables.length + 1);
  const rows: number[] = [];
  const found = new Int32Array(MOST_KEYS);
  let node = 0;
  examples.forEach(({ words, heads: h, labels: l, leftOut: r }, s) => {
    begins[s] = node;
    heads.set(h, node);
    labels.set(l, node);
    if (r) leftOut!.set(r, node);
    for (let i = 0; i <= words.length; i++, node++) {
      tables.forEach((table, k) => {
        from[node * tables.length + k] = rows.length;
        const count = table.rowsOf(words, i, found);
        for (let j = 0; j < count; j++) rows.push(found[j]!);
      });
    }
  });
  begins[examples.length] = node;
  from[nodes * tables.length] = rows.length;
  const packed = array(rows.length);
  packed.set(rows);
  return { begins, heads, labels, ...(leftOut ? { leftOut } : {}), from, rows: packed };
}

/** Makes arrays of numbers, where threads can share them if need be. */
export function arraysIn(shared: boolean): (length: number) => Int32Array {
  return (length) =>
    new Int32Array(shared ? (new SharedArrayBuffer(4 * length) as never) : new ArrayBuffer(4 * length));
}

/** Tables whose rows are hidden now and then, so that words that were never seen are not new to the network. */
export function canHide(kind: InputKind): boolean {
  return !isBag(kind) && (kind === "word" || kind === "lemma");
}
