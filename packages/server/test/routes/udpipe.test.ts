// Requests as the clients of UDPipe's REST service send them.
import { readTreebank } from "@stemma/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { post, type Running, send, startServer } from "../helpers.js";

let running: Running;
beforeAll(async () => {
  running = await startServer();
});
afterAll(() => running.stop());

const TEXT = "Mina doesn't sell old boats. Toru likes maps!";
const FORM = "application/x-www-form-urlencoded";
const get = (path: string) => send(running.url + path, { method: "GET" });
const form = (values: Record<string, string>, path = "/process") =>
  post(running.url + path, FORM, new URLSearchParams(values).toString());

/** The words of the result, each as its ten columns; comments and multiword tokens are left out. */
const words = (result: string) =>
  result
    .split("\n")
    .filter((line) => /^\d+\t/.test(line))
    .map((line) => line.split("\t"));

describe("UDPipe's REST service", () => {
  it("lists the models", async () => {
    for (const answer of [await get("/models"), await form({}, "/models"), await get("/services/udpipe/api/models")]) {
      expect(answer.status).toBe(200);
      expect(answer.headers["content-type"]).toContain("application/json");
      expect(answer.json()).toEqual({
        models: { toy: ["tokenizer", "tagger", "parser"], bare: ["parser"] },
        default_model: "toy",
      });
    }
  });

  it("answers curl --data, curl -F with a file, a GET, Python's requests and urllib, and R's httr alike", async () => {
    const boundary = "------------------------d74496d66958873e";
    const part = (name: string, value: string, more = "") =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
    const multipart = (parts: string[]) =>
      post(
        `${running.url}/process`,
        `multipart/form-data; boundary=${boundary}`,
        `${parts.join("")}--${boundary}--\r\n`,
      );
    // Python's email package, as UDPipe's own client uses it.
    const mime = (name: string, value: string) =>
      `--===============123==\r\nContent-Type: text/plain; charset="utf-8"\r\nMIME-Version: 1.0\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${value}\r\n`;
    const answers = [
      // curl --data tokenizer= --data tagger= --data parser= --data-urlencode data=…
      await post(`${running.url}/process`, FORM, `tokenizer=&tagger=&parser=&data=${encodeURIComponent(TEXT)}`),
      await post(
        `${running.url}/services/udpipe/api/process`,
        FORM,
        `model=toy&tokenizer&tagger&parser&data=${encodeURIComponent(TEXT)}`,
      ),
      await get(`/process?tokenizer&tagger&parser&data=${encodeURIComponent(TEXT)}`),
      await get(`/process?tokenizer=&tagger=&parser=&data=${encodeURIComponent(TEXT).replaceAll("%20", "+")}`),
      await form({ data: TEXT, model: "toy", tokenizer: "", tagger: "", parser: "", output: "conllu" }),
      // Parameters in the address, the text in the form.
      await form({ data: TEXT }, "/process?tokenizer&tagger&parser"),
      await multipart([
        part("data", TEXT, '; filename="a \\"b\\".txt"\r\nContent-Type: text/plain'),
        part("tokenizer", ""),
        part("tagger", ""),
        part("parser", ""),
      ]),
      await post(
        `${running.url}/process`,
        'multipart/form-data; boundary="===============123=="',
        `${mime("input", "conllu")}${mime("output", "conllu")}${mime("data", TEXT)}${mime("tokenizer", "")}${mime("parser", "")}${mime("tagger", "")}--===============123==--\r\n`,
      ),
    ];
    for (const answer of answers) {
      expect(answer.status, answer.text).toBe(200);
      expect(answer.text).toBe(answers[0]!.text);
    }
    const { model, acknowledgements, result } = answers[0]!.json();
    expect(model).toBe("toy");
    expect(Array.isArray(acknowledgements)).toBe(true);
    expect(result).toContain("# newdoc\n# newpar\n# sent_id = 1\n# text = Mina doesn't sell old boats.\n");
    expect(result).toContain("\n2-3\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_\n2\tdoes\tdo\tAUX\t");
    expect(result).toContain("# sent_id = 2\n# text = Toru likes maps!\n");
    const sentences = readTreebank(result, { requireTree: true, singleRoot: true });
    expect(sentences.map((s) => s.length)).toEqual([7, 4]);
  });

  it("leaves empty what nobody asked for", async () => {
    const columns = async (values: Record<string, string>) =>
      words((await form({ data: TEXT, ...values })).json().result);
    const empty = (row: string[], from: number, to: number) => row.slice(from, to).every((value) => value === "_");
    for (const row of await columns({ tokenizer: "" })) expect(empty(row, 2, 9)).toBe(true);
    for (const row of await columns({ tokenizer: "", tagger: "none", parser: "none" }))
      expect(empty(row, 2, 9)).toBe(true);
    for (const row of await columns({ tokenizer: "", tagger: "" })) {
      expect(row[3]).not.toBe("_");
      expect(empty(row, 6, 9)).toBe(true);
    }
    for (const row of await columns({ tokenizer: "", parser: "" })) {
      expect(empty(row, 2, 6)).toBe(true);
      expect(row[7]).not.toBe("_");
    }
  });

  it("reads CoNLL-U, horizontal and vertical input", async () => {
    const conllu = "# sent_id = x7\n1\tMina\tM\tPROPN\tXX\t_\t_\t_\t_\tA=b\n2\tsells\tS\tVERB\tYY\t_\t_\t_\t_\t_\n\n";
    const parsed = (await form({ data: conllu, parser: "" })).json().result;
    expect(parsed).toContain("# sent_id = x7\n");
    expect(words(parsed).map((row) => row.slice(1, 6).join(" "))).toEqual(["Mina M PROPN XX _", "sells S VERB YY _"]);
    expect(words(parsed).every((row) => row[6] !== "_")).toBe(true);
    const tagged = words((await form({ data: conllu, tagger: "" })).json().result);
    expect(tagged[1]).toMatchObject(["2", "sells", "sell", "VERB", "VE", "VerbForm=Fin", "_", "_", "_", "_"]);
    expect(words((await form({ data: conllu })).json().result)[0]!.join("\t")).toBe(
      "1\tMina\tM\tPROPN\tXX\t_\t_\t_\t_\tA=b",
    );
    const untagged = conllu.replace(/\tM\tPROPN\tXX|\tS\tVERB\tYY/g, "\t_\t_\t_");
    const kept = words((await form({ data: untagged, parser: "" })).json().result);
    expect(kept.map((row) => row.slice(2, 6).join(""))).toEqual(["____", "____"]);
    for (const [input, data] of [
      ["horizontal", "Mina sells maps .\nRek paints\n"],
      ["vertical", "Mina\nsells\nmaps\n.\n\nRek\npaints\n\n"],
    ]) {
      const { result } = (await form({ data: data!, input: input!, tagger: "", parser: "" })).json();
      expect(readTreebank(result, { requireTree: true }).map((s) => s.length)).toEqual([4, 2]);
    }
    const generic = (await form({ data: TEXT, input: "generic_tokenizer", tagger: "" })).json().result;
    expect(words(generic)).toHaveLength(11);
  });

  it("writes horizontal, vertical and plain text", async () => {
    const output = async (output: string, tokenizer = "") =>
      (await form({ data: `${TEXT}\n\nRek.\n`, tokenizer, output })).json().result;
    expect(await output("horizontal")).toBe("Mina does n't sell old boats .\nToru likes maps !\nRek .\n");
    expect(await output("vertical")).toMatch(/^Mina\ndoes\nn't\nsell\nold\nboats\n\.\n\nToru\n/);
    expect(await output("plaintext")).toBe(`${TEXT}\n\nRek.\n`);
    expect(await output("plaintext=normalized_spaces")).toBe("Mina doesn't sell old boats.\nToru likes maps!\nRek.\n");
  });

  it("knows the options of the tokenizer", async () => {
    const data = "😀 sells maps. Rek finds\nMina sells  boats.\n\nToru\n";
    const { result } = (await form({ data, tokenizer: "presegmented;ranges" })).json();
    expect(result.match(/^# text = .*$/gm)).toEqual([
      "# text = 😀 sells maps. Rek finds",
      "# text = Mina sells  boats.",
      "# text = Toru",
    ]);
    expect(result.match(/^# newpar$/gm)).toHaveLength(2);
    const ranges = [...result.matchAll(/^\d+\t([^\t]*)\t.*TokenRange=(\d+):(\d+)/gm)];
    const characters = [...data];
    for (const [, formOf, from, to] of ranges) expect(characters.slice(Number(from), Number(to)).join("")).toBe(formOf);
    expect(ranges).toHaveLength(11);
    expect(result).toContain("SpacesAfter=\\s\\s|");
    const normalized = (await form({ data, tokenizer: "normalized_spaces" })).json().result;
    expect(normalized).not.toContain("SpacesAfter");
    expect(normalized).toContain("SpaceAfter=No");
  });

  it("finds models by the names that UDPipe's clients use", async () => {
    const built = new URL("../../dist/pool/models.js", import.meta.url).href;
    const { infoOf, Models } = (await import(built)) as typeof import("../../src/pool/models.js");
    const parser = { header: { system: "swap", root: "last", labels: [] } };
    const model = { parser, origin: {}, parts: [] } as never;
    const models = new Models(
      ["en", "basque-bdt", "grc"].map((name) => ({ info: infoOf({ name, model }), limits: {} })),
    );
    const cases = {
      "": 0,
      en: 0,
      eng: 0,
      english: 0,
      "english-ewt-ud-2.12-230717": 0,
      basque: 1,
      "basque-bdt": 1,
      eu: 1,
      "eu-x": 1,
      grc: 2,
      "ancient_greek-proiel": 2,
      french: -1,
      e: -1,
      "..": -1,
    };
    for (const [name, index] of Object.entries(cases)) expect(models.findUdpipe(name), name).toBe(index);
  });

  it("explains in plain text what is wrong", async () => {
    const cases: [Promise<{ status: number; text: string; headers: object }>, number, string][] = [
      [form({ tokenizer: "" }), 400, "'data' is missing"],
      [get("/process"), 400, "'data' is missing"],
      [form({ data: "a", model: "klingon" }), 400, "klingon"],
      [form({ data: "a", input: "xml" }), 400, "expected conllu, generic_tokenizer, horizontal, vertical"],
      [form({ data: "a", tokenizer: "", output: "epe" }), 400, "expected conllu, horizontal, plaintext, vertical"],
      [form({ data: "a", tokenizer: "", model: "bare" }), 400, "does not contain a tokenizer"],
      [form({ data: "1\ta", parser: "" }), 422, "data:1:2: invalid columns"],
      [get("/process?data=%ff&tokenizer"), 400, "UTF-8"],
      [post(`${running.url}/process`, "application/json", "{}"), 415, "application/json"],
      [post(`${running.url}/process`, "multipart/form-data", "x"), 400, "boundary"],
      [post(`${running.url}/process`, "multipart/form-data; boundary=x", "--x\r\n"), 400, "ends too early"],
      [
        post(
          `${running.url}/process`,
          "multipart/form-data; boundary=x",
          `--x\r\nContent-Disposition: form-data;${' name="\\"'.repeat(1000)}\r\n\r\na\r\n--x--\r\n`,
        ),
        400,
        "headers of more than 2048 bytes",
      ],
    ];
    for (const [answer, status, text] of cases) {
      const { headers, ...rest } = await answer;
      expect(rest).toMatchObject({ status, text: expect.stringContaining(text) });
      expect(headers).toMatchObject({ "content-type": "text/plain; charset=utf-8" });
    }
  });
});
