// An HTTP service in a few lines: node examples/node-service/service.mjs
//   curl --data "The old mill wheel turns slowly." http://localhost:8000/
// PORT=… chooses another port; 0 takes a free one.
import { createServer } from "node:http";
import { load } from "@stemma/core";
import model from "@stemma/model-en";

/** Parsing is synchronous: a longer text would keep other clients waiting. */
const MOST_CHARACTERS = 100_000;

const parser = await load(model);

/** The body of a request; undefined if it is too long. */
async function textOf(request) {
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) {
    text += chunk;
    if (text.length > MOST_CHARACTERS) return undefined;
  }
  return text;
}

const server = createServer(async (request, response) => {
  const answer = (status, body) =>
    response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(body)}\n`);
  try {
    if (request.method !== "POST") return answer(405, { error: "POST a text" });
    const text = await textOf(request);
    if (text === undefined) return answer(413, { error: `the text has more than ${MOST_CHARACTERS} characters` });
    const sentences = [...parser.parse(text)].map((sentence) => ({
      text: sentence.text,
      words: sentence.words.map(({ form, lemma, upos, head, deprel }) => ({
        form,
        lemma,
        upos,
        head: head?.form ?? null,
        deprel,
      })),
    }));
    return answer(200, { sentences });
  } catch (error) {
    return answer(500, { error: String(error) });
  }
});

server.listen(Number(process.env.PORT ?? 8000), () => {
  console.log(`listening on http://localhost:${server.address().port}/`);
});
