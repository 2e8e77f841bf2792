// A small treebank without a fault, and kinds of damage with the rule that each goes against. UD's own validator
// (udtools 0.2.9, `udvalidate --lang ud --level 3`) has nothing against the treebank; of each damage it reports the
// rule, under its name for it (some of ours stand for several: `leaf` for leaf-det, leaf-clf …): an
// error, or the warning where it is marked.

import type { Rule } from "../../src/treebank.js";

const rows = (...lines: string[]) =>
  lines.map((line) => `${line.replace(/ +/g, "\t").replaceAll("~", " ")}\n`).join("");

/** Three sentences with DEPS: an empty node, a multiword token, a broken word, a determiner, an oblique. */
export const WHOLE = [
  "# newdoc\n# sent_id = made-1\n# text = Old Ada buys two red books in town, and Ben pens.\n",
  rows(
    "1  Old   old  ADJ   _ Degree=Pos                  2 amod   2:amod             _",
    "2  Ada   Ada  PROPN _ Number=Sing                 3 nsubj  3:nsubj            _",
    "3  buys  buy  VERB  _ Mood=Ind|Tense=Pres|VerbForm=Fin 0 root 0:root          _",
    "4  two   two  NUM   _ NumType=Card                6 nummod 6:nummod           _",
    "5  red   red  ADJ   _ Degree=Pos                  6 amod   6:amod             _",
    "6  books book NOUN  _ Number=Plur                 3 obj    3:obj              _",
    "7  in    in   ADP   _ _                           8 case   8:case             _",
    "8  town  town NOUN  _ Number=Sing                 3 obl    3:obl:in           SpaceAfter=No",
    "9  ,     ,    PUNCT _ _                           11 punct 11.1:punct         _",
    "10 and   and  CCONJ _ _                           11 cc    11.1:cc            _",
    "11 Ben   Ben  PROPN _ Number=Sing                 3 conj   11.1:nsubj         _",
    "11.1 buys buy VERB  _ Mood=Ind|Tense=Pres|VerbForm=Fin _ _ 0:root|3:conj:and  _",
    "12 pens  pen  NOUN  _ Number=Plur                 11 orphan 11.1:obj          SpaceAfter=No",
    "13 .     .    PUNCT _ _                           3 punct  3:punct            _",
  ),
  "\n# sent_id = made-2\n# text = He can't see the whole of any thing.\n",
  rows(
    "1 He     he    PRON  _ Case=Nom,Voc|Number=Sing|PronType=Prs 4 nsubj 4:nsubj _",
    "2-3 can't _    _     _ _                      _ _       _               _",
    "2 ca     can   AUX   _ Mood=Ind|VerbForm=Fin  4 aux     4:aux           _",
    "3 n't    not   PART  _ Polarity=Neg           4 advmod  4:advmod        _",
    "4 see    see   VERB  _ VerbForm=Inf           0 root    0:root          _",
    "5 the    the   DET   _ PronType=Art           6 det     6:det           _",
    "6 whole  whole NOUN  _ Number=Sing            4 obj     4:obj           _",
    "7 of     of    ADP   _ _                      8 case    8:case          _",
    "8 any    any   PRON  _ PronType=Ind|Typo=Yes  6 nmod    6:nmod:of       _",
    "9 thing  _     X     _ _                      8 goeswith 8:goeswith     SpaceAfter=No",
    "10 .     .     PUNCT _ _                      4 punct   4:punct         _",
  ),
  "\n# sent_id = made-3\n# text = She knows who called.\n",
  rows(
    "1 She    she   PRON  _ PronType=Prs          2 nsubj  2:nsubj          _",
    "2 knows  know  VERB  _ Mood=Ind|VerbForm=Fin 0 root   0:root           _",
    "3 who    who   PRON  _ PronType=Int          4 nsubj  4:nsubj          _",
    "4 called call  VERB  _ Mood=Ind|VerbForm=Fin 2 ccomp  2:ccomp          SpaceAfter=No",
    "5 .      .     PUNCT _ _                     2 punct  2:punct          _",
  ),
  "\n",
].join("");

/** The rule, and what to replace by what; with `warning` if it is no error. */
export type Damage = readonly [
  rule: Rule,
  from: string | RegExp,
  to: string | ((found: string) => string),
  severity?: "warning",
];

/** The treebank with a damage. */
export function damaged([, from, to]: Damage): string {
  return typeof to === "string" ? WHOLE.replace(from, to) : WHOLE.replace(from, to);
}

