import { workerData } from "node:worker_threads";
import { NetworkLearner } from "@stemma/core/training";
import { type CrewMember, serveCrew } from "./network-crew.js";

const { task, memory, agreement } = workerData as CrewMember;
serveCrew(new NetworkLearner(task, memory), agreement);
