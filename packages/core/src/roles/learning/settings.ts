// Settings of predicates and semantic roles.
import { flag, type Given, type SettingGroup } from "../../checks/settings.js";
import { arcEager } from "../../systems/arc-eager.js";

/** With this as `joint` the parser decides semantic roles in the same derivation. */
export const ROLES = "roles";
/** The system that does so: whose arcs to the right are there as soon as the word is taken. */
const ROLE_SYSTEM = arcEager.name;

const isJoint = ({ joint }: Given) => joint === ROLES;

export const ROLE_SETTINGS = {
  roles: flag({
    help: "also learn predicates and semantic roles, from the Pred and Args in MISC of the treebanks",
    topic: "roles",
    needs: { works: ({ partial }) => !partial, needs: "every head, without {partial}" },
  }),
};

export const roleSettings: SettingGroup = {
  settings: ROLE_SETTINGS,
  rules: [
    {
      settings: ["joint"],
      works: (given) => !isJoint(given) || given.roles === true,
      needs: "{roles} for roles",
    },
    {
      settings: ["joint"],
      works: (given) => !isJoint(given) || !given.network,
      needs: "a linear model for roles, without {network} and presets that have one",
    },
    {
      settings: ["joint"],
      works: (given) => !isJoint(given) || given.system === ROLE_SYSTEM,
      needs: `{system ${ROLE_SYSTEM}} for roles, or none`,
    },
    {
      settings: ["beam", "silver"],
      works: (given) => !isJoint(given),
      needs: "no {joint roles}: such a parser is linear, greedy, and learns from predicates that were annotated",
    },
    {
      settings: ["learner"],
      works: (given) => !isJoint(given) || given.learner === "perceptron",
      needs: "no {joint roles}, or the perceptron",
    },
    {
      settings: ["members"],
      works: (given) => !isJoint(given) || given.members === 1,
      needs: "no {joint roles}",
    },
  ],
  defaults: (given: Given) => (isJoint(given) ? { system: ROLE_SYSTEM } : {}),
};
