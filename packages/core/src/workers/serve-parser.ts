import { readModel } from "../model-file/model-file.js";
import { Pipeline } from "../pipeline/pipeline.js";
import { type Answer, dataOf, errorData, type Start, type Task } from "./messages.js";
import { attachModel } from "./shared-model.js";

/** What a worker does with what it is sent: first the model, then tasks, each of which is answered. */
export function serveParser(send: (answer: Answer) => void): (message: Start | Task) => void {
  let pipeline: Pipeline | undefined;
  return (message) => {
    if ("model" in message) {
      const { model, thread, search } = message;
      pipeline = new Pipeline(ArrayBuffer.isView(model) ? readModel(model) : attachModel(model, thread), search);
      return;
    }
    let answer: Answer;
    try {
      answer = { sentences: [...run(pipeline!, message)].map(dataOf) };
    } catch (error) {
      answer = { error: errorData(error) };
    }
    send(answer);
  };
}

function run(pipeline: Pipeline, task: Task): ReturnType<Pipeline["parse"]> | ReturnType<Pipeline["parseTokensBest"]> {
  const { options } = task;
  if ("text" in task) return pipeline.parse(task.text, options);
  const { words, trees } = task;
  return trees === undefined ? [pipeline.parseTokens(words, options)] : pipeline.parseTokensBest(words, trees, options);
}
