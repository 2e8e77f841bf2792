// Settings of graph-based parsers, and what they have no use for.
import { choice, type Given, numeric, type SettingGroup } from "../../checks/settings.js";
import { isGraph } from "../graph-header.js";
import { DECODERS } from "../search/graph-decoder.js";

/** How the weights of a graph-based parser are learned. */
export const GRAPH_LEARNERS = ["mira", "perceptron"] as const;
/** One of `GRAPH_LEARNERS`. */
export type GraphLearner = (typeof GRAPH_LEARNERS)[number];

/** Settings with other defaults than for transitions; chosen on the development part of Greek. */
export const GRAPH_DEFAULTS = { learner: GRAPH_LEARNERS[0], margin: 1, minUpdates: 2 } as const;

const GRAPH = { works: isGraph, needs: "{system graph}" };

export const GRAPH_SETTINGS = {
  decoder: choice(DECODERS, {
    help: "eisner for projective trees, edmonds for crossing arcs",
    topic: "graph",
    default: "eisner",
    needs: GRAPH,
  }),
  order: numeric<1 | 2>(
    { expected: "1 or 2", accepts: (value) => value === 1 || value === 2 },
    {
      help: "1 scores arcs, 2 also neighbouring siblings",
      topic: "graph",
      default: ({ decoder, network }) => (decoder === "eisner" && !network ? 2 : 1),
      byDefault: "2, with edmonds or {network} 1",
      needs: [
        GRAPH,
        {
          works: ({ order, network }) => order !== 2 || network !== true,
          needs: "no {network}: order 2 is for linear models",
        },
        {
          works: ({ order, decoder }) => order !== 2 || decoder !== "edmonds",
          needs:
            "{decoder eisner} for order 2: no fast algorithm is known for the best non-projective tree with siblings",
        },
      ],
    },
  ),
};

/** Settings that only parsers with transitions have. */
export const TRANSITION_SETTINGS: readonly string[] = [
  ...["oracle", "root", "features", "systemSettings", "beam", "update", "lowestLoss", "merge", "singleSteps"],
  ...["globalEpochs", "joint", "tagsPerWord", "tagMargin", "partial", "silver", "exploreFrom"],
  ...["exploreProbability", "lossBound", "afterUpdate", "featureDropout", "afterError", "aggressiveness"],
  ...["costSensitive", "averaging", "activation", "trainVectors"],
];

export const graphSettings: SettingGroup = {
  settings: GRAPH_SETTINGS,
  rules: [
    {
      settings: TRANSITION_SETTINGS,
      works: (given) => !isGraph(given),
      needs: "a transition system, not {system graph}",
    },
    {
      settings: ["members"],
      works: (given) => !isGraph(given) || given.pipeline === true,
      needs: "a linear model with a transition system, or {pipeline}",
    },
    {
      settings: ["wordDropout"],
      works: (given) => !isGraph(given) || given.network === true,
      needs: "a transition system, or {network}",
    },
    {
      settings: ["projectivize"],
      works: (given) => !isGraph(given) || given.decoder !== "edmonds",
      needs: "{decoder eisner} with {system graph}: edmonds builds crossing arcs as they are",
    },
  ],
  defaults: (given: Given) => (isGraph(given) ? GRAPH_DEFAULTS : {}),
};
