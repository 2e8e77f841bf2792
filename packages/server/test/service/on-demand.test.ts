// Many models: loaded when they are asked for, a few at a time.
import { copyFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { eventually, modelFiles, open, post, postJson, type Running, send, sleep, startServer } from "../helpers.js";

const folder = mkdtempSync(join(tmpdir(), "stemma-on-demand-"));
const { toy } = modelFiles();
const NAMES = ["a", "b", "c"];
for (const name of NAMES) copyFileSync(toy, join(folder, `${name}.stemma`));
writeFileSync(join(folder, "broken.stemma"), "no model");
const onDemand = Object.fromEntries([...NAMES, "broken"].map((name) => [name, join(folder, `${name}.stemma`)]));

const parse = (running: Running, model: string) =>
  postJson(`${running.url}/v1/parse`, { text: "Mina sells maps.", model });
const events = (running: Running) =>
  running
    .log()
    .filter(({ event }) => /^model-/.test(String(event)))
    .map(({ event, model }) => `${event} ${model}`);

/** The script of workers that take a while to load a model. */
function slowLoader(): URL {
  const real = new URL("../../dist/pool/worker.js", import.meta.url).href;
  const script = join(folder, "slow-worker.mjs");
  writeFileSync(
    script,
    `import { workerData } from "node:worker_threads";
    if (workerData.load) await new Promise((resolve) => setTimeout(resolve, 1500));
    await import(${JSON.stringify(real)});`,
  );
  return pathToFileURL(script);
}

it("loads a model when it is asked for, and drops the one that was asked for least recently", async () => {
  const running = await startServer({ onDemand, maxLoaded: 2, threads: 1 });
  const usual = (await parse(running, "toy")).json();
  for (const name of ["a", "b", "a", "c", "b"]) {
    const answer = (await parse(running, name)).json();
    expect(answer.model).toBe(name);
    expect(answer.sentences).toEqual(usual.sentences);
  }
  await eventually(() => events(running).length === 6, "all of it is in the log");
  const [a, b, c] = ["model-loaded a", "model-loaded b", "model-loaded c"];
  expect(events(running)).toEqual([a, b, "model-dropped b", c, "model-dropped a", b]);
  const { models, onDemand: names } = (await send(`${running.url}/v1/models`, { method: "GET" })).json();
  expect(models.map(({ name }: { name: string }) => name)).toEqual(["toy", "bare"]);
  expect(names).toEqual([...NAMES, "broken"]);
  const metrics = (await send(`${running.url}/metrics`, { method: "GET" })).text;
  expect(metrics).toContain("\nstemma_models_on_demand 2\n");
  const lines = '{"id":"x","text":"Mina sells maps."}\n';
  const documents = await post(`${running.url}/v1/documents?model=c`, "application/x-ndjson", lines);
  expect(JSON.parse(documents.text).sentences.length).toBe(1);
  const udpipe = await send(`${running.url}/process?model=c&tokenizer=&tagger=&parser=&data=Mina%20sells%20maps.`, {
    method: "GET",
  });
  expect(udpipe.json().model).toBe("c");
  await running.stop();
});

it("says that a model cannot be loaded, and knows no others", async () => {
  const running = await startServer({ onDemand, threads: 1 });
  const broken = await parse(running, "broken");
  expect(broken.json()).toMatchObject({ status: 503, type: "urn:stemma:problem:model-unavailable", field: "model" });
  const failure = () => running.log().find(({ event }) => event === "model-failed");
  await eventually(() => failure() !== undefined, "the log says so");
  expect(failure()!.error).toContain("broken.stemma: ");
  const unknown = await parse(running, "../toy");
  expect(unknown.status).toBe(404);
  expect(unknown.json().detail).toMatch(/^unknown model: "..\/toy" \(expected .*broken/);
  copyFileSync(toy, join(folder, "broken.stemma"));
  expect((await parse(running, "broken")).status).toBe(200);
  await running.stop();
});

it("serves others while a model is loaded, and loads it once for all who ask", async () => {
  const running = await startServer({ onDemand, threads: 1, worker: slowLoader() });
  let isLoaded = false;
  const waiting = Promise.all(["a", "a", "a"].map((name) => parse(running, name))).then((answers) => {
    isLoaded = true;
    return answers;
  });
  let others = 0;
  while (!isLoaded) {
    expect((await parse(running, "toy")).status).toBe(200);
    if (!isLoaded) others++;
  }
  expect(others).toBeGreaterThan(3);
  expect((await waiting).map(({ status }) => status)).toEqual([200, 200, 200]);
  await eventually(() => events(running).length > 0, "it is in the log");
  expect(events(running)).toEqual(["model-loaded a"]);
  await running.stop();
});

it("a request ends with the model that it began with, although that has been dropped", async () => {
  const running = await startServer({ onDemand, maxLoaded: 1, threads: 1 });
  const text = "Mina sells maps. ".repeat(3000);
  const long = postJson(`${running.url}/v1/parse`, { text, model: "a" });
  const answers = await Promise.all([long, parse(running, "b"), parse(running, "c"), parse(running, "b")]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(answers[0]!.json().sentences.length).toBe(3000);
  await running.stop();
});

it("loads one model after the other, and only as many as may be there", async () => {
  const running = await startServer({ onDemand, maxLoaded: 1, threads: 1 });
  const answers = await Promise.all(["a", "b", "c", "a"].map((name) => parse(running, name)));
  expect(answers.map((answer) => [answer.status, answer.json().model])).toEqual([
    [200, "a"],
    [200, "b"],
    [200, "c"],
    [200, "a"],
  ]);
  await eventually(() => events(running).length >= 5, "all of it is in the log");
  const [a, b, c] = ["a", "b", "c"];
  expect(events(running)).toEqual([
    `model-loaded ${a}`,
    `model-dropped ${a}`,
    `model-loaded ${b}`,
    `model-dropped ${b}`,
    `model-loaded ${c}`,
  ]);
  await running.stop();
});

it("ends the workers of a model whose client has gone while it was loaded", async () => {
  const workers = new Set<Worker>();
  const count = (worker: Worker) => {
    workers.add(worker);
    worker.once("exit", () => workers.delete(worker));
  };
  process.on("worker", count);
  const running = await startServer({ onDemand, maxLoaded: 1, threads: 1, worker: slowLoader() });
  await parse(running, "c");
  await eventually(() => workers.size === 3, "one for c, and two for the others");
  for (const name of ["a", "b"]) {
    const { socket, closed } = open(running.port);
    const head = `POST /v1/parse?model=${name} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n`;
    socket.write(`${head}Content-Length: 16\r\n\r\nMina sells maps.`);
    const before = name === "a" ? "c" : "a";
    await eventually(() => events(running).includes(`model-dropped ${before}`), "it is being loaded");
    socket.resetAndDestroy();
    await closed;
    await eventually(() => events(running).includes(`model-loaded ${name}`), "it is loaded");
  }
  expect((await parse(running, "c")).status).toBe(200);
  await eventually(() => workers.size === 3, "the others have ended");
  process.off("worker", count);
  await running.stop();
});

it("loads nothing for clients that have gone before it was the turn of their model", async () => {
  const running = await startServer({ onDemand, maxLoaded: 1, threads: 1, worker: slowLoader() });
  const first = parse(running, "a");
  await sleep(100);
  const { socket, closed } = open(running.port);
  const head = "POST /v1/parse?model=b HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n";
  socket.write(`${head}Content-Length: 16\r\n\r\nMina sells maps.`);
  await sleep(300);
  socket.resetAndDestroy();
  await closed;
  const last = parse(running, "c");
  expect([(await first).status, (await last).status]).toEqual([200, 200]);
  await eventually(() => events(running).length >= 3, "all of it is in the log");
  expect(events(running)).toEqual(["model-loaded a", "model-dropped a", "model-loaded c"]);
  expect((await parse(running, "b")).status).toBe(200);
  await running.stop();
});
