import { check, oneOf, STRING } from "../../checks/options.js";
import { arrayOf } from "../../checks/shapes.js";
import { describeSystem } from "../systems.js";
import { defaultView, systemTraining } from "../training.js";
import { CHEN_MANNING_VIEW, history, WITH_NONE } from "./default-templates.js";
import { huangSagae } from "./huang-sagae.js";
import { TWO_WORDS } from "./two-words.js";
import { BUFFER_FRAME, ZHANG_NIVRE_GROUPS, type ZhangNivreGroup, zhangNivre } from "./zhang-nivre.js";

/**
 * The sets of feature templates that ship: `huang-sagae` for arc-standard and arc-hybrid, `two-words` where arcs join
 * the top of the stack and the front of the buffer, the others for every system.
 */
export const FEATURE_SETS = ["default", "zhang-nivre", "huang-sagae", "two-words"] as const;

/** The views of networks besides the default, by name. */
export const NETWORK_VIEWS = ["chen-manning"] as const;

/**
 * Is this the name of feature templates that ship, as `featureTemplates` and `viewTemplates` take it, and not that of a
 * file?
 */
export function isFeatureSet(name: string): boolean {
  check("name of a feature set", name, STRING);
  return [...FEATURE_SETS, ...NETWORK_VIEWS].some((set) => name === set || name.startsWith(`${set}+`));
}

/**
 * The feature templates of a name: one of `FEATURE_SETS`, and after a + each what is added to them. Throws a
 * RangeError if there are none of that name for the system.
 * @param system the name of the system
 * @param name the name of the set
 */
export function featureTemplates(system: string, name: string): string {
  check("system", system, STRING);
  check("name of a feature set", name, STRING);
  const { sets, additions } = allOf(system);
  const [set, ...added] = name.split("+");
  const base = Object.hasOwn(sets, set!) ? sets[set!]!() : undefined;
  const known = added.filter((addition, i) => Object.hasOwn(additions, addition) && added.indexOf(addition) === i);
  if (base === undefined || known.length < added.length) {
    const names = Object.keys(sets);
    const more = Object.keys(additions).map((addition) => `+${addition}`);
    throw new RangeError(
      `invalid features: ${name} (expected ${names.slice(0, -1).join(", ")} or ${names.at(-1)}, and after it any of ${more.join(", ")} for ${system}, each once)`,
    );
  }
  return [base, ...known.map((addition) => without(base, additions[addition]!))].join("");
}

/** Templates without those that a set has already: every template is there once. */
function without(base: string, addition: string): string {
  const templatesOf = (line: string) => line.split(";").map((template) => template.trim());
  const known = new Set(base.split("\n").flatMap(templatesOf).filter(Boolean));
  const lacking = (line: string) => templatesOf(line).filter((template) => !known.has(template));
  const lines = addition.split("\n");
  return lines
    .map((line) => (lacking(line).length < templatesOf(line).length ? lacking(line).join("; ") : line))
    .join("\n");
}

/** The sets of templates of a system, and what can be added to them, by name. */
function allOf(system: string): {
  sets: Readonly<Record<string, () => string>>;
  additions: Readonly<Record<string, string>>;
} {
  const { templates, zhangNivre, additions } = systemTraining(system);
  const { S0, N0 } = zhangNivre.frames[0]!;
  const { context, leftArcFrom } = describeSystem(system);
  const withLabels = !context?.names.includes("t0");
  return {
    sets: {
      default: () => templates,
      "zhang-nivre": () => zhangNivreTemplates(system),
      ...(leftArcFrom && { "huang-sagae": () => huangSagae(leftArcFrom) }),
      ...(!context && zhangNivre.frames[0] === BUFFER_FRAME && { "two-words": () => TWO_WORDS }),
    },
    additions: { none: WITH_NONE, history: history(S0, N0, withLabels), ...additions },
  };
}

/**
 * The view of a network by name: `default`, or `chen-manning`. Throws a RangeError if there is none of that name for
 * the system.
 */
export function viewTemplates(system: string, name: string): string {
  check("system", system, STRING);
  check("name of a feature set", name, STRING);
  const isStack = describeSystem(system).context === undefined;
  if (name === "default") return defaultView(system);
  if (name === "chen-manning" && isStack) return CHEN_MANNING_VIEW;
  throw new RangeError(
    `invalid features of a network: ${name} (expected default${isStack ? " or chen-manning" : `, for ${system}`})`,
  );
}

const GROUPS = arrayOf("an array of groups", oneOf(...ZHANG_NIVRE_GROUPS));

/** The templates of Zhang & Nivre (2011) as a system sees them: all 72, or some of their groups. */
export function zhangNivreTemplates(system: string, groups: readonly ZhangNivreGroup[] = ZHANG_NIVRE_GROUPS): string {
  const { zhangNivre: view } = systemTraining(system);
  check("groups", groups, GROUPS);
  return zhangNivre(view, groups);
}
