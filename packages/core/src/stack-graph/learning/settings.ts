// The common properties of merged hypotheses, in training.
import { choice, type Given } from "../../checks/settings.js";
import { choosesTags } from "../../joint-tagging/learning/settings.js";
import { isStructured } from "../../learning/settings/steps.js";
import { describeSystem, systemNames } from "../../registry/systems.js";
import { STACK_GRAPH } from "../name.js";

/** Can hypotheses be merged in a graph-structured stack? */
const hasStackGraph = (system: string) =>
  systemNames().includes(system) && describeSystem(system).leftArcFrom !== undefined;

const merges = ({ merge }: Given) => merge === STACK_GRAPH;

export const MERGE_SETTINGS = {
  merge: choice(["states", STACK_GRAPH], {
    help: "with {globalEpochs}: what hypotheses that are merged have in common: everything, or the tops of their stacks, as nodes of a graph-structured stack",
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
        works: (given) =>
          !merges(given) || (given.update !== "early" && !given.lowestLoss && given.lossBound === undefined),
        needs: "for stack-graph {update max-violation}, without {lowestLoss} and {lossBound}",
      },
    ],
  }),
};
