// The handler in a server of somebody else.
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Handler } from "../../src/index.js";
import { eventually, library, modelFiles, send } from "../helpers.js";

let handler: Handler;
let mounted: Handler;
const servers: Server[] = [];

/** The address of a server with a listener. */
async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const TEXT = { headers: { "Content-Type": "text/plain" }, body: "Mina sells maps." };
const JSON_BODY = { headers: { "Content-Type": "application/json" }, body: '{"text":"Mina sells maps."}' };

beforeAll(async () => {
  const { createHandler } = await library();
  const { toy } = modelFiles();
  handler = await createHandler({ models: { toy }, threads: 1 });
  mounted = await createHandler({ models: { toy }, threads: 1, prefix: "/nlp/stemma" });
});

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await Promise.all([handler.close(), mounted.close()]);
});

describe("mounted at a path", () => {
  let url: string;
  beforeAll(async () => {
    url = await listening((request, response) => {
      if (request.url!.startsWith("/nlp/stemma")) mounted(request, response);
      else response.end("somebody else's");
    });
  });

  it("answers there, and leaves the rest to others", async () => {
    const { status, headers, json } = await send(`${url}/nlp/stemma/v1/parse`, TEXT);
    expect(status).toBe(200);
    expect(headers["x-request-id"]).toMatch(/./);
    expect(json().sentences[0].words.map(({ form }: { form: string }) => form)).toEqual(["Mina", "sells", "maps", "."]);
    expect((await send(`${url}/`, { method: "GET" })).text).toBe("somebody else's");
    expect((await send(`${url}/nlp/stemma/health/ready`, { method: "GET" })).json().status).toBe("ready");
  });

  it("does not take a path that only begins with the same letters for its own", async () => {
    const { status, json } = await send(`${url}/nlp/stemmatic/v1/parse`, TEXT);
    expect([status, json().detail]).toEqual([404, "no such path: /nlp/stemmatic/v1/parse"]);
  });

  it("sends a client that asks for the page without its slash to where the links of the page hold", async () => {
    const { status, headers } = await send(`${url}/nlp/stemma?x`, { method: "GET" });
    expect([status, headers.location]).toEqual([308, "stemma/"]);
    expect((await send(`${url}/nlp/stemma/`, { method: "GET" })).text).toContain("<title>Stemma server</title>");
    expect((await send(`${url}/nlp/stemma/openapi.json`, { method: "GET" })).json().servers).toEqual([{ url: "./" }]);
  });
});

it("refuses a prefix that no path begins with", async () => {
  const { createHandler } = await library();
  for (const prefix of ["stemma", "/stemma/", "/", "/a?b"]) {
    const made = createHandler({ models: { toy: modelFiles().toy }, prefix });
    await expect(made).rejects.toThrow(`invalid prefix: "${prefix}" (expected a path such as "/stemma")`);
  }
  await expect(createHandler({ models: {} })).rejects.toThrow("invalid models: none (expected at least one");
});

describe("where the framework takes the path away, as Express does", () => {
  it("sends a client to the page by the address that it knows", async () => {
    const url = await listening((request, response) => {
      Object.assign(request, { originalUrl: request.url });
      request.url = request.url!.replace(/^\/app\/?/, "/");
      handler(request, response);
    });
    const { status, headers } = await send(`${url}/app`, { method: "GET" });
    expect([status, headers.location]).toEqual([308, "app/"]);
    expect((await send(`${url}/app/v1/parse`, TEXT)).status).toBe(200);
  });
});

describe("after something has read the body", () => {
  /** A server that reads the body first and leaves what `parsed` makes of it in request.body. */
  const after = (parsed: (body: Buffer) => unknown) =>
    listening(async (request: IncomingMessage, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      Object.assign(request, { body: parsed(Buffer.concat(chunks)) });
      handler(request, response);
    });

  it.each<[string, (body: Buffer) => unknown, typeof TEXT]>([
    ["bytes", (body) => body, TEXT],
    ["a string", String, TEXT],
    ["an object of JSON", (body) => JSON.parse(String(body)), JSON_BODY],
    ["a string of JSON", String, JSON_BODY],
  ])("takes it from request.body: %s", async (_, parsed, request) => {
    const { status, json } = await send(`${await after(parsed)}/v1/parse`, request);
    expect([status, json().sentences.length]).toEqual([200, 1]);
  });

  it("takes a form that was parsed", async () => {
    const url = await after((body) => Object.fromEntries(new URLSearchParams(String(body))));
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    const body = "data=Mina+sells+maps.&tokenizer=&tagger=&parser=";
    const { status, json } = await send(`${url}/process`, { headers, body });
    expect(status).toBe(200);
    expect(json().result).toContain("1\tMina\t");
  });

  it("says what is wrong if it is nowhere", async () => {
    const url = await after(() => undefined);
    const { status, json } = await send(`${url}/v1/parse`, TEXT);
    expect([status, json().type]).toEqual([500, "urn:stemma:problem:body-read-before"]);
    expect(json().detail).toContain("expected it in request.body, or unread");
  });

  it("has the same limit for it", async () => {
    const url = await after((body) => Buffer.concat([body, Buffer.alloc(1 << 24, "a")]));
    const { status, json } = await send(`${url}/v1/parse`, TEXT);
    expect([status, json().type]).toEqual([413, "urn:stemma:problem:body-too-large"]);
  });
});

it("takes other models into use", async () => {
  const { createHandler } = await library();
  const { toy, bare } = modelFiles();
  const own = await createHandler({ models: { toy }, threads: 1 });
  const url = await listening(own);
  const names = async () => (await send(`${url}/v1/models`, { method: "GET" })).json().default;
  expect(await names()).toBe("toy");
  await own.reload(() => ({ bare }));
  expect(await names()).toBe("bare");
  await own.reload(() => ({ lost: "no-such-file.stemma" }));
  expect(await names()).toBe("bare");
  await own.close();
});

it("has the models in the end that it was told to take last, also when others take longer to load", async () => {
  const { createHandler } = await library();
  const { toy, bare } = modelFiles();
  const own = await createHandler({ models: { first: toy }, threads: 1 });
  const url = await listening(own);
  const slow = own.reload(() => new Promise((resolve) => setTimeout(() => resolve({ slow: toy }), 2000)));
  await Promise.all([slow, own.reload(() => ({ bare }))]);
  expect((await send(`${url}/v1/models`, { method: "GET" })).json().default).toBe("bare");
  await own.close();
});

it("loads models once for all who ask for others while some are loaded", async () => {
  const { createHandler } = await library();
  const { toy, bare } = modelFiles();
  const own = await createHandler({ models: { toy }, threads: 1 });
  const url = await listening(own);
  let loaded = 0;
  const reload = (name: string) =>
    own.reload(() => {
      loaded++;
      return { [name]: bare };
    });
  const first = reload("first");
  await eventually(() => loaded === 1, "it has begun");
  const names = async () => (await send(`${url}/v1/models`, { method: "GET" })).json().default;
  const later = Array.from({ length: 50 }, (_, i) => reload(`later-${i}`).then(names));
  await first;
  expect(new Set(await Promise.all(later))).toEqual(new Set(["later-49"]));
  expect(loaded).toBe(2);
  await reload("last");
  expect([await names(), loaded]).toEqual(["last", 3]);
  await own.close();
});
