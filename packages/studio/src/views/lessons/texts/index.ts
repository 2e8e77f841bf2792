import type { LessonId } from "../../../state/address/lesson-plans.js";
import { beam } from "./beam.js";
import { dynamicOracles } from "./dynamic-oracles.js";
import { errorPropagation } from "./error-propagation.js";
import type { LessonText } from "./lesson-text.js";
import { oracles } from "./oracles.js";
import { projectivity } from "./projectivity.js";
import { spuriousAmbiguity } from "./spurious-ambiguity.js";
import { arcEager } from "./systems/arc-eager.js";
import { attardi } from "./systems/attardi.js";
import { covington } from "./systems/covington.js";
import { lrSpines } from "./systems/lr-spines.js";
import { shiftReduce } from "./systems/shift-reduce.js";
import { swap } from "./systems/swap.js";
import { twoPlanar } from "./systems/two-planar.js";
import { trees } from "./trees.js";

export const TEXTS: Readonly<Record<LessonId, LessonText>> = {
  trees,
  "shift-reduce": shiftReduce,
  "arc-eager": arcEager,
  "spurious-ambiguity": spuriousAmbiguity,
  projectivity,
  swap,
  attardi,
  covington,
  "two-planar": twoPlanar,
  "lr-spines": lrSpines,
  oracles,
  "dynamic-oracles": dynamicOracles,
  "error-propagation": errorPropagation,
  beam,
};
