import type { LessonId } from "../../../state/address/lesson-plans.js";
import { arcEager } from "./arc-eager.js";
import { beam } from "./beam.js";
import { errorPropagation } from "./error-propagation.js";
import type { LessonText } from "./lesson-text.js";
import { oracles } from "./oracles.js";
import { projectivity } from "./projectivity.js";
import { shiftReduce } from "./shift-reduce.js";
import { spuriousAmbiguity } from "./spurious-ambiguity.js";
import { swap } from "./swap.js";

export const TEXTS: Readonly<Record<LessonId, LessonText>> = {
  "shift-reduce": shiftReduce,
  "arc-eager": arcEager,
  "spurious-ambiguity": spuriousAmbiguity,
  projectivity,
  swap,
  oracles,
  "error-propagation": errorPropagation,
  beam,
};
