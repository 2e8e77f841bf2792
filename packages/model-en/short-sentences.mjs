// Short sentences in the present tense, as textbooks and first tries have them, put together from lists and from the
// words of a treebank: each word with its analysis. Half of the verbs look like nouns as well (lives, barks, leaves, plays),
// since a treebank of longer sentences has most of these as nouns.

/** @typedef {import("./augment.mjs").Tree} Tree */
/** A word and where it belongs: form, lemma, UPOS, XPOS, FEATS, the name of its head, relation, its own name. */
/** @typedef {[form: string, lemma: string, upos: string, xpos: string, feats: string, head: string, deprel: string, name?: string]} Part */
/** Verbs as lemma:third:past (past may be missing), those that look like nouns apart. */
/** @typedef {{ nouns: string[]; plurals: Map<string, string>; adjectives: string[]; places: string[]; alone: Verbs; withObject: Verbs }} Lexicon */
/** @typedef {{ all: string[]; nounLike: string[] }} Verbs */

const NAMES = "Amy Carlos Dora Ed Faye Gus Helga Ian Joan Kurt Lily Max Nell Otto Pia Rex Sue Tess Vic Wes".split(" ");
const NOUNS =
  "dog horse bird child teacher driver baker sister uncle student artist singer river storm engine robot cow goat neighbour guest pilot nurse king queen wolf sailor tailor cousin crowd machine".split(
    " ",
  );
const THINGS =
  "letter picture ball box door cup chair lamp map hat ring song stone key coin basket blanket ticket card plate".split(
    " ",
  );
const ADJECTIVES =
  "old young tall little big happy sad quiet angry lazy clever brave tired kind strange red blue".split(" ");
/** Verbs with their form in -s. */
const ALONE =
  "bark:barks jump:jumps sleep:sleeps run:runs laugh:laughs cry:cries swim:swims dance:dances work:works smile:smiles fall:falls sing:sings walk:walks arrive:arrives wait:waits snore:snores sneeze:sneezes whisper:whispers shout:shouts yawn:yawns dream:dreams float:floats crash:crashes stop:stops turn:turns move:moves hum:hums roar:roars blink:blinks nod:nods".split(
    " ",
  );
const WITH_OBJECT =
  "paint:paints open:opens close:closes carry:carries find:finds drop:drops hide:hides kick:kicks wash:washes repair:repairs sell:sells buy:buys hold:holds watch:watches clean:cleans draw:draws break:breaks lift:lifts lose:loses fix:fixes".split(
    " ",
  );
const GIVING = "give:gives send:sends show:shows offer:offers lend:lends hand:hands bring:brings sell:sells".split(" ");
const MEETING =
  "call:calls:called help:helps:helped meet:meets:met see:sees:saw thank:thanks:thanked visit:visits:visited know:knows:knew invite:invites:invited".split(
    " ",
  );
const ADVERBS = "slowly quickly loudly often here today again well".split(" ");
/** Nouns that need no determiner. */
const MASS =
  "water time rain snow money music light traffic smoke paint bread paper work sugar ice business nature".split(" ");
const BULLETS = "- - - * •".split(" ");
const HANDLES = "@sam @kim_w @the_lee @nina22 @opsteam @j.doe".split(" ");
const HALVES = "am pm AM PM".split(" ");
const DAYS = "Yesterday Today Tomorrow".split(" ");
const PREPOSITIONS = "in under over behind near beside".split(" ");

const S3 = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin";
const P3 = "Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin";
const PAST = "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin";
const PLURALS = /** @type {Record<string, string>} */ ({ child: "children", wolf: "wolves", baby: "babies" });

const PLACES = "Paris London Berlin Tokyo Cairo Madrid Oslo Lima Boston Chicago Delhi Rome".split(" ");
const ASKING = "where when why how".split(" ");
const MODALS = "can could will should".split(" ");
const DETERMINERS = /** @type {const} */ ([
  ["the", "Definite=Def|PronType=Art"],
  ["the", "Definite=Def|PronType=Art"],
  ["the", "Definite=Def|PronType=Art"],
  ["a", "Definite=Ind|PronType=Art"],
  ["this", "Number=Sing|PronType=Dem"],
  ["my", "Case=Gen|Number=Sing|Person=1|Poss=Yes|PronType=Prs"],
  ["her", "Case=Gen|Gender=Fem|Number=Sing|Person=3|Poss=Yes|PronType=Prs"],
  ["our", "Case=Gen|Number=Plur|Person=1|Poss=Yes|PronType=Prs"],
]);
const THIRD = /** @type {const} */ ([
  ["she", "Gender=Fem|Number=Sing|Person=3"],
  ["he", "Gender=Masc|Number=Sing|Person=3"],
  ["it", "Gender=Neut|Number=Sing|Person=3"],
]);
const YOU = /** @type {const} */ ([
  ["you", "Person=2"],
  ["you", "Person=2"],
  ["they", "Number=Plur|Person=3"],
]);

