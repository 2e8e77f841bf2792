import { loadModel, searchNamed } from "../model-file/load.js";
import { EventLoopPauses } from "../pipeline/event-loop-pauses.js";
import { Pipeline } from "../pipeline/pipeline.js";
import type { Sentence } from "../treebank/sentence/sentence.js";
import { type Abort, type Answer, dataOf, errorData, type SentenceData, type Start, type Task } from "./messages.js";
import { attachModel } from "./shared-model.js";

/**
 * The answers of a worker to its messages: first the model, then tasks, each of which is answered, and of which one may
 * be aborted before it is done: the worker listens between sentences.
 */
export function serveParser(send: (answer: Answer) => void): (message: Start | Task | Abort) => void {
  let pipeline: Promise<Pipeline> | undefined;
  let isAborted = false;
  return async (message) => {
    if ("model" in message) {
      pipeline = start(message);
      await pipeline;
      return;
    }
    if ("abort" in message) {
      isAborted = true;
      return;
    }
    isAborted = false;
    let answer: Answer;
    try {
      const sentences: SentenceData[] = [];
      const own = await pipeline!;
      const pauses = new EventLoopPauses();
      for (const sentence of run(own, message)) {
        sentences.push(dataOf(sentence));
        await pauses.next();
        if (isAborted) break;
      }
      answer = { sentences };
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

function run(pipeline: Pipeline, task: Task): Iterable<Sentence> {
  const { options } = task;
  if ("text" in task) return pipeline.parse(task.text, options);
  if ("cut" in task) return pipeline.parseCut(task.cut, options);
  const { words, trees } = task;
  return trees === undefined ? [pipeline.parseTokens(words, options)] : pipeline.parseTokensBest(words, trees, options);
}
