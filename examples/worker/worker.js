// Parses what the page sends, and answers with one message for each sentence, so that the first tree is there at once.
import { load } from "@stemma/core";
import model from "@stemma/model-en";

const loading = load(model);

addEventListener("message", async ({ data: { job, text } }) => {
  try {
    const parser = await loading;
    for (const sentence of parser.parse(text)) postMessage({ job, tree: sentence.toText() });
    postMessage({ job, done: true });
  } catch (error) {
    postMessage({ job, error: error.message });
  }
});
