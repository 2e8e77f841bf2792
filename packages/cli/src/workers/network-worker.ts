import { workerData } from "node:worker_threads";
import { TAGS } from "@stemma/core/tags";
import { GraphNetworkLearner, JointNetworkLearner, NetworkLearner, TagsNetworkLearner } from "@stemma/core/training";
import { type CrewMember, serveCrew } from "./network-crew.js";

const { task, memory, agreement } = workerData as CrewMember;
const Learner =
  task.system === TAGS
    ? TagsNetworkLearner
    : task.size.view.arcs
      ? GraphNetworkLearner
      : "choices" in task.examples
        ? JointNetworkLearner
        : NetworkLearner;
serveCrew(new Learner(task, memory), agreement);
