// POST /v1/parse and what stands around it, over real sockets.
import { readFileSync } from "node:fs";
import { Document, Pipeline, readModel, readTreebank } from "@stemma/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TAGGED } from "../../../core/test/toy-model.js";
import { MEMBER_NAMES, OPTION_NAMES, TOKEN } from "../../src/routes/request-shape.js";
import { eventually, modelFiles, open, post, postJson, type Running, send, startServer } from "../helpers.js";

const TEXT = "Mina sells old boats. Toru doesn't like green apples!\n\nRek paints maps.\n";
const NDJSON = { Accept: "application/x-ndjson" };
const CONLLU = { Accept: "text/x-conllu" };

let running: Running;
let parse: string;
let pipeline: Pipeline;
beforeAll(async () => {
  running = await startServer();
  parse = `${running.url}/v1/parse`;
  pipeline = new Pipeline(readModel(readFileSync(modelFiles().toy)));
});
afterAll(() => running.stop());

/** The server's answer to a text: the sentences with their numbers, and where paragraphs begin. */
const treesOf = (text: string, input: "text" | "lines" = "text", from = pipeline) => {
  const sentences = [...from.parse(text, { input })];
  const firsts = new Set(input === "lines" ? [] : new Document(sentences).paragraphs.map((p) => p.sentences[0]));
  return sentences.map((sentence, i) => {
    sentence.comments = [...(firsts.has(sentence) ? ["# newpar"] : []), `# sent_id = ${i + 1}`, ...sentence.comments];
    return JSON.parse(JSON.stringify(sentence));
  });
};
const lines = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("POST /v1/parse", () => {
  it("parses text: as text and in JSON, to JSON, NDJSON and CoNLL-U", async () => {
    const expected = treesOf(TEXT);
    expect(expected).toHaveLength(3);
    for (const [type, body] of [
      ["text/plain; charset=utf-8", TEXT],
      ["application/json", JSON.stringify({ text: TEXT })],
    ] as const) {
      const json = await post(parse, type, body);
      expect(json.status).toBe(200);
      expect(json.headers["content-type"]).toBe("application/json; charset=utf-8");
      expect(json.json()).toEqual({ model: "toy", sentences: expected });
      const ndjson = await post(parse, type, body, NDJSON);
      expect(ndjson.headers["content-type"]).toBe("application/x-ndjson; charset=utf-8");
      expect(lines(ndjson.text)).toEqual(expected);
      const conllu = await post(parse, type, body, CONLLU);
      expect(conllu.headers["content-type"]).toBe("text/x-conllu; charset=utf-8");
      const sentences = readTreebank(conllu.text, { requireTree: true, singleRoot: true });
      expect(sentences.map((s) => [...s.heads.slice(1)])).toEqual(
        expected.map(({ words }) => words.map((word: { head: number }) => word.head)),
      );
      expect(sentences.map((s) => s.id)).toEqual(["1", "2", "3"]);
      expect(conllu.text.match(/^# newpar$/gm)).toHaveLength(2);
    }
  });

  it("parses sentences and tokens, one tree for each", async () => {
    const sentences = await postJson(parse, { sentences: ["Mina sells boats. Rek finds maps.", "Toru likes\nlamps!"] });
    expect(sentences.json().sentences.map((s: { text: string }) => s.text)).toEqual([
      "Mina sells boats. Rek finds maps.",
      "Toru likes lamps!",
    ]);
    const tokens = [["Mina", "does", "n't", "sell", "maps"], ["Rek"]];
    const answer = await postJson(parse, { tokens, scores: true });
    const [first, second] = answer.json().sentences;
    expect(first.words.map((w: { form: string }) => w.form)).toEqual(tokens[0]);
    expect(second.words).toHaveLength(1);
    for (const { score } of first.words) expect(score).toBeGreaterThan(0);
    const asText = await post(`${parse}?input=tokens`, "text/plain", "Mina sells maps .\nRek paints lamps");
    expect(asText.json().sentences.map((s: { words: unknown[] }) => s.words.length)).toEqual([4, 3]);
    const asLines = await post(`${parse}?input=lines`, "text/plain", "Mina sells maps. Rek paints.\n\nToru\n");
    expect(asLines.json().sentences.map((s: { text: string }) => s.text)).toEqual([
      "Mina sells maps. Rek paints.",
      "Toru",
    ]);
  });

  it("gives for lines and for tokens what the pipeline does: places in the whole text, and no paragraphs", async () => {
    const text = "Mina sells maps .\r\n\r\n  Rek   paints lamps\u2028Toru\n";
    for (const input of ["lines", "tokens"] as const) {
      const own = [...pipeline.parse(text, { input })];
      const { json } = await post(`${parse}?input=${input}`, "text/plain", text);
      const places = (sentences: { start: number; end: number; text: string }[]) =>
        sentences.map(({ start, end, text }) => [text, start, end]);
      expect(places(json().sentences)).toEqual(places(JSON.parse(JSON.stringify(own))));
      const conllu = (await post(`${parse}?input=${input}`, "text/plain", text, CONLLU)).text;
      expect(conllu.replace(/^# sent_id = .*\n/gm, "")).toBe(own.map((sentence) => sentence.toConllu()).join(""));
    }
  });

  it("parses CoNLL-U and keeps what it does not fill in", async () => {
    for (const [type, body] of [
      ["text/x-conllu", TAGGED],
      ["application/x-conllu", `\ufeff${TAGGED.replaceAll("\n", "\r\n")}`],
      ["application/json", JSON.stringify({ conllu: TAGGED })],
    ] as const) {
      const conllu = await post(parse, type, body, CONLLU);
      expect(conllu.status, conllu.text).toBe(200);
      const sentences = readTreebank(conllu.text, { requireTree: true, singleRoot: true });
      expect(sentences.map((s) => s.length)).toEqual([5, 3, 1, 2]);
      expect(conllu.text).toContain("# sent_id = a\n# text = The old boat sank .\n");
      expect(conllu.text).toContain("1-3\tdámelo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n");
      expect(conllu.text).not.toContain("\r");
    }
    const json = await post(`${parse}?model=bare&scores=true`, "text/x-conllu", TAGGED);
    expect(json.json().model).toBe("bare");
    expect(json.json().sentences[0]).toMatchObject({ version: 1, id: "a", text: "The old boat sank ." });
    expect(json.json().sentences[3].words[0].score).toBeGreaterThan(0);
    const scored = await post(`${parse}?scores`, "text/x-conllu", TAGGED, CONLLU);
    expect(scored.text.match(/Score=0\.\d{3}/g)).toHaveLength(11);
  });

  it("gives several trees, wider beams and drawings, and keeps heads, when it is asked to", async () => {
    const trees = (await postJson(parse, { text: TEXT, trees: 2 })).json().sentences;
    expect(trees.filter(({ tree }: { tree: { rank: number } }) => tree.rank === 1)).toHaveLength(3);
    expect(trees.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(["1", "2", "3"]));
    const second = trees.find(({ tree }: { tree: { rank: number } }) => tree.rank === 2);
    expect(trees).toContainEqual(
      expect.objectContaining({ id: second.id, tree: { ...second.tree, rank: 1, score: expect.anything() } }),
    );
    const tokens = (
      await post(
        `${parse}?trees=2&beam=4`,
        "application/json",
        '{"tokens": [["Mina", "sells", "old", "maps"]]}',
        CONLLU,
      )
    ).text;
    expect(tokens).toContain("# tree = 2 of 2");
    expect(tokens.match(/# sent_id = 1$/gm)).toHaveLength(2);
    const wide = (await postJson(parse, { text: TEXT, beam: 8 })).json().sentences;
    expect(wide).toEqual(treesOf(TEXT, "text", new Pipeline(pipeline.model, { beam: 8 })));
    for (const { svg, text } of (await postJson(parse, { text: TEXT, svg: true })).json().sentences) {
      expect(svg).toBe([...pipeline.parse(text)][0]!.toSVG());
    }
    expect((await post(`${parse}?svg`, "text/x-conllu", TAGGED)).json().sentences[0].svg).toMatch(/^<svg /);
    const free = TAGGED.replace(/^(\d+\t(?:[^\t]*\t){5})\d+\t\w+/gm, "$1_\t_");
    const kept = free.replace(/^1\t((?:[^\t]*\t){5})_\t_/m, "1\t$12\tvocative");
    const answer = await post(`${parse}?keep`, "text/x-conllu", kept, CONLLU);
    expect(readTreebank(answer.text)[0]!.deprel(1)).toBe("vocative");
    const untagged = TAGGED.replaceAll("NOUN", "ODD");
    expect((await post(parse, "text/x-conllu", untagged, CONLLU)).text).toContain("ODD");
    expect((await post(`${parse}?retag`, "text/x-conllu", untagged, CONLLU)).text).not.toContain("ODD");
  });

  it.each([
    [{ trees: 2, scores: true }, "scores"],
    [{ trees: 3, beam: 2 }, "beam"],
    [{ trees: 0 }, "trees"],
    [{ beam: 1000 }, "beam"],
    [{ beam: "2" }, "beam"],
    [{ keep: true }, "keep"],
    [{ retag: true }, "retag"],
    [{ svg: 1 }, "svg"],
  ])("refuses options that contradict each other or have no effect: %j", async (options, field) => {
    const answer = await postJson(parse, { text: TEXT, ...options });
    expect([answer.status, answer.json().field]).toEqual([400, field]);
    const drawn = await post(`${parse}?svg`, "text/plain", TEXT, CONLLU);
    expect([drawn.status, drawn.json().field]).toEqual([400, "svg"]);
  });

  it("answers an empty text with no sentences", async () => {
    expect((await post(parse, "text/plain", "")).json()).toEqual({ model: "toy", sentences: [] });
    expect((await post(parse, "text/plain", " \n\n ", NDJSON)).text).toBe("");
    expect((await postJson(parse, { tokens: [] })).json().sentences).toEqual([]);
  });

  it("gives the same for a long text, whatever its pieces", async () => {
    const text = Array.from(
      { length: 900 },
      (_, i) => `Mina sells boats ${i}.${["\n\n", " ", "\n\n\n  "][i % 3]}`,
    ).join("");
    const expected = treesOf(text);
    expect((await post(parse, "text/plain", text, NDJSON)).text).toBe(
      expected.map((s) => `${JSON.stringify(s)}\n`).join(""),
    );
    expect((await postJson(parse, { text })).json().sentences).toEqual(expected);
    const listed = `${text.replace(/\s+/g, "\n")}\n\n`;
    const sentences = (await post(`${parse}?input=lines`, "text/plain", listed)).json().sentences;
    expect(sentences).toEqual(treesOf(listed, "lines"));
  });

  it("is not held up by texts that are made to be slow", async () => {
    const blank = "\n".repeat(200_000);
    const texts = [
      `Mina sells maps.${blank}Rek`,
      `${" ".repeat(300_000)}Rek`,
      `a${"\n a".repeat(3000)}`,
      ".".repeat(100_000),
    ];
    // Of the processor, with that of the workers: a clock says as much about what else the machine does.
    const begun = process.cpuUsage();
    for (const text of texts) {
      await Promise.all([
        post(parse, "text/plain", text, NDJSON),
        post(`${parse}?input=lines`, "text/plain", text, NDJSON),
        postJson(parse, { text }).catch(() => {}),
      ]);
    }
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1e6).toBeLessThan(20);
    const answer = await post(parse, "text/plain", texts[0]!);
    expect(answer.json().sentences.map((s: { text: string }) => s.text)).toEqual(["Mina sells maps.", "Rek"]);
  });

  it("sends trees while the request is still being sent", async () => {
    const { socket, until, text, closed } = open(running.port);
    socket.write(
      "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nAccept: application/x-ndjson\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
    );
    const chunk = (part: string) => socket.write(`${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`);
    chunk("Mina sells boats.\n\nT");
    await until('"id":"1"');
    chunk("oru likes maps.\n\nR");
    await until('"id":"2"');
    expect(text()).not.toContain('"id":"3"');
    chunk("ek finds ponds.");
    socket.write("0\r\n\r\n");
    await closed;
    expect(text()).toMatch(/"id":"3","text":"Rek finds ponds\."[^\n]*\n\r\n0\r\n\r\n$/);
  });

  it("reads no more than it can send, and takes turns with small requests", async () => {
    const paragraph = `${"Mina sells old boats. ".repeat(20)}\n\n`;
    const body = paragraph.repeat(60_000);
    const big = await startServer({ maxBody: 1 << 26 });
    const { socket, until } = open(big.port);
    socket.write(
      `POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nAccept: application/x-ndjson\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
    await until('"id":"1"');
    const begun = performance.now();
    for (let i = 0; i < 10; i++) {
      const small = await post(`${big.url}/v1/parse`, "text/plain", "Rek finds maps.");
      expect(small.json().sentences).toHaveLength(1);
    }
    expect(performance.now() - begun).toBeLessThan(30_000);
    socket.pause();
    // Nobody reads the answer, so the body is not read either.
    let before = -1;
    await eventually(() => before === (before = socket.writableLength), "the server stops reading");
    expect(socket.writableLength).toBeGreaterThan(body.length / 4);
    expect(big.server.service.scheduler.waiting).toBeLessThan(10);
    socket.destroy();
    await eventually(() => big.log().some(({ status }) => status === 499), "the request ends");
    await big.stop();
  });

  it.each([
    ["no JSON", "application/json", "{text", 400, "body"],
    ["JSON that is no object", "application/json", "[1]", 400, "body"],
    ["null", "application/json", "null", 400, "body"],
    ["a text that is none", "application/json", '{"text":{"a":1}}', 400, "text"],
    ["an array for a text", "application/json", '{"text":["a"]}', 400, "text"],
    ["nothing to parse", "application/json", "{}", 400, "text"],
    ["two things to parse", "application/json", '{"text":"a","tokens":[]}', 400, "tokens"],
    ["a member that is not known", "application/json", '{"txt":"a"}', 400, "txt"],
    ["__proto__", "application/json", '{"__proto__":{"text":"a"}}', 400, "__proto__"],
    ["a model that is no string", "application/json", '{"text":"a","model":7}', 400, "model"],
    ["a model that is not there", "application/json", '{"text":"a","model":"../../etc/passwd"}', 404, "model"],
    ["scores that are no boolean", "application/json", '{"text":"a","scores":"yes"}', 400, "scores"],
    ["sentences that are no array", "application/json", '{"sentences":"a"}', 400, "sentences"],
    ["a sentence without words", "application/json", '{"sentences":["a"," "]}', 400, "sentences[1]"],
    ["tokens that are no arrays", "application/json", '{"tokens":["a"]}', 400, "tokens[0]"],
    ["a token that is a number", "application/json", '{"tokens":[["a",1]]}', 400, "tokens[0][1]"],
    ["an empty token", "application/json", '{"tokens":[["a"],["b",""]]}', 400, "tokens[1][1]"],
    ["half a character", "application/json", '{"text":"\\ud800"}', 400, "text"],
    ["deep nesting", "application/json", `{"text":${"[".repeat(100_000)}`, 400, "body"],
    [
      "a sentence that is too long, in tokens",
      "application/json",
      JSON.stringify({ tokens: [["a"], Array(201).fill("a")] }),
      422,
      "tokens[1]",
    ],
    [
      "a sentence that is too long, in text, where that is asked for",
      "application/json",
      JSON.stringify({ text: `Rek paints. ${"maps ".repeat(201)}`, tooLong: "error" }),
      422,
      "text",
    ],
    [
      "a text without any end, where that is asked for",
      "application/json",
      JSON.stringify({ text: "a,".repeat(20_000), tooLong: "error" }),
      422,
      "text",
    ],
    ["CoNLL-U with too few columns", "text/x-conllu", "1\ta\n\n", 422, "conllu"],
    ["text for a model that has no segmenter", "application/json", '{"text":"a","model":"bare"}', 422, "text"],
    ["another type", "application/xml", "<a/>", 415, "Content-Type"],
    ["another character set", "text/plain; charset=latin1", "a", 415, "Content-Type"],
  ])("refuses %s", async (_, type, body, status, field) => {
    const answer = await post(parse, type, body);
    expect(answer.headers["content-type"]).toBe("application/problem+json");
    expect(answer.json()).toMatchObject({
      status,
      field,
      title: expect.any(String),
      type: expect.stringMatching(/^urn:stemma:problem:/),
    });
    expect(answer.json().detail.length).toBeLessThan(400);
    expect(answer.status).toBe(status);
  });

  it("refuses headers and parameters it does not know", async () => {
    const field = async (answer: ReturnType<typeof post>) => [(await answer).status, (await answer).json().field];
    expect(await field(post(parse, "text/plain", "a", { Accept: "image/png" }))).toEqual([406, "Accept"]);
    expect(await field(post(parse, "text/plain", "a", { "Content-Encoding": "zip" }))).toEqual([
      415,
      "Content-Encoding",
    ]);
    expect(await field(send(parse, { body: "a" }))).toEqual([415, "Content-Type"]);
    expect(await field(post(`${parse}?input=xml`, "text/plain", "a"))).toEqual([400, "input"]);
    expect(await field(postJson(`${parse}?input=lines`, { text: "a" }))).toEqual([400, "input"]);
    expect(await field(post(`${parse}?beam=1&beam=2`, "text/plain", "a"))).toEqual([400, "beam"]);
    expect(await field(postJson(`${parse}?beam=1`, { text: "a", beam: 2 }))).toEqual([400, "beam"]);
    const documents = `${running.url}/v1/documents?textField=a&textField=b`;
    expect(await field(post(documents, "application/x-ndjson", "{}"))).toEqual([400, "textField"]);
    expect(await field(post(`${parse}?file=/etc/passwd`, "text/plain", "a"))).toEqual([400, "file"]);
    expect(await field(post(`${parse}?scores=maybe`, "text/plain", "a"))).toEqual([400, "scores"]);
    const expecting = await post(parse, "text/plain", "a", {
      Accept: "text/html, application/x-ndjson;q=0.5, */*;q=0.1",
    });
    expect(expecting.headers["content-type"]).toContain("ndjson");
  });

  it("refuses what is not UTF-8, with its place, in every kind of body", async () => {
    const bad = Buffer.concat([Buffer.from("Mina sells "), Buffer.from([0xc3, 0x28]), Buffer.from(" boats.")]);
    for (const [type, body, field] of [
      ["text/plain", bad, "body"],
      ["application/json", Buffer.concat([Buffer.from('{"text":"'), bad, Buffer.from('"}')]), "body"],
      ["text/x-conllu", Buffer.from("1\tcaf\xe9\t_\t_\t_\t_\t_\t_\t_\t_\n\n", "latin1"), "conllu"],
    ] as const) {
      const answer = await post(parse, type, body);
      expect(answer.json().field).toBe(field);
      expect([400, 422]).toContain(answer.status);
      expect(answer.json().detail).toContain("UTF-8");
    }
    const late = await post(
      parse,
      "text/plain",
      Buffer.concat([Buffer.from("Mina sells maps.\n\n"), Buffer.from([0xe2, 0x82])]),
    );
    expect(late.status).toBe(400);
  });
});

describe("around it", () => {
  it("describes itself, its models, its health and its work", async () => {
    const get = (path: string) => send(running.url + path, { method: "GET" });
    expect((await get("/v1/models")).json()).toMatchObject({
      default: "toy",
      models: [
        { name: "toy", parts: ["segmenter", "tagger", "lemmatizer", "parser"] },
        { name: "bare", parts: ["parser"], licence: "none" },
      ],
    });
    expect((await get("/health")).json()).toMatchObject({ status: "ready", workers: 3 });
    await post(parse, "text/plain", TEXT);
    const metrics = (await get("/metrics")).text;
    expect(metrics).toMatch(/^stemma_requests_total\{route="\/v1\/parse",status="200"\} \d+$/m);
    for (const name of [
      "stemma_request_duration_seconds_bucket",
      "stemma_queue_length",
      "stemma_tokens_total",
      "stemma_workers_busy",
      "process_resident_memory_bytes",
    ]) {
      expect(metrics).toMatch(new RegExp(`^${name}(\\{[^}]*\\})? [\\d.e+]+$`, "m"));
    }
    for (const line of metrics.trim().split("\n"))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.e+-]+)$/);
    const page = await get("/");
    expect(page.headers["content-type"]).toContain("text/html");
    expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
    for (const [, name] of page.text.matchAll(/(?:src|href)="(page\.\w+)"/g)) {
      const part = await get(`/${name}`);
      expect([part.status, String(part.headers["content-type"]).split(";")[0]]).toEqual([
        200,
        name === "page.js" ? "text/javascript" : "text/css",
      ]);
    }
    const head = await send(`${running.url}/health`, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  it("has the members and options of a request in the documentation", () => {
    const page = readFileSync(new URL("../../../../docs/server.md", import.meta.url), "utf8");
    const table = page.slice(page.indexOf("Options are query parameters"), page.indexOf("Offsets (`start`"));
    const documented = [...table.matchAll(/^\| ((?:`\w+`(?:, )?)+)/gm)].flatMap(([, names]) => names!.match(/\w+/g)!);
    expect(documented.sort()).toEqual([...OPTION_NAMES].sort());
    const body = page.split("\n").find((line) => line.startsWith("| `application/json` ") && line.includes("one of"))!;
    for (const name of MEMBER_NAMES) expect(body).toContain(`\`${name}\``);
    for (const name of Object.keys(TOKEN)) expect(page).toContain(`\`${name}\``);
  });

  it("has an OpenAPI document whose references, operations and answers are true", async () => {
    const api = (await send(`${running.url}/openapi.json`, { method: "GET" })).json();
    expect(api.openapi).toBe("3.1.0");
    const references: string[] = [];
    JSON.stringify(api, (key, value) => {
      if (key === "$ref") references.push(value);
      return value;
    });
    for (const reference of references) {
      const found = reference
        .slice(2)
        .split("/")
        .reduce((at: Json, name) => at?.[name], api);
      expect(found, reference).toBeDefined();
    }
    const operations = Object.entries(api.paths as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
    );
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { path, method, operation } of operations) {
      const answer = await send(running.url + path, { method });
      expect([404, 405], `${method} ${path}`).not.toContain(answer.status);
      expect(Object.keys(operation.responses), `${method} ${path}`).toContain(String(answer.status));
      const type = String(answer.headers["content-type"]).split(";")[0]!;
      expect(Object.keys(operation.responses[answer.status].content), `${method} ${path}`).toContain(type);
    }
    const check = (value: unknown, name: string) =>
      expect(invalid(value, { $ref: `#/components/schemas/${name}` }, api), name).toEqual([]);
    check((await post(parse, "text/plain", TEXT)).json(), "ParseResult");
    check((await post(`${parse}?scores`, "text/x-conllu", TAGGED)).json(), "ParseResult");
    check((await post(parse, "text/plain", TEXT)).json().sentences[1], "Sentence");
    check((await post(parse, "text/x-conllu", TAGGED)).json().sentences[1], "Sentence");
    check((await postJson(parse, { text: 1 })).json(), "Problem");
    check((await send(`${running.url}/v1/models`, { method: "GET" })).json(), "Models");
    check((await send(`${running.url}/health`, { method: "GET" })).json(), "Health");
    check((await send(`${running.url}/models`, { method: "GET" })).json(), "UdpipeModels");
    check((await send(`${running.url}/process?data=a&tokenizer`, { method: "GET" })).json(), "UdpipeResult");
    for (const request of [
      { text: "a" },
      { sentences: ["a"] },
      { tokens: [["a"]], scores: true },
      { conllu: "", model: "bare" },
    ]) {
      check(request, "ParseRequest");
    }
    expect(invalid({ text: 1 }, { $ref: "#/components/schemas/ParseRequest" }, api)).not.toEqual([]);
  });

  it("knows no other paths and methods", async () => {
    for (const path of [
      "/v1",
      "/v1/parse/",
      "/V1/parse",
      "/../etc/passwd",
      "/%2e%2e/etc/passwd",
      "//v1/parse",
      "/v1%2fparse",
      "/favicon.ico",
    ]) {
      const { socket, closed, text } = open(running.port);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      await closed;
      expect(text(), path).toMatch(/^HTTP\/1\.1 404 /);
      expect(text(), path).toContain('"field":"path"');
    }
    const wrong = await send(`${running.url}/v1/parse`, { method: "PUT", body: "x" });
    expect([wrong.status, wrong.headers.allow, wrong.json().field]).toEqual([405, "POST", "method"]);
    expect((await post(`${running.url}/health`, "text/plain", "x")).headers.allow).toBe("GET, HEAD");
  });

  it("answers what is no HTTP", async () => {
    for (const request of [
      "nonsense\r\n\r\n",
      "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
      "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
      "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\nabc",
      "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Type: application/json\r\nContent-Length: 1\r\nConnection: close\r\n\r\na",
    ]) {
      const { socket, closed, text } = open(running.port);
      socket.write(request);
      await closed;
      expect(text(), request).toMatch(/^HTTP\/1\.1 400 /);
      expect(text(), request).toContain("urn:stemma:problem:invalid-http");
    }
    const { socket, closed, text } = open(running.port);
    socket.write(`GET /?${"x".repeat(70_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 431 /);
  });

  it("says so where it does not do what HTTP has names for", async () => {
    for (const [request, kind] of [
      ["CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n", "no-proxy"],
      [
        "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nHi\r\n0\r\n\r\n",
        "unsupported-transfer-coding",
      ],
    ] as const) {
      const { socket, closed, text, until } = open(running.port);
      socket.write(request);
      await until(`urn:stemma:problem:${kind}`);
      expect(text(), request).toMatch(/^HTTP\/1\.1 501 /);
      socket.destroy();
      await closed;
    }
  });

  it("allows other origins only if it was told to", async () => {
    const from = (origin: string) => ({ Origin: origin, "Content-Type": "text/plain" });
    const closed = await send(parse, { headers: from("http://a.example"), body: "a" });
    expect(Object.keys(closed.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    const preflight = { Origin: "http://a.example", "Access-Control-Request-Method": "POST" };
    expect((await send(parse, { method: "OPTIONS", headers: preflight })).status).toBe(403);
    const allowed = await startServer({ cors: ["http://a.example"] });
    const url = `${allowed.url}/v1/parse`;
    expect(
      (await send(url, { headers: from("http://a.example"), body: "a" })).headers["access-control-allow-origin"],
    ).toBe("http://a.example");
    expect(
      (await send(url, { headers: from("http://b.example"), body: "a" })).headers["access-control-allow-origin"],
    ).toBeUndefined();
    const answer = await send(url, { method: "OPTIONS", headers: preflight });
    expect([answer.status, answer.headers["access-control-allow-methods"]]).toEqual([204, "GET, HEAD, POST"]);
    await allowed.stop();
  });

  it("logs a line for each request, and keeps or makes its id", async () => {
    const given = await post(parse, "text/plain", TEXT, { "X-Request-Id": "abc-1" });
    expect(given.headers["x-request-id"]).toBe("abc-1");
    const made = await post(parse, "text/plain", TEXT, { "X-Request-Id": "no spaces, please" });
    expect(made.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    await eventually(() => running.log().some(({ id }) => id === made.headers["x-request-id"]), "the line");
    const line = running.log().find(({ id }) => id === "abc-1")!;
    expect(line).toMatchObject({
      method: "POST",
      path: "/v1/parse",
      status: 200,
      sentences: 3,
      tokens: 16,
      bytesIn: TEXT.length,
      bytesOut: given.text.length,
    });
    expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT/);
    for (const name of ["ms", "queueMs"]) expect(line[name]).toBeTypeOf("number");
  });
});

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
type Json = any;

/** Why a value does not follow a schema; for the part of JSON Schema that the document uses. */
function invalid(value: Json, schema: Json, api: Json, at = "$"): string[] {
  if (schema.$ref) {
    const found = schema.$ref
      .slice(2)
      .split("/")
      .reduce((node: Json, name: string) => node[name], api);
    return invalid(value, found, api, at);
  }
  for (const [name, most] of [
    ["anyOf", Infinity],
    ["oneOf", 1],
  ] as const) {
    if (!schema[name]) continue;
    const fits = schema[name].filter((option: Json) => invalid(value, option, api, at).length === 0).length;
    return fits >= 1 && fits <= most ? [] : [`${at}: ${fits} of ${name}`];
  }
  if (schema.enum) return schema.enum.includes(value) ? [] : [`${at}: not in enum`];
  const type = Array.isArray(value)
    ? "array"
    : Number.isInteger(value)
      ? "integer"
      : value === null
        ? "null"
        : typeof value;
  if (schema.type && schema.type !== type && !(schema.type === "number" && type === "integer"))
    return [`${at}: ${type}, not ${schema.type}`];
  const errors: string[] = [];
  if (schema.minimum !== undefined && value < schema.minimum) errors.push(`${at}: too small`);
  if (schema.maximum !== undefined && value > schema.maximum) errors.push(`${at}: too large`);
  if (schema.pattern && !new RegExp(schema.pattern, "u").test(value)) errors.push(`${at}: pattern`);
  if (type === "array") {
    if (value.length < (schema.minItems ?? 0)) errors.push(`${at}: too few`);
    for (const [i, item] of value.entries()) errors.push(...invalid(item, schema.items ?? {}, api, `${at}[${i}]`));
  }
  if (type === "object") {
    for (const name of schema.required ?? []) if (!(name in value)) errors.push(`${at}: no ${name}`);
    for (const [name, member] of Object.entries(value)) {
      const known = schema.properties?.[name];
      if (known) errors.push(...invalid(member, known, api, `${at}.${name}`));
      // A member that is in no list would not be described.
      else if (schema.additionalProperties === false || (schema.properties && !schema.additionalProperties))
        errors.push(`${at}: ${name}?`);
      else if (typeof schema.additionalProperties === "object")
        errors.push(...invalid(member, schema.additionalProperties, api, `${at}.${name}`));
    }
  }
  return errors;
}
