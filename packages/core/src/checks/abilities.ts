/** Abilities that a model may have besides the tree of a sentence, in words that follow "cannot". */
const ABILITIES = {
  text: "parse text",
  tags: "tag words",
  beam: "search with a beam",
  trees: "find several trees",
  scores: "score its arcs",
  heads: "keep heads that are known beforehand",
  steps: "show a derivation",
} as const;

/** Abilities that a model may have besides the tree of a sentence. */
export type Ability = keyof typeof ABILITIES;

/** Why a model cannot do something, and in parentheses what would work; what is left out it can do. */
export type Limits = Readonly<Partial<Record<Ability, string>>>;

/** The message when something is asked for that is beyond the limits of `name`; undefined if it is not. */
export function refusal(limits: Limits, ability: Ability, name = "this model"): string | undefined {
  const reason = limits[ability];
  return reason === undefined ? undefined : `${name} cannot ${ABILITIES[ability]}: ${reason}`;
}

/** Throws a RangeError with the refusal if there is one. */
export function checkAbility(limits: Limits, ability: Ability): void {
  const refused = refusal(limits, ability);
  if (refused !== undefined) throw new RangeError(refused);
}