/** Words that stand often enough in a treebank to go by. */
const FEWEST = 3;
/** Verbs that are auxiliaries, or odd on their own. */
const OTHER_VERBS = new Set("be have do get let go seem become appear need use make take please".split(" "));

/**
 * The nouns, adjectives, places and verbs of a treebank. A verb stands alone if it has been seen so without object and
 * clause, and takes an object if it has been seen with one.
 *
 * @param {readonly Tree[]} treebank
 * @returns {Lexicon}
 */
export function lexiconOf(treebank) {
  /** @type {Map<string, { third: string; past: string; alone: number; withObject: number }>} */
  const verbs = new Map();
  /** @type {Record<"nouns" | "adjectives" | "places", Map<string, number>>} */
  const counts = { nouns: new Map(), adjectives: new Map(), places: new Map() };
  /** @type {Map<string, string>} */
  const plurals = new Map();
  const count = (/** @type {Map<string, number>} */ map, /** @type {string} */ key) =>
    map.set(key, (map.get(key) ?? 0) + 1);
  for (const { words, tokens } of treebank) {
    words.forEach(({ form, lemma, upos, xpos, deprel }, i) => {
      if (!/^\p{L}\p{Ll}{2,}$/u.test(form) || tokens.some(({ from, to }) => i + 1 >= from && i + 1 <= to)) return;
      const below = words.filter(({ head }) => head === i + 1).map((word) => word.deprel);
      if (xpos === "NN" && upos === "NOUN" && form === lemma) count(counts.nouns, form);
      if (xpos === "NNS" && upos === "NOUN" && form.startsWith(lemma)) plurals.set(lemma, form);
      if (xpos === "JJ" && deprel === "amod" && form === lemma) count(counts.adjectives, form);
      if (xpos === "NNP" && deprel === "obl" && below.join() === "case") count(counts.places, form);
      if (upos !== "VERB" || !/^[a-z]{3,}$/.test(lemma) || OTHER_VERBS.has(lemma) || !/^VB[ZPDG]?$/.test(xpos)) return;
      const known = verbs.get(lemma) ?? { third: thirdOf(lemma), past: "", alone: 0, withObject: 0 };
      if (xpos === "VBD") known.past = form.toLowerCase();
      if (below.includes("obj")) known.withObject++;
      else if (!below.some((relation) => /^(i?obj|ccomp|xcomp|compound|expl|aux:pass|cop)/.test(relation)))
        known.alone++;
      verbs.set(lemma, known);
    });
  }
  const often = (/** @type {Map<string, number>} */ map) =>
    [...map].flatMap(([form, times]) => (times >= FEWEST ? [form] : []));
  const nounForms = new Set([...counts.nouns.keys(), ...plurals.values(), ...NOUNS, ...THINGS]);
  const nounLike = (/** @type {string} */ verb) => verb.split(":").some((form) => nounForms.has(form));
  /** @type {(frame: "alone" | "withObject", listed: readonly string[]) => Verbs} */
  const verbsOf = (frame, listed) => {
    const found = [...verbs].flatMap(([lemma, verb]) =>
      verb[frame] >= FEWEST ? [`${lemma}:${verb.third}:${verb.past}`] : [],
    );
    const all = [...new Set([...listed, ...found])];
    return { all, nounLike: all.filter(nounLike) };
  };
  return {
    nouns: [...new Set([...NOUNS, ...often(counts.nouns)])],
    plurals,
    adjectives: [...new Set([...ADJECTIVES, ...often(counts.adjectives)])],
    places: [...new Set([...PLACES, ...often(counts.places)])],
    alone: verbsOf("alone", ALONE),
    withObject: verbsOf("withObject", WITH_OBJECT),
  };
}

