// Small requests that could freeze, starve, fill or end the server: each is refused or bounded, and others are served
// meanwhile.
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Random } from "../../../core/src/math/random.js";
import { normalized } from "../../src/routes/nfc.js";
import { eventually, modelFiles, open, post, postJson, type Running, send, sleep, startServer } from "../helpers.js";

const worker = new URL("./hostile-worker.mjs", import.meta.url);
const FORM = "application/x-www-form-urlencoded";

let running: Running;
const start = async (changes: Parameters<typeof startServer>[0] = {}) => {
  running = await startServer({ worker, threads: 1, express: false, ...changes });
  return `${running.url}/v1/parse`;
};
afterEach(() => running?.stop());
const get = (path: string) => send(running.url + path, { method: "GET" });
const message = (tokens: string[], more = "") => {
  const body = JSON.stringify({ tokens: [tokens] });
  return `POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
};

describe("work on the thread that speaks HTTP", () => {
  it("is bounded where combining marks are put in order", async () => {
    await start();
    const data = `a${"\u0301".repeat(80_000)}${"\u0323".repeat(80_000)}`;
    const answer = await post(`${running.url}/process`, FORM, `tokenizer&data=${encodeURIComponent(data)}`);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("too many combining marks in a row at character 257");
    const few = await post(
      `${running.url}/process`,
      FORM,
      `tokenizer&data=${encodeURIComponent("e\u0301te\u0301 la\u0300.")}`,
    );
    expect(few.json().result).toContain("\tété\t");
  });

  it("normalizes in parts what is never composed", async () => {
    const text = `\u1100${"\u1161".repeat(200_000)}\u11a8`;
    const whole = text.normalize("NFC");
    const normalize = vi.spyOn(String.prototype, "normalize");
    const result = await normalized(text, "data");
    const lengths = normalize.mock.contexts.map((part) => (part as string).length);
    normalize.mockRestore();
    expect(result).toEqual({ text: whole, characters: whole.length });
    expect(Math.max(...lengths)).toBeLessThan(100_000);
  });

  it("normalizes in parts as it would the whole", async () => {
    const parts = [
      "a",
      "é",
      "\u0301",
      "\u0323",
      "한",
      "ᄒ",
      "ᅡ",
      "ᆫ",
      "Å",
      "\u0958",
      "漢字",
      "😀",
      " ",
      "\u0f71\u0f72",
      "כּ",
      "x".repeat(3000),
    ];
    const random = new Random(3);
    for (let round = 0; round < 20; round++) {
      const text = Array.from({ length: 600 }, () => parts[Math.floor(random.next() * parts.length)]!).join("");
      const whole = text.normalize("NFC");
      expect(await normalized(text, "data")).toEqual({ text: whole, characters: [...whole].length });
    }
  });

  it("is linear in what the headers hold", async () => {
    const parse = await start();
    const spaces = " ".repeat(58_000);
    for (let i = 0; i < 4; i++) {
      const answer = await post(parse, "text/plain", "maps", { Accept: `a${i}${spaces}b` });
      expect(answer.status).toBe(406);
    }
    const quotes = ';charset="a'.repeat(5000);
    expect((await post(parse, `text/plain${quotes}`, "maps")).status).toBe(415);
    expect((await post(parse, `text/plain;${spaces}charset${spaces.slice(0, 100)}`, "maps")).status).toBe(200);
    expect(
      (await post(parse, "text/plain", "maps", { Accept: 'text/*;q=0.1 , application/x-ndjson ; q="0.5"' })).headers[
        "content-type"
      ],
    ).toContain("x-ndjson");
  });

  /** Counts the turns of the event loop while a request is under way. */
  const turnsOf = async (ask: () => Promise<unknown>) => {
    let [turns, counting] = [0, true];
    const count = () => {
      if (running.server.service.metrics.inFlight > 0) turns++;
      if (counting) setImmediate(count);
    };
    count();
    await ask();
    counting = false;
    return turns;
  };

  it.each(["input=horizontal", "input=vertical"])(
    "has turns while it looks for something to parse: %s",
    async (how) => {
      await start();
      const data = "\n".repeat(2_000_000);
      const body = `--x\r\nContent-Disposition: form-data; name=data\r\n\r\n${data}\r\n--x--\r\n`;
      // Reading and normalization have theirs.
      const before = await turnsOf(() =>
        post(`${running.url}/process?tokenizer&output=x`, "multipart/form-data; boundary=x", body),
      );
      let answer: Awaited<ReturnType<typeof post>> | undefined;
      const all = await turnsOf(async () => {
        answer = await post(`${running.url}/process?${how}`, "multipart/form-data; boundary=x", body);
      });
      expect(answer!.status).toBe(200);
      expect(all - before).toBeGreaterThan(10);
    },
  );

  it("has turns while it reads halves of surrogate pairs, and does not read names without end", async () => {
    const parse = await start({ maxBody: 1 << 24 });
    const turns = await turnsOf(async () => {
      const answer = await post(parse, "application/json", `{"text":"${"\\ude00".repeat(300_000)}"}`);
      expect([answer.status, answer.json().detail]).toEqual([400, expect.stringContaining("surrogate")]);
    });
    expect(turns).toBeGreaterThan(10);
    const names = `{${'"text":"a",'.repeat(200_000)}"text":"a"}`;
    const refused = await post(parse, "application/json", names);
    expect([refused.status, refused.json().detail]).toEqual([400, expect.stringContaining("too many")]);
  });

  it("takes the crumbs of a body together", async () => {
    await start();
    const decode = vi.spyOn(TextDecoder.prototype, "decode");
    const { socket, closed, text } = open(running.port);
    const head = "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nConnection: close\r\n";
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${"1\r\na\r\n".repeat(50_000)}0\r\n\r\n`);
    await closed;
    const calls = decode.mock.calls.length;
    decode.mockRestore();
    expect(text()).toMatch(/^HTTP\/1\.1 200 /);
    expect(text()).toContain("a".repeat(50_000));
    expect(calls).toBeLessThan(5_000);
  });

  it("has turns between requests that come together on a connection", async () => {
    await start();
    const { socket, closed, text } = open(running.port);
    const message = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n";
    const turns = await turnsOf(async () => {
      socket.write(`${`${message}\r\n`.repeat(100)}${message}Connection: close\r\n\r\n`);
      await closed;
    });
    expect(text().match(/HTTP\/1\.1 200/g)).toHaveLength(101);
    expect(turns).toBeGreaterThanOrEqual(100);
  });

  it("has turns while a large JSON body is read", async () => {
    const parse = await start({ maxBody: 1 << 24 });
    let turns = 0;
    let counting = true;
    const count = () => {
      // From when the body has arrived until its first sentences are with a worker.
      if (running.server.service.metrics.inFlight > 0 && running.server.service.scheduler.counters.pieces === 0)
        turns++;
      if (counting) setImmediate(count);
    };
    count();
    const { socket, until } = open(running.port);
    const body = `{"tokens":[${'["a"],'.repeat(500_000)}["a"]],"model":"toy"}`;
    socket.write(
      `POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/x-ndjson\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
    await eventually(() => running.server.service.scheduler.counters.pieces > 0, "the body is read");
    counting = false;
    // All of it is checked, in parts, before anything is done.
    expect(turns).toBeGreaterThan(body.length / (1 << 16));
    await until('"id":"1"');
    expect((await get("/health")).status).toBe(200);
    expect((await postJson(parse, { tokens: [["maps"]] })).status).toBe(200);
    socket.destroy();
  });

  it("gives the same for JSON that is large as for JSON that is small, and says what is wrong with it", async () => {
    const parse = await start();
    const sentences = Array.from({ length: 2500 }, (_, i) => `Mina sells "maps" ${i}, \\ é 😀 \u2028.`);
    const tokens = sentences.map((sentence) => sentence.split(" ").filter((token) => /\S/.test(token)));
    const text = sentences.join("\n\n");
    const escaped = (value: unknown) =>
      JSON.stringify(value).replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const NDJSON = { Accept: "application/x-ndjson" };
    const ask = async (body: string) => (await post(parse, "application/json", body, NDJSON)).text;
    for (const [name, values] of Object.entries({ sentences, tokens })) {
      const large = await ask(JSON.stringify({ [name]: values }));
      const small = [values.slice(0, 500), values.slice(2000)].map((part) => ask(JSON.stringify({ [name]: part })));
      const [first, last] = (await Promise.all(small)).map((answer) => answer.trimEnd().split("\n"));
      const lines = large.trimEnd().split("\n");
      expect(lines).toHaveLength(2500);
      expect(lines.slice(0, 500)).toEqual(first);
      const withoutId = (line: string) => line.replace(/"id":"\d+"/, "");
      expect(lines.slice(2000).map(withoutId)).toEqual(last!.map(withoutId));
      expect(await ask(` ${escaped({ [name]: values })}\n`)).toBe(large);
    }
    const plain = (await post(parse, "text/plain", text, NDJSON)).text;
    expect(await ask(JSON.stringify({ text }))).toBe(plain);
    expect(await ask(`\ufeff${escaped({ text })}`)).toBe(plain);
    const large = JSON.stringify(tokens).slice(1, -1);
    for (const [body, field] of [
      [`{"tokens":[${large},[]]}`, "tokens[2500]"],
      [`{"tokens":[${large},["a",7]]}`, "tokens[2500][1]"],
      [`{"tokens":[${large}],"scores":1}`, "scores"],
      [`{"tokens":[${large}],"text":"a"}`, "tokens"],
      [`{"tokens":[${large}],"other":1}`, "other"],
      [`{"tokens":[${large} ["a"]]}`, "body"],
      [`{"tokens":[${large}]`, "body"],
      [`{"tokens":[${large}]} x`, "body"],
      [`{"tokens":[${large},${"[".repeat(100)}`, "body"],
      [`[${large}]`, "body"],
      [`{"text":[${large}]}`, "text"],
      [`{"text":"${"a ".repeat(60_000)}\\ud800"}`, "text"],
      [`{"text":"${"a ".repeat(60_000)}\\x"}`, "body"],
    ] as const) {
      const answer = await post(parse, "application/json", body);
      expect([answer.status, answer.json().field], body.slice(-40)).toEqual([400, field]);
    }
  });
});

describe("sentences without end", () => {
  const WORDS = "maps ".repeat(5000);
  const CASES = [
    ["sentences", "application/json", "/v1/parse", JSON.stringify({ sentences: [WORDS] })],
    [
      "many characters",
      "application/json",
      "/v1/parse",
      JSON.stringify({ sentences: ["Mina sells.", WORDS.repeat(4)] }),
    ],
    ["lines", "text/plain", "/v1/parse?input=lines&tooLong=error", WORDS],
    ["tokens in lines", "text/plain", "/v1/parse?input=tokens&tooLong=error", WORDS],
    ["text", "text/plain", "/v1/parse?tooLong=error", WORDS],
    ["tokens", "application/json", "/v1/parse", JSON.stringify({ tokens: [WORDS.trim().split(" ")] })],
    [
      "CoNLL-U",
      "text/x-conllu",
      "/v1/parse",
      `${Array.from({ length: 5000 }, (_, i) => `${i + 1}\tmaps\t_\t_\t_\t_\t_\t_\t_\t_\n`).join("")}\n`,
    ],
    ["horizontal", FORM, "/process", `input=horizontal&parser=&data=${WORDS}`],
    ["vertical", FORM, "/process", `input=vertical&parser=&data=${encodeURIComponent("maps\n".repeat(5000))}`],
    ["characters of a line", "text/plain", "/v1/parse?input=lines", `Mina.\n${"x".repeat(70_000)}`],
    ["characters of a line of tokens", "text/plain", "/v1/parse?input=tokens", `${"x".repeat(700)} `.repeat(100)],
    ["characters of what is presegmented", FORM, "/process", `tokenizer=presegmented&data=${"x".repeat(70_000)}`],
  ] as const;
  it("do not reach the parser", async () => {
    await start({ maxSentence: 200 });
    for (const [name, type, path, body] of CASES) {
      const answer = await post(running.url + path, type, body);
      expect([answer.status, answer.text], name).toEqual([
        422,
        expect.stringMatching(/5000 words|201 words|more than 65536 characters|sentence 1 has/),
      ]);
      expect(running.server.service.scheduler.counters.replaced, name).toBe(0);
    }
  });

  it("are divided where they are of a text", async () => {
    await start({ maxSentence: 200 });
    const cases = [
      ["text/plain", "/v1/parse", WORDS],
      ["text/plain", "/v1/parse?input=lines", WORDS],
      ["text/plain", "/v1/parse?input=tokens", WORDS],
      [FORM, "/process", `tokenizer=presegmented&parser=&data=${WORDS}`],
    ] as const;
    for (const [type, path, body] of cases) {
      expect((await post(running.url + path, type, body)).status, path).toBe(200);
      expect(running.server.service.scheduler.counters.replaced, path).toBe(0);
    }
  });
});

describe("a worker that does not come to an end", () => {
  it("is replaced, its request answered, and readiness tells the truth meanwhile", async () => {
    const parse = await start({ pieceTime: 3 });
    const stuck = postJson(parse, { tokens: [["STUCK"]] });
    await eventually(() => running.server.service.scheduler.busy === 1, "the worker is at it");
    const waiting = Array.from({ length: 3 }, () => postJson(parse, { tokens: [["maps"]] }));
    await eventually(() => running.server.service.scheduler.trouble === "overloaded", "it has been at it for long");
    expect((await get("/health")).json().status).toBe("overloaded");
    expect((await get("/health/ready")).status).toBe(503);
    expect((await get("/health/live")).status).toBe(200);
    const answer = await stuck;
    expect([answer.status, answer.json().type]).toEqual([504, "urn:stemma:problem:piece-too-slow"]);
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
    expect((await get("/health")).json().status).toBe("ready");
    expect((await get("/metrics")).text).toMatch(/^stemma_workers_late_total 1$/m);
  });
});

describe("heavy pieces", () => {
  it("leave a worker to the others", async () => {
    const parse = await start({ threads: 2, pieceTime: 20 });
    const heavy = Array.from({ length: 20 }, () => postJson(parse, { tokens: [["SLOW", "SLOW", "x".repeat(20_000)]] }));
    await eventually(() => running.server.service.scheduler.waiting === 19, "one is under way");
    expect(running.server.service.scheduler.busy).toBe(1);
    const light = await Promise.all(Array.from({ length: 20 }, () => postJson(parse, { tokens: [["maps"]] })));
    expect(light.every(({ status }) => status === 200)).toBe(true);
    expect(running.server.service.scheduler.waiting).toBeGreaterThan(0);
    for (const { status } of await Promise.all(heavy)) expect(status).toBe(200);
  });

  it("are cut smaller: several trees of each sentence", async () => {
    const parse = await start({ threads: 2 });
    const answer = await postJson(parse, { tokens: Array(40).fill(["Mina", "sells", "maps"]), trees: 64 });
    expect(answer.status).toBe(200);
    expect(new Set(answer.json().sentences.map(({ id }: { id: string }) => id)).size).toBe(40);
    expect(running.server.service.scheduler.counters.pieces).toBeGreaterThan(5);
  });

  it("do not hold back requests that begin, nor these them", async () => {
    const parse = await start({ threads: 1 });
    const order: string[] = [];
    const ask = (name: string, body: object) => postJson(parse, body).then(() => order.push(name));
    const long = ask("long", { tokens: Array(12).fill(["SLOW", "x".repeat(4100)]) });
    await eventually(() => running.server.service.scheduler.busy === 1, "it is under way");
    const short = Array.from({ length: 3 }, () => ask("short", { tokens: [["maps"]] }));
    await Promise.all([long, ...short]);
    expect(order).toEqual(["short", "short", "short", "long"]);
    // Small ones that keep coming do not starve it.
    let ended = false;
    const other = postJson(parse, { tokens: Array(4).fill(["SLOW", "x".repeat(4100)]) }).then(() => {
      ended = true;
    });
    let asked = 0;
    await Promise.all([
      other,
      ...Array.from({ length: 3 }, async () => {
        for (; !ended && asked < 2000; asked++) await postJson(parse, { tokens: [["maps"]] });
      }),
    ]);
    expect(asked).toBeLessThan(2000);
  });
});

describe("answers that nobody takes", () => {
  it("are refused before the work begins if a part of them would take up more than a share", async () => {
    await start({ maxAnswers: 1 << 20 });
    const text = `${"Mina sells maps and ".repeat(40)}maps.`;
    const { status, json } = await post(`${running.url}/v1/parse?trees=64&svg=true`, "text/plain", text);
    expect([status, json().type]).toEqual([422, "urn:stemma:problem:too-costly"]);
    expect(json().detail).toMatch(/expected at most 262144: shorter paragraphs, fewer trees, or no svg/);
    expect((await post(`${running.url}/v1/parse`, "text/plain", text)).status).toBe(200);
  });

  it("and so is work that takes too long", async () => {
    await start({ maxWork: 1000 });
    const text = `${"Mina sells maps and ".repeat(40)}maps.`;
    const { status, json } = await post(`${running.url}/v1/parse?beam=16`, "text/plain", text);
    expect([status, json().type]).toEqual([422, "urn:stemma:problem:too-costly"]);
    expect(json().detail).toMatch(/about 162 words .* beam of 16: 2592 \(expected at most 1000, words times beam/);
  });
});

describe("a target that is a whole address", () => {
  it("is for the host that it names", async () => {
    await start();
    const statusOf = async (target: string) => {
      const { socket, text, closed } = open(running.port);
      socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      await closed;
      return Number(text().split(" ")[1]);
    };
    expect(await statusOf(`http://127.0.0.1:${running.port}/health/live`)).toBe(200);
    expect(await statusOf("http://evil.example/health/live")).toBe(421);
    expect(await statusOf("http://localhost@evil.example/health/live")).toBe(421);
  });
});

describe("models that workers cannot start with", () => {
  const failing = new URL("./failing-worker.mjs", import.meta.url);

  it("are refused with the reason when the server starts", async () => {
    const { toy } = modelFiles();
    await expect(startServer({ worker: failing, models: { toy } })).rejects.toThrow(
      /^the workers cannot start with the models: .*no weights for one model/,
    );
    const never = startServer({ worker: failing, models: { toy, b: toy, c: toy }, startTime: 1 });
    await expect(never).rejects.toThrow("the workers cannot start with the models: they were not ready within 1 s");
  });

  it("leave the old ones in use, and later reloads work", async () => {
    const parse = await start({ worker: failing, startTime: 5 });
    const { toy } = modelFiles();
    await running.server.reload(() => ({ toy }));
    await running.server.reload(() => ({ toy, b: toy, c: toy }));
    const failures = () => running.log().filter(({ event }) => event === "reload-failed");
    await eventually(() => failures().length === 2, "both are logged");
    expect(failures().map(({ error }) => error)).toEqual([
      expect.stringContaining("no weights for one model"),
      expect.stringContaining("not ready within 5 s"),
    ]);
    expect((await postJson(parse, { model: "bare", tokens: [["maps"]] })).status).toBe(200);
    await running.server.reload(() => ({ toy, again: toy }));
    expect((await postJson(parse, { model: "again", tokens: [["maps"]] })).status).toBe(200);
  });
});

describe("connections", () => {
  it("that are reset take all their requests along", async () => {
    await start();
    const { socket } = open(running.port);
    socket.write(message(["SLOW"]).repeat(3));
    await eventually(() => running.server.service.metrics.inFlight === 3, "three are there");
    socket.resetAndDestroy();
    await eventually(() => running.server.service.metrics.inFlight === 0, "none is left");
    await eventually(() => running.log().filter(({ path }) => path === "/v1/parse").length === 3, "all are logged");
    expect(running.log().filter(({ status }) => status === 499)).toHaveLength(3);
  });

  it("that do not read their answers are closed, and so are those with too many requests", async () => {
    await start({ timeout: 1 });
    const lazy = open(running.port);
    lazy.socket.pause();
    // As many as it takes to fill the buffers of the sockets.
    const { metrics } = running.server.service;
    for (let before = -1; metrics.inFlight === 0 || metrics.inFlight !== before; ) {
      before = metrics.inFlight;
      if (before === 0) lazy.socket.write("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100));
      await sleep(100);
    }
    await eventually(() => running.server.service.metrics.connections === 0, "it is given up");
    expect(running.server.service.metrics.inFlight).toBe(0);
    const greedy = open(running.port);
    greedy.socket.pause();
    greedy.socket.write(message(["SLOW"]) + "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(600));
    greedy.socket.resume();
    await greedy.closed;
    await eventually(() => running.server.service.metrics.inFlight === 0, "all are given up");
  });

  it("of which one half is closed are answered", async () => {
    await start();
    const { socket, text, closed } = open(running.port);
    socket.end(message(["SLOW", "maps"]));
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 200 /);
    expect(text()).toContain('"form":"maps"');
  });

  it("are limited in number, and requests of one client too", async () => {
    const parse = await start({ maxConnections: 3, perClient: 2 });
    const answers = await Promise.all(Array.from({ length: 3 }, () => postJson(parse, { tokens: [["SLOW"]] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused.json().type).toBe("urn:stemma:problem:too-many-requests");
    const kept = Array.from({ length: 3 }, () => open(running.port));
    await eventually(() => running.server.service.metrics.connections === 3, "three are open");
    // Some more are for those who watch the server.
    expect((await get("/health/live")).status).toBe(200);
    const other = await postJson(parse, { tokens: [["maps"]] });
    expect([other.status, other.json().type]).toEqual([429, "urn:stemma:problem:too-many-connections"]);
    const idle = Array.from({ length: 17 }, () => open(running.port));
    await idle[0]!.closed;
    expect((await get("/health/live")).status).toBe(200);
    for (const { socket } of idle) socket.destroy();
    for (const { socket } of kept) socket.destroy();
    await eventually(() => running.server.service.metrics.connections === 0, "none is open");
    expect((await get("/metrics")).text).toMatch(/^stemma_connections_refused_total 2$/m);
  });

  it("of one address do not take the places of all", async () => {
    const parse = await start({ maxConnections: 100, connectionsPerClient: 5 });
    const idle = Array.from({ length: 60 }, () => open(running.port));
    await eventually(() => running.server.service.connections.accepted === 60, "all have come");
    await eventually(() => running.server.service.metrics.connections === 5 + 16, "the others are closed");
    expect((await get("/health/live")).status).toBe(200);
    expect((await postJson(parse, { tokens: [["maps"]] })).status).toBe(429);
    for (const { socket } of idle) socket.destroy();
    await eventually(() => running.server.service.metrics.connections === 0, "none is open");
    expect((await postJson(parse, { tokens: [["maps"]] })).status).toBe(200);
  });
});

describe("time", () => {
  it("is counted from progress: a long request may take longer than the timeout", async () => {
    const parse = await start({ timeout: 1 });
    const long = await postJson(parse, { tokens: Array(14).fill(["SLOW", "x".repeat(7000)]) });
    expect(long.status).toBe(200);
    expect(long.json().sentences).toHaveLength(14);
    const logged = () => running.log().find(({ path }) => path === "/v1/parse")?.ms as number;
    await eventually(() => logged() !== undefined, "it is logged");
    expect(logged()).toBeGreaterThan(1000);
  });
});

describe("a log that cannot be written", () => {
  it("harms nothing else", async () => {
    const lines: string[] = [];
    let broken = false;
    const logTo = {
      write(text: string, done?: (error?: Error | null) => void) {
        if (broken) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
        lines.push(text);
        done?.();
      },
    };
    await start({ logTo });
    broken = true;
    expect((await get("/health")).status).toBe(200);
    await sleep(50);
    expect((await get("/metrics")).text).toMatch(/^stemma_log_lines_dropped_total [1-9]/m);
    broken = false;
    expect((await get("/health")).status).toBe(200);
    await eventually(() => lines.join("").includes("/health"), "it goes on");
  });
});

describe("what goes wrong", () => {
  it("is counted and logged, also when it is no HTTP; internals are for the log only", async () => {
    const parse = await start({ headTimeout: 0.5 });
    for (const head of [
      "NONSENSE\r\n\r\n",
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(70_000)}\r\n\r\n`,
      "GET / HT",
    ]) {
      const { socket, closed } = open(running.port);
      socket.write(head);
      await closed;
    }
    for (const hosts of ["", "Host: localhost\r\nHost: localhost\r\n"]) {
      const { socket, closed, text } = open(running.port);
      socket.write(`GET /health HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
      await closed;
      expect(text()).toMatch(/^HTTP\/1\.1 400 /);
      expect(text()).toContain("Host headers (expected one)");
    }
    await eventually(() => running.log().filter(({ path }) => path === "/health").length === 2, "both are logged");
    const { socket, text, closed } = open(running.port);
    socket.write(
      "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nExpect: magic\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    );
    await closed;
    expect(text()).toMatch(/^HTTP\/1\.1 417 /);
    await eventually(() => running.log().length >= 7, "all are logged");
    expect(
      running
        .log()
        .filter(({ event }) => event === "refused")
        .map(({ status }) => status)
        .sort(),
    ).toEqual([400, 408, 431]);
    expect(running.log().map(({ status }) => status)).toContain(417);
    const { text: metrics } = await get("/metrics");
    for (const status of [400, 408, 431])
      expect(metrics).toContain(`stemma_requests_total{route="other",status="${status}"} 1`);
    expect(metrics).toContain('stemma_requests_total{route="/v1/parse",status="417"} 1');
    const broken = await postJson(parse, { tokens: [["BROKEN"]] });
    expect(broken.status).toBe(500);
    expect(broken.text).not.toContain("secret");
    await eventually(
      () => running.log().some(({ error }) => String(error).includes("the secret of /home/nobody")),
      "the log has the reason",
    );
  });

  it("tells how long to wait by what waits", async () => {
    const parse = await start({ queue: 30 });
    const ask = () => postJson(parse, { tokens: [["SLOW"]] });
    // From these it knows how long one takes.
    for (const { status } of await Promise.all(Array.from({ length: 16 }, ask))) expect(status).toBe(200);
    const refused: Awaited<ReturnType<typeof ask>>[] = [];
    for (let i = 0; i < 40; i++) {
      ask().then(
        (answer) => answer.status === 503 && refused.push(answer),
        // The server ends before it has answered all.
        () => {},
      );
    }
    await eventually(() => refused.length >= 9, "those are refused that are too many");
    expect(Math.max(...refused.map(({ headers }) => Number(headers["retry-after"])))).toBeGreaterThan(1);
  });
});

describe("web pages", () => {
  it("of other origins do not reach a server that is for this machine only, under whatever name", async () => {
    const parse = await start({ cors: ["http://a.example"], allowHost: ["parser.example"] });
    const from = (headers: Record<string, string>) => post(parse, "text/plain", "maps", headers);
    const host = `127.0.0.1:${running.port}`;
    expect((await from({})).status).toBe(200);
    expect((await from({ Origin: `http://${host}`, Host: host })).status).toBe(200);
    expect((await from({ Origin: "http://a.example" })).status).toBe(200);
    expect((await from({ Origin: "http://b.example" })).status).toBe(403);
    expect((await from({ Origin: "null" })).status).toBe(403);
    for (const name of ["localhost", "LOCALHOST:80", "[::1]:8080", "127.9.9.9", "parser.example:1"]) {
      expect((await from({ Host: name })).status, name).toBe(200);
    }
    const disguised = [
      "localhost:99999@evil",
      "localhost:80@evil.example",
      "localhost:99999",
      "localhost/evil",
      "[::1]x",
    ];
    for (const name of ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", ...disguised]) {
      const answer = await from({ Host: name });
      expect([answer.status, answer.json().field], name).toEqual([421, "Host"]);
    }
  });
});

describe("web pages of other sites", () => {
  it("do not show what a server for this machine answers; links to it may be followed", async () => {
    await start();
    const show = (site: string, mode: string, dest: string) =>
      send(`${running.url}/process?data=maps&tokenizer=`, {
        method: "GET",
        headers: { "Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest },
      });
    const refused = await show("cross-site", "no-cors", "image");
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("other sites")]);
    expect((await show("cross-site", "navigate", "iframe")).status).toBe(403);
    expect((await show("cross-site", "navigate", "document")).status).toBe(200);
    expect((await show("same-origin", "cors", "empty")).status).toBe(200);
    expect((await show("none", "navigate", "document")).status).toBe(200);
  });
});

describe("packed bodies and answers", () => {
  it("are unpacked and packed, with a limit", async () => {
    const parse = await start({ maxBody: 200_000 });
    const text = "Mina sells maps.\n\n".repeat(400);
    const plain = await post(parse, "text/plain", text, { Accept: "application/x-ndjson" });
    const packers = { gzip: gzipSync, br: brotliCompressSync };
    for (const [coding, pack] of Object.entries(packers)) {
      const answer = await post(parse, "text/plain", pack(text), {
        Accept: "application/x-ndjson",
        "Content-Encoding": coding,
      });
      expect([answer.status, answer.text]).toEqual([200, plain.text]);
      const bomb = await post(parse, "text/plain", pack("Mina ".repeat(1_000_000)), { "Content-Encoding": coding });
      expect([bomb.status, bomb.json().field]).toEqual([413, "body"]);
      const wrong = await post(parse, "text/plain", text, { "Content-Encoding": coding });
      expect([wrong.status, wrong.json().field]).toEqual([400, "Content-Encoding"]);
    }
    const json = await post(parse, "application/json", gzipSync(JSON.stringify({ text })), {
      "Content-Encoding": "gzip",
    });
    expect(json.json().sentences).toHaveLength(400);
    for (const [coding, unpack] of Object.entries({ gzip: gunzipSync, br: brotliDecompressSync })) {
      for (const body of [text, text.repeat(20).slice(0, 199_000)]) {
        const whole = await post(parse, "text/plain", body, { Accept: "application/x-ndjson" });
        const chunks: Buffer[] = [];
        const answer = await fetchRaw(parse, body, coding, chunks);
        expect(answer).toBe(coding);
        expect(unpack(Buffer.concat(chunks)).toString()).toBe(whole.text);
      }
    }
    expect((await post(parse, "text/plain", "maps", { "Content-Encoding": "zip" })).status).toBe(415);
  });
});

/** Sends a text and gives the coding of the answer, whose bytes it collects. */
async function fetchRaw(url: string, body: string, coding: string, chunks: Buffer[]): Promise<string | undefined> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "text/plain", Accept: "application/x-ndjson", "Accept-Encoding": coding };
    const req = request(url, { method: "POST", headers, agent: false }, (res) => {
      res.on("data", (chunk) => chunks.push(chunk));
      res.on("end", () => resolve(res.headers["content-encoding"]));
      res.on("error", reject);
    });
    req.on("error", reject);
    req.end(body);
  });
}

describe("logs", () => {
  it("say who asked, and which trace it belongs to", async () => {
    const parse = await start();
    const trace = "0af7651916cd43dd8448eb211c80319c";
    await post(parse, "text/plain", "maps", { traceparent: `00-${trace}-b7ad6b7169203331-01` });
    await post(parse, "text/plain", "maps", { traceparent: "00-nonsense" });
    await eventually(() => running.log().filter(({ path }) => path === "/v1/parse").length === 2, "both are logged");
    const [first, second] = running.log().filter(({ path }) => path === "/v1/parse");
    expect(first).toMatchObject({ client: "127.0.0.1", trace });
    expect(second).not.toHaveProperty("trace");
  });
});

describe("tokens", () => {
  it("may come with what is known of them", async () => {
    const parse = await start();
    const answer = await postJson(parse, {
      tokens: [["Mina", { form: "sells", upos: "NOUN", head: 0 }, { form: "maps", head: 2, deprel: "dep" }]],
    });
    expect(
      answer.json().sentences[0].words.map(({ head, upos, deprel }: Record<string, string>) => [head, upos, deprel]),
    ).toMatchObject([
      [2, expect.anything(), expect.anything()],
      [0, "NOUN", expect.anything()],
      [2, expect.anything(), "dep"],
    ]);
    for (const [token, status, field] of [
      [{ form: "a", head: 9 }, 400, "tokens[0][0].head"],
      [{ form: "a", colour: "red" }, 400, "tokens[0][0]"],
      [{ form: "a", upos: "N\tV" }, 400, "tokens[0][0].upos"],
      [{ upos: "NOUN" }, 400, "tokens[0][0].form"],
      [{ form: "a", head: 1 }, 422, "tokens"],
    ] as const) {
      const wrong = await postJson(parse, { tokens: [[token, "b"]] });
      expect([wrong.status, wrong.json().field]).toEqual([status, field]);
    }
  });
});