/** Level 1. */
const FORMAT: readonly Damage[] = [
  ["non-unix-newline", /\n/g, "\r\n"],
  ["extra-empty-line", "\n\n# sent_id = made-2", "\n\n\n# sent_id = made-2"],
  ["extra-empty-line", "# newdoc", "\n# newdoc"],
  ["pseudo-empty-line", "\n\n# sent_id = made-2", "\n  \n# sent_id = made-2"],
  ["misplaced-comment", "\n4\ttwo", "\n# note\n4\ttwo"],
  ["missing-empty-line", /\n\n$/, "\n"],
  ["missing-empty-line", /\n\n$/, ""],
  ["empty-sentence", /$/, "# a comment\n\n"],
  ["invalid-line", "\n4\ttwo", "\nfour\ttwo"],
  ["number-of-columns", "6:nummod\t_", "6:nummod"],
  ["unicode-normalization", /Ada/g, "A\u0308da"],
  ["unicode-normalization", "# newdoc", "# note e\u0301\n# newdoc"],
  ["invalid-whitespace", "\tNUM\t", "\tNU M\t"],
  ["invalid-whitespace", "\t2:amod\t", "\t2:am od\t"],
  ["invalid-whitespace", "2-3\tcan't", "2-3\tcan 't"],
  ["empty-column", "\tNUM\t_", "\tNUM\t"],
  ["leading-whitespace", "\tbook\t", "\t book\t"],
  ["trailing-whitespace", "\tbook\t", "\tbook \t"],
  ["repeated-whitespace", "\tbook\t", "\tbo  ok\t"],
  ["invalid-word-id", "\n4\ttwo", "\n4x\ttwo"],
  ["word-id-sequence", "\n4\ttwo", "\n5\ttwo"],
  ["misplaced-word-interval", "2-3\tcan't", "1-3\tcan't"],
  ["reversed-word-interval", "2-3\tcan't", "2-1\tcan't"],
  ["word-interval-out", "2-3\tcan't", "2-30\tcan't"],
  ["misplaced-empty-node", "11.1\tbuys", "11.2\tbuys"],
];

