import type { LessonId } from "../../../state/address/lesson-plans.js";
import { arcEager } from "./arc-eager.js";
import { attardi } from "./attardi.js";
import { beam } from "./beam.js";
import { covington } from "./covington.js";
import { dynamicOracles } from "./dynamic-oracles.js";
import { errorPropagation } from "./error-propagation.js";
import type { LessonText } from "./lesson-text.js";
import { lrSpines } from "./lr-spines.js";
import { oracles } from "./oracles.js";
import { projectivity } from "./projectivity.js";
import { shiftReduce } from "./shift-reduce.js";
import { spuriousAmbiguity } from "./spurious-ambiguity.js";
import { swap } from "./swap.js";
import { trees } from "./trees.js";
import { twoPlanar } from "./two-planar.js";

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
