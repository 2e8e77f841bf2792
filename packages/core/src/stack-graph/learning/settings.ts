// The common properties of merged hypotheses, in training.
import { choice, type Given } from "../../checks/settings.js";
import { EXACT } from "../../exact/name.js";
import { exactSystems, waysOf } from "../../exact/two-words.js";
import { choosesTags } from "../../joint-tagging/learning/settings.js";
import { isStructured } from "../../learning/settings/steps.js";
import { createSystem, describeSystem, ownSettings, systemNames } from "../../registry/systems.js";
import { STACK_GRAPH } from "../name.js";

/** Can hypotheses be merged in a graph-structured stack? */
const hasStackGraph = (system: string) =>
  systemNames().includes(system) && describeSystem(system).leftArcFrom !== undefined;

const merges = ({ merge }: Given) => merge === STACK_GRAPH;

/** Is there an exact search for the system with its settings? On the command line these are options of their own. */
const hasExact = (given: Given) => {
  const { system, root, systemSettings } = given;
  if (!systemNames().includes(system)) return false;
  const settings = ownSettings(system, { ...given, ...systemSettings });
  return waysOf(createSystem(system, { root, ...settings })) !== undefined;
};

export const MERGE_SETTINGS = {
  merge: choice(["states", STACK_GRAPH, EXACT], {
    help: "with {globalEpochs}: what hypotheses that are merged have in common: everything, or the tops of their stacks, as nodes of a graph-structured stack; exact: all that features see, and none is given up",
    topic: "beam",
    placeholder: "what",
    default: "states",
    needs: [
      { works: isStructured, needs: "{beam} and {globalEpochs}, without {network}" },
      {
        works: (given) => !merges(given) || (hasStackGraph(given.system) && !choosesTags(given) && given.beam > 1),
        get needs() {
          const able = systemNames().filter(hasStackGraph).join(" or ");
          return `for stack-graph {system ${able}}, {beam} above 1, and no {joint tags} or morphology`;
        },
      },
      {
        works: (given) => given.merge !== EXACT || (hasExact(given) && !choosesTags(given)),
        get needs() {
          return `for exact {system ${exactSystems().join(" or ")}} as it is, {root last}, and no {joint tags} or morphology`;
        },
      },
      {
        works: (given) =>
          given.merge === "states" || (given.update !== "early" && !given.lowestLoss && given.lossBound === undefined),
        needs: "for stack-graph and exact {update max-violation}, without {lowestLoss} and {lossBound}",
      },
    ],
  }),
};
