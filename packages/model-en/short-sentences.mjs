// Short sentences in the present tense, as textbooks have them, put together from lists: each word with its analysis.

/** @typedef {import("./augment.mjs").Tree} Tree */
/** A word and where it belongs: form, lemma, UPOS, XPOS, FEATS, the name of its head, relation, its own name. */
/** @typedef {[form: string, lemma: string, upos: string, xpos: string, feats: string, head: string, deprel: string, name?: string]} Part */

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
const DAYS = "Yesterday Today Tomorrow".split(" ");
const PREPOSITIONS = "in under over behind near beside".split(" ");

const S3 = "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin";
const P3 = "Mood=Ind|Number=Plur|Person=3|Tense=Pres|VerbForm=Fin";
const PAST = "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin";
const PLURALS = /** @type {Record<string, string>} */ ({ child: "children", wolf: "wolves", baby: "babies" });

/**
 * Sentences, as lists of their words.
 *
 * @param {() => number} random
 * @param {number} count
 * @returns {Part[][]}
 */
export function shortSentences(random, count) {
  const one = (/** @type {readonly string[]} */ list) => list[Math.floor(random() * list.length)] ?? "";
  /** @type {(head: string, deprel: string, name: string) => Part[]} */
  const noun = (head, deprel, name) => {
    const form = one(deprel === "nsubj" ? NOUNS : [...THINGS, ...NOUNS]);
    const the = one(["the", "the", "a", "my", "this", "her"]);
    /** @type {Part} */
    const determiner =
      the === "my" || the === "her"
        ? [
            the,
            the,
            "PRON",
            "PRP$",
            the === "my"
              ? "Case=Gen|Number=Sing|Person=1|Poss=Yes|PronType=Prs"
              : "Case=Gen|Gender=Fem|Number=Sing|Person=3|Poss=Yes|PronType=Prs",
            name,
            "nmod:poss",
          ]
        : [
            the,
            the,
            "DET",
            "DT",
            the === "the"
              ? "Definite=Def|PronType=Art"
              : the === "a"
                ? "Definite=Ind|PronType=Art"
                : "Number=Sing|PronType=Dem",
            name,
            "det",
          ];
    const adjective = random() < 0.3 ? one(ADJECTIVES) : undefined;
    const next = adjective ?? form;
    if (the === "a" && /^[aeiou]/.test(next)) determiner[0] = "an";
    return [
      determiner,
      ...(adjective === undefined
        ? []
        : [/** @type {Part} */ ([adjective, adjective, "ADJ", "JJ", "Degree=Pos", name, "amod"])]),
      [form, form, "NOUN", "NN", "Number=Sing", head, deprel, name],
    ];
  };
  /** @type {(head: string, deprel: string, name: string) => Part[]} */
  const person = (head, deprel, name) => {
    const form = one(NAMES);
    return [[form, form, "PROPN", "NNP", "Number=Sing", head, deprel, name]];
  };
  const subject = () => (random() < 0.5 ? noun("v", "nsubj", "s") : person("v", "nsubj", "s"));
  /** @type {(list: readonly string[], past?: boolean) => Part} */
  const verb = (list, past = false) => {
    const [lemma = "", third = "", before = ""] = one(list).split(":");
    return past
      ? [before, lemma, "VERB", "VBD", PAST, "", "root", "v"]
      : [third, lemma, "VERB", "VBZ", S3, "", "root", "v"];
  };
  /** @type {() => Part[]} */
  const end = () => (random() < 0.8 ? [[".", ".", "PUNCT", ".", "_", "v", "punct"]] : []);
  /** @type {() => Part[]} */
  const adverb = () => {
    const form = one(ADVERBS);
    if (random() < 0.6) return [];
    if (form === "today") return [[form, form, "NOUN", "NN", "Number=Sing", "v", "obl:unmarked"]];
    return [
      [
        form,
        form,
        "ADV",
        "RB",
        form === "here" ? "PronType=Dem" : form === "again" ? "_" : "Degree=Pos",
        "v",
        "advmod",
      ],
    ];
  };
  /** @type {(() => Part[])[]} */
  const patterns = [
    () => [...subject(), verb(ALONE), ...adverb(), ...end()],
    () => [
      ...subject(),
      verb(ALONE),
      [one(PREPOSITIONS), "", "ADP", "IN", "_", "p", "case"],
      ...noun("v", "obl", "p"),
      ...end(),
    ],
    () => {
      const singular = one(NOUNS);
      const [lemma = ""] = one(ALONE).split(":");
      const plural = PLURALS[singular] ?? `${singular}s`;
      return [
        [plural, singular, "NOUN", "NNS", "Number=Plur", "v", "nsubj"],
        [lemma, lemma, "VERB", "VBP", P3, "", "root", "v"],
        ...end(),
      ];
    },
    () => [...subject(), verb(WITH_OBJECT), ...noun("v", "obj", "o"), ...adverb(), ...end()],
    () => [...subject(), verb(GIVING), ...person("v", "iobj", "i"), ...noun("v", "obj", "o"), ...end()],
    () => [...subject(), verb(MEETING, random() < 0.5), ...person("v", "obj", "o"), ...adverb(), ...end()],
    () => {
      const day = one(DAYS);
      const first = /** @type {Part} */ ([day, day.toLowerCase(), "NOUN", "NN", "Number=Sing", "v", "obl:unmarked"]);
      return [first, ...person("v", "nsubj", "s"), verb(MEETING, true), ...person("v", "obj", "o"), ...end()];
    },
  ];
  return Array.from({ length: count }, (_, i) => patterns[i % patterns.length]?.() ?? []);
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
    form: i === 0 ? form.charAt(0).toUpperCase() + form.slice(1) : form,
    lemma: lemma || form,
    upos,
    xpos,
    feats,
    head: head === "" ? 0 : numberOf(head),
    deprel,
    glued: parts[i + 1]?.[2] === "PUNCT",
  }));
  return { words, tokens: [] };
}