/** Level 2. */
const UNIVERSAL: readonly Damage[] = [
  ["mwt-nonempty-field", "can't\t_", "can't\tcannot"],
  ["empty-node-nonempty-field", "VerbForm=Fin\t_\t_\t0:root|3", "VerbForm=Fin\t3\t_\t0:root|3"],
  ["empty-node-nonempty-field", "VerbForm=Fin\t_\t_\t0:root|3", "VerbForm=Fin\t_\tconj\t0:root|3"],
  ["unknown-upos", "\tNUM\t", "\tNUMBER\t"],
  ["unknown-upos", "\tNUM\t", "\t_\t"],
  ["unsorted-features", "Mood=Ind|Tense=Pres", "Tense=Pres|Mood=Ind"],
  ["invalid-feature", "NumType=Card", "NumType"],
  ["invalid-feature", "NumType=Card", "numType=Card"],
  ["invalid-feature-value", "NumType=Card", "NumType=card"],
  ["repeated-feature", "NumType=Card", "NumType=Card|NumType=Ord"],
  ["repeated-feature-value", "Case=Nom,Voc", "Case=Nom,Nom"],
  ["unsorted-feature-values", "Case=Nom,Voc", "Case=Voc,Nom"],
  ["invalid-deprel", "\tnummod\t", "\tNummod\t"],
  ["invalid-deprel", "\tnummod\t", "\tnummod:a:b\t"],
  ["invalid-deprel", "\tnummod\t", "\t_\t"],
  ["unknown-deprel", "\tnummod\t", "\tnumber\t"],
  ["invalid-deps", "\t6:nummod\t", "\tnummod\t"],
  ["invalid-ehead", "\t6:nummod\t", "\tsix:nummod\t"],
  ["unknown-ehead", "\t6:nummod\t", "\t99:nummod\t"],
  ["unknown-ehead", "\t6:nummod\t", "\t6.1:nummod\t"],
  ["unsorted-deps", "0:root|3:conj:and", "3:conj:and|0:root"],
  ["unsorted-deps", "\t6:nummod\t", "\t6:nummod|6:amod\t"],
  ["repeated-deps", "\t6:nummod\t", "\t6:nummod|6:nummod\t"],
  ["deps-self-loop", "\t6:nummod\t", "\t4:nummod|6:nummod\t"],
  ["invalid-edeprel", "\t6:nummod\t", "\t6:Nummod\t"],
  ["unknown-edeprel", "\t6:nummod\t", "\t6:number\t"],
  ["unconnected-egraph", "\t6:nummod\t", "\t_\t"],
  ["unconnected-egraph", /\t3:obj(.*)\n7\tin(.*)\t8:case/, "\t7:obj$1\n7\tin$2\t6:case"],
  ["edeps-only-sometimes", /# sent_id = made-3[\s\S]*$/, (last) => last.replace(/\t\d+:\w+\t/g, "\t_\t")],
  ["empty-misc", "6:nummod\t_", "6:nummod\tA=1||B=2", "warning"],
  ["misc-extra-space", "6:nummod\t_", "6:nummod\tA= 1", "warning"],
  ["misc-attr-typo", "6:nummod\t_", "6:nummod\tgloss=zwei", "warning"],
  ["repeated-misc", "6:nummod\t_", "6:nummod\tGloss=zwei|Gloss=deux"],
  ["invalid-head", "6\tnummod", "_\tnummod"],
  ["invalid-head", "6\tnummod", "06\tnummod"],
  ["unknown-head", "6\tnummod", "99\tnummod"],
  ["head-self-loop", "6\tnummod", "4\tnummod"],
  ["multiple-roots", "6\tnummod", "0\troot"],
  ["non-tree", "3\tobj", "5\tobj"],
  ["missing-sent-id", "# sent_id = made-2\n", ""],
  ["invalid-sent-id", "sent_id = made-2", "sent_id = made 2"],
  ["invalid-sent-id", "sent_id = made-2", "sent_id"],
  ["multiple-sent-id", "# sent_id = made-2\n", "# sent_id = made-2\n# sent_id = made-2b\n"],
  ["non-unique-sent-id", "made-2", "made-1"],
  ["slash-in-sent-id", "made-2", "a/b/c"],
  ["invalid-parallel-id", "# sent_id = made-2\n", "# sent_id = made-2\n# parallel_id = Made/2\n"],
  ["multiple-newdoc", "# newdoc\n", "# newdoc\n# newdoc\n"],
  ["multiple-newpar", "# newdoc\n", "# newpar\n# newpar\n"],
  ["spaceafter-newdocpar", /3:punct\t_\n\n/, "3:punct\tSpaceAfter=No\n\n# newpar\n"],
  ["missing-text", /# text = He.*\n/, ""],
  ["multiple-text", /(# text = He.*\n)/, "$1$1"],
  ["empty-text", /# text = He.*\n/, "# text = \n"],
  ["text-trailing-whitespace", "thing.\n", "thing. \n"],
  ["nospaceafter-yes", "6:nummod\t_", "6:nummod\tNoSpaceAfter=Yes"],
  ["spaceafter-value", "6:nummod\t_", "6:nummod\tSpaceAfter=Yes"],
  ["spaceafter-empty-node", "3:conj:and\t_", "3:conj:and\tSpaceAfter=No"],
  ["spaceafter-mwt-node", "4:aux\t_", "4:aux\tSpaceAfter=No"],
  ["text-form-mismatch", "two red books", "two read books"],
  ["missing-spaceafter", "3:obl:in\tSpaceAfter=No", "3:obl:in\t_"],
  ["text-extra-chars", "who called.", "who called. Ha"],
];

/** Level 3. */
const GUIDELINES: readonly Damage[] = [
  ["0-is-not-root", "0\troot\t0:root", "0\tparataxis\t0:root"],
  ["root-is-not-0", "6\tnummod", "6\troot"],
  ["enhanced-0-is-not-root", "\t0:root|3:conj", "\t0:parataxis|3:conj"],
  ["enhanced-root-is-not-0", "6:nummod", "6:root"],
  ["rel-upos", "\tNUM\t_\tNumType=Card", "\tVERB\t_\t_"],
  ["rel-upos", "6\tnummod", "6\tdet"],
  ["rel-upos", "6\tnummod", "6\tadvmod"],
  ["rel-upos", "6\tnummod", "6\texpl"],
  ["rel-upos", "6\tnummod", "6\taux"],
  ["rel-upos", "6\tnummod", "6\tcop"],
  ["rel-upos", "6\tnummod", "6\tcase"],
  ["rel-upos", "6\tnummod", "6\tmark"],
  ["rel-upos", "6\tnummod", "6\tcc"],
  ["rel-upos", "6\tnummod", "6\tpunct"],
  ["rel-upos", "\tand\tCCONJ", "\tand\tVERB"],
  ["upos-rel-punct", "2\tpunct\t2:punct", "2\tdiscourse\t2:discourse"],
  ["right-to-left", "6\tnummod", "6\tappos"],
  ["right-to-left", "2\tamod", "2\tflat"],
  ["too-many-subjects", "3\tobl\t", "3\tnsubj\t"],
  ["too-many-objects", "3\tobl\t", "3\tobj\t"],
  ["obl-should-be-nmod", /3\tobl\t/, "6\tobl\t"],
  ["leaf", /(5\tthe.*\n6\twhole.*)4\tobj([\s\S]*)6\tnmod/, "$14\tobj$25\tnmod"],
  ["leaf", /2\tamod(.*\n2\tAda.*\n)/, "13\tamod$1"],
  ["leaf", /6\tamod\t/, "7\tamod\t"],
  ["goeswith-gap", "8\tgoeswith\t8:goeswith", "6\tgoeswith\t6:goeswith"],
  ["goeswith-nospace", "6:nmod:of\t_", "6:nmod:of\tSpaceAfter=No"],
  ["goeswith-missing-typo", "|Typo=Yes", ""],
  ["goeswith-lemma", "thing\t_\tX", "thing\tthing\tX"],
  ["goeswith-upos", "thing\t_\tX", "thing\t_\tNOUN"],
  ["goeswith-feats", "X\t_\t_", "X\t_\tNumber=Sing"],
  ["goeswith-edeps", "8:goeswith", "6:nmod|8:goeswith"],
  ["punct-is-nonproj", "11\tpunct", "4\tpunct"],
  ["eorphan-after-empty-node", "2:ccomp", "2:orphan"],
  ["orphan-parent", "2\tccomp", "1\torphan", "warning"],
];

export const DAMAGES = { 1: FORMAT, 2: UNIVERSAL, 3: GUIDELINES } as const;
