// Texts in languages that the models are not for, and the choice of a model by the text.
import { readFileSync } from "node:fs";
import { load } from "@stemma/core";
import { expect, it } from "vitest";
import { modelFiles, post, postJson, send, startServer } from "../helpers.js";

const HEBREW = "הטחנה הישנה ליד הנהר אינה מסתובבת כבר שנים רבות, ואיש בכפר אינו זוכר מדוע סגרו אותה.";
const ENGLISH = "The old mill beside the river has not turned for years, and nobody in the village remembers why.";
const GERMAN = "Die alte Mühle am Fluss steht seit vielen Jahren still, und niemand im Dorf weiß noch, warum.";

it("says in the answer and in a header that a text is not in the language of the model", async () => {
  const { model } = await load(readFileSync(modelFiles().toy));
  Object.assign(model.origin, { language: "en" });
  const running = await startServer({ models: { english: model }, threads: 1 });
  const url = `${running.url}/v1/parse`;
  const detail = "the text looks like Hebrew (Hebrew letters), and the model is for English: its trees mean nothing";
  for (const body of [{ text: HEBREW }, { sentences: [HEBREW] }, { tokens: [HEBREW.split(" ")] }]) {
    const answer = await postJson(url, body);
    expect(answer.json().warnings).toEqual([{ type: "language", detail, language: "he" }]);
    expect(answer.headers["x-stemma-warning"]).toBe(detail);
    expect(answer.json().sentences.length).toBeGreaterThan(0);
  }
  const conllu = await post(url, "text/plain", HEBREW, { Accept: "text/x-conllu" });
  expect(conllu.headers["x-stemma-warning"]).toBe(detail);
  const fine = await postJson(url, { text: ENGLISH });
  expect(fine.json().warnings).toBeUndefined();
  expect(fine.headers["x-stemma-warning"]).toBeUndefined();
  const { models } = (await send(`${running.url}/v1/models`, { method: "GET" })).json();
  expect(models[0].language).toBe("en");
  await running.stop();
});

it("chooses the model that is for the language of the text, also one that is loaded on demand", async () => {
  const { toy } = modelFiles();
  const { model } = await load(readFileSync(toy));
  Object.assign(model.origin, { language: "en" });
  const running = await startServer({
    models: { english: model },
    onDemand: { "de-small": toy },
    threads: 1,
  });
  const url = `${running.url}/v1/parse?model=auto`;
  expect((await post(url, "text/plain", ENGLISH)).json().model).toBe("english");
  expect((await post(url, "text/plain", GERMAN)).json().model).toBe("de-small");
  const refused = await post(url, "text/plain", HEBREW);
  expect(refused.status).toBe(422);
  expect(refused.json()).toMatchObject({
    type: "urn:stemma:problem:no-model-fits",
    detail: "no model is for the text: it looks like Hebrew (there are english (en), de-small (de))",
  });
  await running.stop();
});
