// The setting by which a parser removes words that are no part of the sentence.
import type { Given, Rule } from "../checks/settings.js";
import { disfluencies } from "./disfluencies.js";

/** With this as `joint` the parser removes words that are no part of the sentence. */
export const DISFLUENCIES = disfluencies.name as "disfluencies";

const removes = ({ joint }: Given) => joint === DISFLUENCIES;

export const disfluenciesSettings = {
  settings: {},
  rules: [
    {
      settings: ["joint"],
      works: (given) => !removes(given) || given.system === disfluencies.name,
      needs: `{system ${disfluencies.extends}} for disfluencies, or none`,
    },
  ] satisfies Rule[],
  defaults: (given: Given) => (removes(given) ? { system: disfluencies.name } : {}),
};

/** The system that is meant: the one that removes words, if this is the one that it extends. */
export function removingSystem(given: Given): string | undefined {
  return removes(given) && given.system === disfluencies.extends ? disfluencies.name : given.system;
}
