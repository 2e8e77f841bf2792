import { toJson } from "./json.js";
import { CONLL09, CONLLU, CONLLX } from "./layout.js";
import type { Format } from "./reader.js";
import type { Sentence } from "./sentence.js";

/** The sentence in a format, with what ends it. In the format it was read from, unchanged columns keep their bytes. */
export function formatSentence(sentence: Sentence, format: Format): string {
  if (format === "json") return toJson(sentence);
  return format === sentence.layout.name ? sentence.toString() : REWRITE[format](sentence);
}

const REWRITE: Readonly<Record<Exclude<Format, "json">, (sentence: Sentence) => string>> = {
  conllu: toConllu,
  conllx: toConllx,
  conll09: toConll09,
};

function toConllu(s: Sentence): string {
  let text = s.comments.map((comment) => `${comment}\n`).join("");
  for (let i = 1; i <= s.length; i++) text += `${common(s, i)}\t_\t_\n`;
  return `${text}\n`;
}

function toConllx(s: Sentence): string {
  let text = "";
  for (let i = 1; i <= s.length; i++) text += `${common(s, i)}\t_\t_\n`;
  return `${text}\n`;
}

// The columns ID to DEPREL, which CoNLL-U and CoNLL-X share.
function common(s: Sentence, i: number): string {
  const columns = [i, s.form(i), s.lemma(i), s.upos(i), s.xpos(i), s.feats(i), head(s, i), s.deprel(i)];
  return columns.join("\t");
}

// Nothing was predicted, so the P columns are empty; POS is the finer tag where there is one.
function toConll09(s: Sentence): string {
  let text = "";
  for (let i = 1; i <= s.length; i++) {
    const pos = s.xpos(i) === "_" ? s.upos(i) : s.xpos(i);
    const columns = [
      i,
      s.form(i),
      s.lemma(i),
      "_",
      pos,
      "_",
      s.feats(i),
      "_",
      head(s, i),
      "_",
      s.deprel(i),
      "_",
      "_",
      "_",
    ];
    text += `${columns.join("\t")}\n`;
  }
  return `${text}\n`;
}

function head(s: Sentence, i: number): string {
  return s.heads[i]! < 0 ? "_" : String(s.heads[i]);
}

/** What formatSentence leaves out because the format has no place for it, counted by its name. */
export function countLosses(sentence: Sentence, format: Format, losses: Map<string, number>): void {
  const from = sentence.layout;
  const add = (name: string, count: number) => {
    if (count > 0) losses.set(name, (losses.get(name) ?? 0) + count);
  };
  const values = (column: number) => {
    let count = 0;
    for (let i = 1; i <= sentence.length; i++) if (sentence.column(i, column) !== "_") count++;
    return count;
  };
  if (format === from.name) return;
  if (format === "conllx" || format === "conll09") add("comments", sentence.comments.length);
  if (from === CONLLU && format !== "json") {
    add("multi-word tokens", sentence.multiWordTokens.length);
    add("empty nodes", sentence.emptyNodes.length);
    add("DEPS values", values(CONLLU.deps));
    add("MISC values", values(CONLLU.misc));
  }
  if (format === "conll09" && from !== CONLL09) {
    let both = 0;
    for (let i = 1; i <= sentence.length; i++) {
      const [upos, xpos] = [sentence.upos(i), sentence.xpos(i)];
      if (upos !== "_" && xpos !== "_" && upos !== xpos) both++;
    }
    add(`${columnNameOfUpos(from.name)} values`, both);
  }
  const unread: Set<number> = new Set([
    from.form,
    from.lemma,
    from.upos,
    from.xpos,
    from.feats,
    from.head,
    from.deprel,
  ]);
  if (from !== CONLLU) {
    for (let column = 1; column < sentence.columns; column++) {
      if (!unread.has(column)) add(`${from.columns[column] ?? "APRED"} values`, values(column));
    }
  }
}

function columnNameOfUpos(name: string): string {
  return name === CONLLX.name ? "CPOSTAG" : "UPOS";
}
