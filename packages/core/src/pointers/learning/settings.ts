// Settings of parsers with pointers: those of graph-based parsers that have an effect, and no others.
import type { Given, SettingGroup } from "../../checks/settings.js";
import { GRAPH_DEFAULTS, TRANSITION_SETTINGS } from "../../graph/learning/settings.js";
import { isPointers } from "../pointers-header.js";

export const pointersSettings: SettingGroup = {
  settings: {},
  rules: [
    {
      settings: TRANSITION_SETTINGS,
      works: (given) => !isPointers(given),
      needs: "a transition system, not {system pointers}",
    },
    {
      settings: ["members"],
      works: (given) => !isPointers(given) || given.pipeline === true,
      needs: "a linear model with a transition system, or {pipeline}",
    },
    {
      settings: ["wordDropout"],
      works: (given) => !isPointers(given) || given.network === true,
      needs: "a transition system, or {network}",
    },
    {
      settings: ["projectivize"],
      works: (given) => !isPointers(given),
      needs: "another system: pointers build crossing arcs as they are",
    },
  ],
  defaults: (given: Given) => (isPointers(given) ? GRAPH_DEFAULTS : {}),
};
