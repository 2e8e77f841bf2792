import { workerData } from "node:worker_threads";
import { attachModel, type NamedSearch, type SharedModel, searchNamed } from "@stemma/core";
import { Annotator, type Piece } from "@stemma/server/annotation";
import { serveTasks } from "./worker-pool.js";

const { thread, search, ...model } = workerData as SharedModel & { thread: number; search: NamedSearch };
const annotator = new Annotator(await attachModel(model, thread), await searchNamed(search));

serveTasks((task: Piece) => annotator.run(task));
