import { loadModel, searchNamed } from "../model-file/load.js";
import { Pipeline } from "../pipeline/pipeline.js";
import { type Answer, dataOf, errorData, type Start, type Task } from "./messages.js";
import { attachModel } from "./shared-model.js";

/** The answers of a worker to its messages: first the model, then tasks, each of which is answered. */
export function serveParser(send: (answer: Answer) => void): (message: Start | Task) => void {
  let pipeline: Promise<Pipeline> | undefined;
  return async (message) => {
    if ("model" in message) {
      pipeline = start(message);
      await pipeline;
      return;
    }
    let answer: Answer;
    try {
      answer = { sentences: [...run(await pipeline!, message)].map(dataOf) };
    } catch (error) {
      answer = { error: errorData(error) };
    }
    send(answer);
  };
}

async function start({ model, thread, search }: Start): Promise<Pipeline> {
  const own = ArrayBuffer.isView(model) ? loadModel(model) : attachModel(model, thread);
  return new Pipeline(await own, await searchNamed(search));
}

function run(pipeline: Pipeline, task: Task): ReturnType<Pipeline["parse"]> | ReturnType<Pipeline["parseTokensBest"]> {
  const { options } = task;
  if ("text" in task) return pipeline.parse(task.text, options);
  const { words, trees } = task;
  return trees === undefined ? [pipeline.parseTokens(words, options)] : pipeline.parseTokensBest(words, trees, options);
}
