// The roles of PropBank, each in a few words of our own. What the numbered ones are depends on the sense.

const NUMBERED: Readonly<Record<string, string>> = {
  ARG0: "usually who or what does it",
  ARG1: "usually who or what it is done to, or what happens to it",
  ARG2: "depends on the sense: often a recipient, an instrument, a result or a place",
  ARG3: "depends on the sense: often a starting point or a beneficiary",
  ARG4: "depends on the sense: often an end point",
  ARG5: "depends on the sense",
  ARGA: "who makes somebody else do it",
};

const MODIFIERS: Readonly<Record<string, string>> = {
  ADJ: "a modifier of a noun",
  ADV: "another modifier",
  CAU: "the cause",
  COM: "who takes part together with somebody else",
  CXN: "part of a construction",
  DIR: "the direction",
  DIS: "a link to what was said before",
  DSP: "words that are said",
  EXT: "to what extent",
  GOL: "the goal, or for whom",
  LOC: "the place",
  LVB: "the light verb",
  MNR: "the manner",
  MOD: "a modal verb",
  NEG: "the negation",
  PRD: "what is said about an argument",
  PRP: "the purpose",
  PRR: "the predicate of a light verb",
  PRX: "a part of the predicate",
  REC: "a reciprocal or reflexive word",
  TMP: "the time",
};

/** The meaning of a role; undefined if it is not known. Roles of one word in a row are separated by spaces. */
export function explainRole(role: string): string | undefined {
  const [, prefix, name = ""] = /^(R-|C-)?(\S+)$/.exec(role) ?? [];
  const meaning = NUMBERED[name] ?? NUMBERED[name.replace(/-.*/, "")] ?? MODIFIERS[/^ARGM-(\w+)/.exec(name)?.[1] ?? ""];
  if (!meaning) return undefined;
  if (prefix === "R-") return `a word that refers to it; ${meaning}`;
  return prefix === "C-" ? `the continuation of it; ${meaning}` : meaning;
}