/** @param {string} lemma */
function thirdOf(lemma) {
  if (/[^aeiou]y$/.test(lemma)) return `${lemma.slice(0, -1)}ies`;
  return /(s|sh|ch|x|z|o)$/.test(lemma) ? `${lemma}es` : `${lemma}s`;
}

/**
 * Sentences, as lists of their words.
 *
 * @param {() => number} random
 * @param {number} count
 * @param {Lexicon} lexicon
 * @returns {Part[][]}
 */
export function shortSentences(random, count, lexicon) {
  const one = (/** @type {readonly string[]} */ list) => list[Math.floor(random() * list.length)] ?? "";
  /** From the lists as often as from the treebank, which has many words that fit badly. */
  const either = (/** @type {readonly string[]} */ listed, /** @type {readonly string[]} */ found) =>
    one(random() < 0.4 || found.length === 0 ? listed : found);
  /** @type {(head: string, deprel: string, name: string) => Part[]} */
  const noun = (head, deprel, name) => {
    const form = either(deprel === "nsubj" ? NOUNS : [...THINGS, ...NOUNS], lexicon.nouns);
    const [the, feats] = DETERMINERS[Math.floor(random() * DETERMINERS.length)] ?? ["the", ""];
    const isPossessive = feats.includes("Poss=Yes");
    const adjectives = random() < 0.3 ? (random() < 0.3 ? 2 : 1) : 0;
    /** @type {Part[]} */
    const before = Array.from({ length: adjectives }, () => {
      const adjective = either(ADJECTIVES, lexicon.adjectives);
      return [adjective, adjective, "ADJ", "JJ", "Degree=Pos", name, "amod"];
    });
    const spoken = the === "a" && /^[aeiou]/i.test(before[0]?.[0] ?? form) ? "an" : the;
    return [
      isPossessive
        ? [spoken, the, "PRON", "PRP$", feats, name, "nmod:poss"]
        : [spoken, the, "DET", "DT", feats, name, "det"],
      ...before,
      [form, form, "NOUN", "NN", "Number=Sing", head, deprel, name],
    ];
  };
  /** @type {(head: string, deprel: string, name: string) => Part[]} */
  const person = (head, deprel, name) => {
    const form = one(NAMES);
    return [[form, form, "PROPN", "NNP", "Number=Sing", head, deprel, name]];
  };
  /** @type {(list: readonly (readonly [string, string])[]) => Part[]} */
  const pronoun = (list) => {
    const [form = "", feats = ""] = list[Math.floor(random() * list.length)] ?? [];
    return [[form, form, "PRON", "PRP", `Case=Nom|${feats}|PronType=Prs`, "v", "nsubj", "s"]];
  };
  const subject = () => {
    const kind = random();
    if (kind < 0.07) {
      const form = one(MASS);
      return [/** @type {Part} */ ([form, form, "NOUN", "NN", "Number=Sing", "v", "nsubj", "s"])];
    }
    if (kind < 0.5) return noun("v", "nsubj", "s");
    return kind < 0.75 ? person("v", "nsubj", "s") : pronoun(THIRD);
  };
  const object = () => (random() < 0.75 ? noun("v", "obj", "o") : person("v", "obj", "o"));
  const pick = (/** @type {Verbs} */ { all, nounLike }) => one(nounLike.length > 0 && random() < 0.5 ? nounLike : all);
  /** @type {(verb: string, form?: "third" | "past" | "base" | "plural" | "command") => Part} */
  const verb = (verb, form = "third") => {
    const [lemma = "", third = "", past = ""] = verb.split(":");
    if (form === "past" && past) return [past, lemma, "VERB", "VBD", PAST, "", "root", "v"];
    if (form === "base") return [lemma, lemma, "VERB", "VB", "VerbForm=Inf", "", "root", "v"];
    if (form === "command") return [lemma, lemma, "VERB", "VB", "Mood=Imp|VerbForm=Fin", "", "root", "v"];
    if (form === "plural") return [lemma, lemma, "VERB", "VBP", P3, "", "root", "v"];
    return [third, lemma, "VERB", "VBZ", S3, "", "root", "v"];
  };
  /** @type {(mark?: string) => Part[]} */
  const end = (mark = ".") => (random() < 0.75 ? [[mark, mark, "PUNCT", ".", "_", "v", "punct"]] : []);
  /** @type {() => Part[]} "at 10 am", "by 5:30pm" */
  const clock = () => {
    const hour = 1 + Math.floor(random() * 12);
    const time = random() < 0.5 ? String(hour) : `${hour}:${one(["00", "15", "30", "45"])}`;
    const half = one(HALVES);
    return [
      [one(["at", "at", "by", "before", "after"]), "", "ADP", "IN", "_", "t", "case"],
      [time, time, "NUM", "CD", "NumForm=Digit|NumType=Card", "v", "obl", "t"],
      [half, /^a/i.test(half) ? "a.m." : "p.m.", "NOUN", "NN", "Number=Sing", "t", "nmod:unmarked"],
    ];
  };
  /** @type {() => Part[]} */
  const adverb = () => {
    const form = one(ADVERBS);
    if (random() < 0.6) return random() < 0.15 ? clock() : [];
    if (form === "today") return [[form, form, "NOUN", "NN", "Number=Sing", "v", "obl:unmarked"]];
    const feats = form === "here" ? "PronType=Dem" : form === "well" ? "Degree=Pos" : "_";
    return [[form, form, "ADV", "RB", feats, "v", "advmod"]];
  };
  /** @type {() => Part[]} */
  const where = () => {
    if (random() < 0.7) {
      return [[one(PREPOSITIONS), "", "ADP", "IN", "_", "p", "case"], ...noun("v", "obl", "p")];
    }
    const place = either(PLACES, lexicon.places);
    return [
      [one(["in", "near", "to"]), "", "ADP", "IN", "_", "p", "case"],
      [place, place, "PROPN", "NNP", "Number=Sing", "v", "obl", "p"],
    ];
  };
  /** @type {() => Part} */
  const does = () =>
    random() < 0.6 ? ["does", "do", "AUX", "VBZ", S3, "v", "aux"] : ["did", "do", "AUX", "VBD", PAST, "v", "aux"];
  /** @type {() => Part} */
  const is = () => ["is", "be", "AUX", "VBZ", S3, "v", "cop"];
  /** @type {() => Part} */
  const quality = () => {
    const form = either(ADJECTIVES, lexicon.adjectives);
    return [form, form, "ADJ", "JJ", "Degree=Pos", "", "root", "v"];
  };
  /** @type {() => Part[]} */
  const polite = () => [["please", "please", "INTJ", "UH", "_", "v", "discourse"]];
  /** @type {(second: Part[]) => Part[]} A second verb ("w") with what belongs to it, joined to the first. */
  const andThen = (second) => [
    ["and", "and", "CCONJ", "CC", "_", "w", "cc"],
    ...second.map((part) => {
      const [form, lemma, upos, xpos, feats, head, deprel, name] = part;
      if (name === "v") return /** @type {Part} */ ([form, lemma, upos, xpos, feats, "v", "conj", "w"]);
      // The nouns of the second half have names of their own.
      const renamed = (/** @type {string} */ own) => (own === "v" ? "w" : `${own}2`);
      return /** @type {Part} */ ([form, lemma, upos, xpos, feats, renamed(head), deprel, name && renamed(name)]);
    }),
  ];
  /** @type {(() => Part[])[]} */
  const patterns = [
    () => [...subject(), verb(pick(lexicon.alone)), ...adverb(), ...end()],
    () => [...subject(), verb(pick(lexicon.alone)), ...where(), ...end()],
    () => [...subject(), verb(pick(lexicon.alone)), ...clock(), ...end()],
    () => {
      const singular = either(NOUNS, [...lexicon.plurals.keys()]);
      const plural = PLURALS[singular] ?? lexicon.plurals.get(singular) ?? thirdOf(singular);
      return [
        [plural, singular, "NOUN", "NNS", "Number=Plur", "v", "nsubj"],
        ...(random() < 0.7
          ? [verb(pick(lexicon.alone), "plural"), ...adverb()]
          : [verb(pick(lexicon.withObject), "plural"), ...object()]),
        ...end(),
      ];
    },
    () => [...subject(), verb(pick(lexicon.withObject)), ...object(), ...adverb(), ...end()],
    () => [...subject(), verb(pick(lexicon.withObject), "past"), ...object(), ...where(), ...end()],
    () => [...subject(), verb(one(GIVING)), ...person("v", "iobj", "i"), ...noun("v", "obj", "o"), ...end()],
    () => [
      ...subject(),
      verb(one(MEETING), random() < 0.5 ? "past" : "third"),
      ...person("v", "obj", "o"),
      ...adverb(),
      ...end(),
    ],
    () => {
      const day = one(DAYS);
      const first = /** @type {Part} */ ([day, day.toLowerCase(), "NOUN", "NN", "Number=Sing", "v", "obl:unmarked"]);
      return [first, ...person("v", "nsubj", "s"), verb(one(MEETING), "past"), ...person("v", "obj", "o"), ...end()];
    },
    () => [does(), ...subject(), verb(pick(lexicon.withObject), "base"), ...object(), ...end("?")],
    () => [does(), ...subject(), verb(pick(lexicon.alone), "base"), ...where(), ...end("?")],
    () => {
      const word = one(ASKING);
      const first = /** @type {Part} */ ([word, word, "ADV", "WRB", "PronType=Int", "v", "advmod"]);
      const rest =
        random() < 0.5 ? [verb(pick(lexicon.alone), "base")] : [verb(pick(lexicon.withObject), "base"), ...object()];
      return [first, does(), ...subject(), ...rest, ...end("?")];
    },
    () => {
      const modal = one(MODALS);
      const first = /** @type {Part} */ ([modal, modal, "AUX", "MD", "VerbForm=Fin", "v", "aux"]);
      return [first, ...pronoun(YOU), verb(pick(lexicon.withObject), "base"), ...object(), ...end("?")];
    },
    () => [verb(pick(lexicon.withObject), "command"), ...object(), ...adverb(), ...end()],
    () => [
      [one(BULLETS), "", "PUNCT", "NFP", "_", "v", "punct"],
      verb(pick(lexicon.withObject), "command"),
      ...(random() < 0.5 ? object() : object().slice(-1)),
      ...(random() < 0.4 ? where() : []),
      ...(random() < 0.3 ? end() : []),
    ],
    () => [...subject(), is(), quality(), ...end()],
    () => [...subject(), is(), ...noun("", "root", "v"), ...end()],
    () => [is(), ...subject(), quality(), ...end("?")],
    () => {
      const form = either(THINGS, [...lexicon.nouns, "time", "time", "day"]);
      return [
        ["what", "what", "DET", "WDT", "PronType=Int", "v", "det"],
        [form, form, "NOUN", "NN", "Number=Sing", "", "root", "v"],
        is(),
        ["it", "it", "PRON", "PRP", "Case=Nom|Gender=Neut|Number=Sing|Person=3|PronType=Prs", "v", "nsubj"],
        ...end("?"),
      ];
    },
    () => [
      [one(HANDLES), "", "PROPN", "ADD", "_", "v", "vocative"],
      ...(random() < 0.5 ? [] : polite()),
      verb(pick(lexicon.withObject), "command"),
      ...object(),
      ...end(),
    ],
    () => [
      ...subject(),
      verb(pick(lexicon.alone)),
      ...where(),
      ...andThen([verb(pick(lexicon.alone)), ...where()]),
      ...end(),
    ],
    () => [
      ...subject(),
      verb(pick(lexicon.withObject)),
      ...object(),
      ...andThen([verb(pick(lexicon.withObject)), ...object()]),
      ...end(),
    ],
    () => [
      verb(pick(lexicon.withObject), "command"),
      ...object(),
      ...andThen([verb(pick(lexicon.withObject), "command"), ...object()]),
      ...end(),
    ],
  ];
  return Array.from({ length: count }, (_, i) => {
    const parts = patterns[i % patterns.length]?.() ?? [];
    const first = parts.find(([, , upos]) => upos !== "PUNCT");
    // As it is typed in a hurry.
    if (first && random() >= 0.1) first[0] = first[0].charAt(0).toUpperCase() + first[0].slice(1);
    return parts;
  });
}

/**
 * The tree of such a list.
 *
 * @param {Part[]} parts
 * @returns {Tree}
 */
export function madeSentence(parts) {
  const numberOf = (/** @type {string} */ name) => parts.findIndex((part) => part[7] === name) + 1;
  const words = parts.map(([form, lemma, upos, xpos, feats, head, deprel], i) => ({
    form,
    lemma: lemma || form,
    upos,
    xpos,
    feats,
    head: head === "" ? 0 : numberOf(head),
    deprel,
    // Half of the times of day are written as one ("10am").
    glued: parts[i + 1]?.[2] === "PUNCT" || (parts[i + 1]?.[6] === "nmod:unmarked" && form.length % 2 === 1),
  }));
  return { words, tokens: [] };
}
