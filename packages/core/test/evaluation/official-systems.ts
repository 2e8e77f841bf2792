// Made-up treebanks and outputs of systems with errors of every kind, by a seed: other tags, features, lemmas, heads,
// labels and arcs in DEPS, words that are cut differently, multiword tokens on one side only, other sentences.

const words = (text: string) => text.split(" ");
const LABELS = words(
  "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos nummod acl amod conj " +
    "fixed flat compound list parataxis orphan goeswith reparandum dep aux cop mark det clf case cc punct nmod:poss obl:arg aux:pass",
);
const FEATURES = words(
  "PronType=Prs NumType=Card Poss=Yes Reflex=Yes Foreign=Yes Abbr=Yes Gender=Fem Animacy=Anim Number=Sing Case=Nom Definite=Def " +
    "Degree=Pos VerbForm=Fin Mood=Ind Tense=Past Aspect=Perf Voice=Pass Evident=Nfh Polarity=Neg Person=3 Polite=Form Typo=Yes NounType=X",
);
const TAGS = words("ADJ ADP ADV AUX DET NOUN PRON PUNCT VERB X");

interface Item {
  form: string;
  lemma: string;
  upos: string;
  xpos: string;
  feats: string;
  head: number;
  label: string;
  deps: [head: number, label: string][];
  /** Words of the multiword token that begins here, 0 for none. */
  token: number;
}

/** A gold treebank and the output of a system, in CoNLL-U. */
export function officialPair(seed: number): { gold: string; system: string } {
  let state = seed * 2654435761 + 12345;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >>> 8) / 0x1000000;
  };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const item = (form: string): Item => ({
    form,
    lemma: random() < 0.1 ? "_" : form.toLowerCase(),
    upos: pick(TAGS),
    xpos: pick(["A", "B"]),
    feats: [...new Set([pick(FEATURES), pick(FEATURES), pick(FEATURES)])].sort().join("|"),
    head: 0,
    label: pick(LABELS),
    deps: [],
    token: 0,
  });
  /** Gives heads that are not there yet, or would form a cycle, to the first word, which is the root. */
  const asTree = (list: Item[]) => {
    list.forEach((own, i) => {
      if (i === 0) [own.head, own.label] = [0, "root"];
      // A head before the word, or the word after it if that has one before.
      else if (own.head < 1 || own.head > list.length || own.head === i + 1 || own.head > i + 1)
        own.head = 1 + Math.floor(random() * i);
      own.deps = own.deps.filter(([head]) => head <= list.length && head !== i + 1);
      if (own.label === "root" && i > 0) own.label = "dep";
    });
  };
  const withTokens = (list: Item[]) => {
    for (let i = 0; i + 1 < list.length; i++) if (random() < 0.2) list[i++]!.token = 2;
  };
  const arcs = (n: number): Item["deps"] =>
    Array.from({ length: random() < 0.3 ? 2 : 1 }, () => {
      const head = Math.floor(random() * (n + 1));
      const label = random() < 0.15 ? `conj:and>${pick(LABELS)}` : pick(LABELS);
      return [head, head === 0 ? "root" : label];
    });
  const gold = Array.from({ length: 6 }, () => {
    const n = 3 + Math.floor(random() * 6);
    const list = Array.from({ length: n }, () =>
      item(Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(words("a b C d"))).join("")),
    );
    for (const own of list) [own.head, own.deps] = [1 + Math.floor(random() * n), arcs(n)];
    asTree(list);
    withTokens(list);
    return list;
  });
  const system: Item[][] = [];
  for (const list of gold) {
    const copy = list.map((own): Item => {
      const other = item(own.form);
      const kept = <K extends keyof Item>(key: K): Item[K] => (random() < 0.8 ? own[key] : other[key]);
      const deps = random() < 0.7 ? own.deps : arcs(list.length);
      return {
        ...own,
        upos: kept("upos"),
        xpos: kept("xpos"),
        // Mostly one feature less, so that each of them decides somewhere.
        feats: random() < 0.5 ? own.feats : random() < 0.2 ? other.feats : without(own.feats, random()),
        lemma: kept("lemma"),
        label: kept("label"),
        head: random() < 0.8 ? own.head : 1 + Math.floor(random() * list.length),
        deps: deps.map(([head, label]) => [head, random() < 0.3 ? `${label}:x` : label]),
        token: 0,
      };
    });
    const cut = seed % 2 === 0 ? copy : recut(copy, random);
    asTree(cut);
    if (seed % 3 === 0) withTokens(cut);
    else for (const [i, own] of cut.entries()) own.token = cut.length === list.length ? list[i]!.token : 0;
    // Some sentences are not cut from the one before.
    if (seed % 4 === 3 && system.length > 0 && random() < 0.4) {
      const before = system.at(-1)!;
      const shift = before.length;
      for (const own of cut) {
        [own.head, own.label] = own.head === 0 ? [1, "parataxis"] : [own.head + shift, own.label];
        own.deps = own.deps.map(([head, label]) => (head === 0 ? [head, label] : [head + shift, label]));
      }
      before.push(...cut);
    } else system.push(cut);
  }
  return { gold: conllu(gold), system: conllu(system) };
}

/** Features without one of them. */
function without(feats: string, which: number): string {
  const list = feats.split("|");
  list.splice(Math.floor(which * list.length), 1);
  return list.join("|") || "_";
}

/** Words joined with the next, or cut in two. */
function recut(list: readonly Item[], random: () => number): Item[] {
  const result: Item[] = [];
  for (let i = 0; i < list.length; i++) {
    const own = list[i]!;
    const next = list[i + 1];
    if (next && random() < 0.15) {
      result.push({ ...own, form: own.form + next.form });
      i++;
    } else if (own.form.length > 1 && random() < 0.2) {
      result.push({ ...own, form: own.form.slice(0, 1) }, { ...own, form: own.form.slice(1), head: result.length + 1 });
    } else result.push(own);
  }
  return result;
}

function conllu(sentences: readonly (readonly Item[])[]): string {
  return sentences
    .map((list) =>
      list
        .map((own, i) => {
          const deps = own.deps.map(([head, label]) => `${head}:${label}`).join("|") || "_";
          const line = [i + 1, own.form, own.lemma, own.upos, own.xpos, own.feats, own.head, own.label, deps, "_"].join(
            "\t",
          );
          if (own.token === 0) return `${line}\n`;
          const surface = list
            .slice(i, i + own.token)
            .map(({ form }) => form)
            .join("");
          return `${i + 1}-${i + own.token}\t${surface}${"\t_".repeat(8)}\n${line}\n`;
        })
        .join(""),
    )
    .map((text) => `${text}\n`)
    .join("");
}
