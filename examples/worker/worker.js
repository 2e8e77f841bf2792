// Parses the text that the page sends and answers with one message per sentence, so that the first tree appears at once.
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
