import { workerData } from "node:worker_threads";
import { GraphNetworkLearner, NetworkLearner } from "@stemma/core/training";
import { type CrewMember, serveCrew } from "./network-crew.js";

const { task, memory, agreement } = workerData as CrewMember;
const Learner = task.size.view.arcs ? GraphNetworkLearner : NetworkLearner;
serveCrew(new Learner(task, memory), agreement);
