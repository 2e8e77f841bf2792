import { fieldsLine, type SentenceColumns } from "../sentence/columns.js";
import { commentValue, oneLine } from "../sentence/comments.js";
import { withPredicate } from "../sentence/semantics/predicate-data.js";
import type { Token } from "../sentence/token.js";
import { withRange } from "../sentence/token-misc.js";

/** Options of `toConllu`. */
export interface ConlluOptions {
  /** The text after `# sent_id = `. */
  id?: string | number | undefined;
  /** Add the offsets of each token in the text: TokenRange=0:5 in MISC. */
  offsets?: boolean | undefined;
}

/** The sentence in CoNLL-U, with the blank line after it. `tokens` are given if their offsets are to be written. */
export function writeConllu(columns: SentenceColumns, id?: string | number, tokens?: readonly Token[]): string {
  const { form, lemma, upos, xpos, feats, deprel, deps, misc } = columns.layout;
  const value = (i: number, index: number) => (index < 0 || index >= columns.columns ? "_" : columns.column(i, index));
  const nodes = columns.emptyNodes();
  const ranges = columns.multiWordTokens();
  let out = id === undefined ? "" : `# sent_id = ${id}\n`;
  for (const comment of columns.comments()) {
    if (id === undefined || commentValue([comment], "sent_id") === undefined) out += `${comment}\n`;
  }
  // Other formats have predicates in columns of their own.
  const predicates = misc >= 0 ? [] : (columns.predicates?.() ?? []);
  let [nextNode, nextRange, nextToken, inside] = [0, 0, 0, 0];
  const nodesAfter = (i: number) => {
    for (; nextNode < nodes.length && Number.parseInt(nodes[nextNode]!.id, 10) === i; nextNode++) {
      out += fieldsLine(nodes[nextNode]!.id, nodes[nextNode]!);
    }
  };
  nodesAfter(0);
  for (let i = 1; i <= columns.length; i++) {
    const token = tokens?.[nextToken]?.from === i ? tokens[nextToken++] : undefined;
    const range = ranges[nextRange]?.from === i ? ranges[nextRange++] : undefined;
    if (range) {
      const own = token ? withRange(range.misc, token) : range.misc;
      out += fieldsLine(`${i}-${range.to}`, { ...range, form: oneLine(range.form), misc: own });
      inside = range.to;
    }
    const predicate = predicates.find(({ word }) => word === i);
    const roles = predicate ? withPredicate(value(i, misc), predicate) : value(i, misc);
    const own = token && i > inside ? withRange(roles, token) : roles;
    const head = columns.head(i) < 0 ? "_" : columns.head(i);
    const tags = `${oneLine(value(i, lemma))}\t${value(i, upos)}\t${value(i, xpos)}\t${value(i, feats)}`;
    out += `${i}\t${oneLine(value(i, form))}\t${tags}\t${head}\t${value(i, deprel)}\t${value(i, deps)}\t${own}\n`;
    if (nextNode < nodes.length) nodesAfter(i);
  }
  return `${out}\n`;
}
