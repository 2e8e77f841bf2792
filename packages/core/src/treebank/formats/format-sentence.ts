import { check, oneOf } from "../../checks/options.js";
import { MAP, SENTENCE } from "../../checks/shapes.js";
import { predicateIn, withPredicate } from "../sentence/semantics/predicate-data.js";
import type { Sentence } from "../sentence/sentence.js";
import { FILLPRED, predicateColumns } from "./conll09-predicates.js";
import { toJson } from "./json.js";
import { CONLLU, columnName } from "./layout.js";
import { FORMATS, type Format } from "./reader.js";

const FORMAT = oneOf(...FORMATS);

/**
 * The sentence in a format, including its end. In the format it was read from, unchanged columns keep their bytes.
 * @param sentence the sentence
 * @param format the format of the result
 */
export function formatSentence(sentence: Sentence, format: Format): string {
  check("sentence", sentence, SENTENCE);
  check("format", format, FORMAT);
  if (format === "json") return toJson(sentence);
  return format === sentence.layout.name ? sentence.toString() : REWRITE[format](sentence);
}

const REWRITE: Readonly<Record<Exclude<Format, "json">, (sentence: Sentence) => string>> = {
  conllu: (sentence) => sentence.toConllu(),
  conllx: toConllx,
  conll09: toConll09,
};

// Comes from a format without DEPS and MISC, or goes to one: what PHEAD and PDEPREL are is not known.
function toConllx(s: Sentence): string {
  let text = "";
  for (let i = 1; i <= s.length; i++) {
    const columns = [i, s.form(i), s.lemma(i), s.upos(i), s.xpos(i), s.feats(i), head(s, i), s.deprel(i), "_", "_"];
    text += `${columns.join("\t")}\n`;
  }
  return `${text}\n`;
}

// Nothing was predicted, so the P columns are empty; POS is the finer tag where there is one.
function toConll09(s: Sentence): string {
  let text = "";
  const predicates = s.predicates.map((predicate) => predicate.toJSON());
  const rows = predicateColumns(s.length, predicates);
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
      ...rows[i]!,
    ];
    text += `${columns.join("\t")}\n`;
  }
  return `${text}\n`;
}

function head(s: Sentence, i: number): string {
  return s.head(i) < 0 ? "_" : String(s.head(i));
}

/** Counts, by name, what formatSentence leaves out because the format cannot represent it. */
export function countLosses(sentence: Sentence, format: Format, losses: Map<string, number>): void {
  check("sentence", sentence, SENTENCE);
  check("format", format, FORMAT);
  check("losses", losses, MAP);
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
    add("multiword tokens", sentence.multiWordTokens.length);
    add("empty nodes", sentence.emptyNodes.length);
    add("DEPS values", values(from.deps));
    let misc = 0;
    for (let i = 1; i <= sentence.length; i++) {
      const own = format === "conll09" ? predicateIn(sentence.misc(i), i, sentence.length) : undefined;
      if ((own ? withPredicate(sentence.misc(i), undefined) : sentence.misc(i)) !== "_") misc++;
    }
    add("MISC values", misc);
  }
  if (format === "conll09") {
    let coarse = 0;
    for (let i = 1; i <= sentence.length; i++) {
      const upos = sentence.upos(i);
      const xpos = sentence.xpos(i);
      if (upos !== "_" && xpos !== "_" && upos !== xpos) coarse++;
    }
    add(`${columnName(from, from.upos)} values`, coarse);
  }
  if (from !== CONLLU) {
    const written = [0, from.form, from.lemma, from.upos, from.xpos, from.feats, from.head, from.deprel];
    const kept = format === "conllx" ? 0 : 2 + sentence.predicates.length;
    for (let index = 0; index < sentence.columns; index++) {
      const isPredicate = index >= FILLPRED && index < FILLPRED + kept;
      if (!written.includes(index) && !isPredicate) add(`${from.columns[index] ?? "APRED"} values`, values(index));
    }
  }
}
