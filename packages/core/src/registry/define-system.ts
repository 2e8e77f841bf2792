import { check, oneOf, STRING, TRUE_OR_FALSE, wholeNumber } from "../checks/options.js";
import { arrayOf, having, OBJECT } from "../checks/shapes.js";
import { SearchedOracle } from "../systems/oracles/searched-oracle.js";
import type { SystemDescription } from "../systems/system.js";
import { registerSystem } from "./systems.js";
import { STACK, STACK_VIEW } from "./templates/default-templates.js";
import { STACK_FRAME } from "./templates/zhang-nivre.js";
import { registerSystemTraining, type SystemTraining } from "./training.js";

/** The fields that a description must have; the others have defaults. */
const REQUIRED = {
  name: "string",
  title: "string",
  reference: "string",
  create: "function",
  attachesToSpines: "boolean",
  reordersWords: "boolean",
  leavesHeadless: "boolean",
  risks: "function",
} as const;

/**
 * Define a transition system of one's own. From then on its name is known wherever those of the systems that ship are:
 * it can be trained, parsed with, searched with a beam, traced and evaluated. What `training` leaves out is made up
 * for: a static oracle by search, and the templates of arc-standard. Without `knownHeads` in the description, heads
 * that are known beforehand are refused.
 * @param description what parsing needs to know of the system
 * @param training what only training needs: oracles, templates
 */
export function defineSystem(description: SystemDescription, training: Partial<SystemTraining> = {}): void {
  check("description", description, OBJECT);
  check("training", training, OBJECT);
  for (const [field, type] of Object.entries(REQUIRED)) {
    const value: unknown = description[field as keyof typeof REQUIRED];
    if (typeof value !== type) {
      throw new TypeError(`invalid description of ${description.name}: ${field}: ${value} (expected a ${type})`);
    }
  }
  const {
    name,
    settings,
    context,
    extraArrays = 0,
    changesByMethods = false,
    stackTitle = "stack",
    leftArcFrom,
    extends: base,
  } = description;
  if (base !== undefined) check(`extends of ${name}`, base, STRING);
  check(`settings of ${name}`, settings, arrayOf("an array of settings", OBJECT));
  check(`stackTitle of ${name}`, stackTitle, STRING);
  check(`extraArrays of ${name}`, extraArrays, wholeNumber(0));
  check(`changesByMethods of ${name}`, changesByMethods, TRUE_OR_FALSE);
  if (leftArcFrom !== undefined) check(`leftArcFrom of ${name}`, leftArcFrom, oneOf("top", "front"));
  if (context !== undefined) check(`context of ${name}`, context, having("a MoveContext", "rename", "fill"));
  registerSystem(description);
  registerSystemTraining(description, {
    oracles: {
      static: (system) => new SearchedOracle(system),
      nonDeterministic: () => undefined,
      dynamic: () => undefined,
    },
    templates: STACK,
    zhangNivre: { frames: [STACK_FRAME] },
    view: STACK_VIEW,
    stepsPerWord: 4,
    ...training,
  });
}
