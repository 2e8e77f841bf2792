import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { load, type ModelSource } from "../../src/model-file/load.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import type { ParserOptions } from "../../src/parser/tree-parser.js";
import { Pipeline } from "../../src/pipeline/pipeline.js";
import type { Program } from "../../src/storage/part.js";
import { toyPipeline } from "../toy-pipeline.js";
import { replaceSection, sections } from "./model-sections.js";

const TEXT = "Mina likes green boats.";
let bytes: Uint8Array;
let folder: string;
let expected: string;

beforeAll(async () => {
  bytes = writeModel(toyPipeline());
  folder = mkdtempSync(join(tmpdir(), "stemma-load-"));
  writeFileSync(join(folder, "toy.stemma"), bytes);
  expected = [...(await load(bytes)).parse(TEXT)].map((sentence) => sentence.toConllu()).join("");
});
afterAll(() => rmSync(folder, { recursive: true }));

function shared(): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

function padded(): DataView {
  const buffer = new Uint8Array(bytes.length + 12);
  buffer.set(bytes, 5);
  return new DataView(buffer.buffer, 5, bytes.length);
}

const SOURCES: Record<string, () => unknown> = {
  "a Buffer": () => Buffer.from(bytes),
  "an ArrayBuffer": () => bytes.slice().buffer,
  "a DataView into a longer buffer": padded,
  "a SharedArrayBuffer": shared,
  "a view of a SharedArrayBuffer": () => new Uint8Array(shared()),
  "a Uint8Array of another realm": () => runInNewContext("Uint8Array.from(bytes)", { bytes: [...bytes] }),
  "an ArrayBuffer of another realm": () => runInNewContext("Uint8Array.from(bytes).buffer", { bytes: [...bytes] }),
  "a Blob": () => new Blob([bytes.slice()]),
  "a Response": () => new Response(bytes.slice()),
  "a data: address": () => `data:application/octet-stream;base64,${Buffer.from(bytes).toString("base64")}`,
  "a path": () => join(folder, "toy.stemma"),
  "a file: URL": () => pathToFileURL(join(folder, "toy.stemma")),
  "a file: address": () => pathToFileURL(join(folder, "toy.stemma")).href,
};

test.each(Object.keys(SOURCES))("a model is loaded from %s", async (name) => {
  const parser = await load(SOURCES[name]!() as ModelSource);
  expect([...parser.parse(TEXT)].map((sentence) => sentence.toConllu()).join("")).toBe(expected);
});

describe("what is no model is refused, in few words", () => {
  test.each(
    [
      [42, "invalid model: 42 (expected its bytes (typed array, "],
      [undefined, "invalid model: undefined (expected its bytes"],
      [null, "invalid model: null (expected its bytes"],
      [{ path: "x" }, "invalid model: Object (expected its bytes"],
      [new Map(), "invalid model: Map (expected its bytes"],
      [() => bytes, "invalid model: a function (expected its bytes"],
      [[1, 2, 3], "invalid model: Array (expected its bytes"],
      [new Response("no", { status: 404, statusText: "Not Found" }), "cannot load the model: 404 Not Found"],
      [new Uint8Array(1_000_000), "not a Stemma model"],
      ["no-such-folder/en.stemma", "no-such-folder/en.stemma"],
    ].map(([source, message]) => [message as string, source] as const),
  )("%s", async (message, source) => {
    const error = await load(source as ModelSource).then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error?.message).toContain(message);
    expect(error!.message.length).toBeLessThan(400);
  });
});

describe("a model that needs a program", () => {
  const needing = (needs: string) => {
    const { start, end } = sections(bytes)[0]!;
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(start, end)));
    return replaceSection(bytes, 0, new TextEncoder().encode(JSON.stringify({ ...header, needs: [needs] })));
  };
  const NAMES = [
    "combination",
    "disfluencies",
    "enhanced",
    "encoder",
    "graph",
    "joint-tagging",
    "pointers",
    "roles",
    "tags",
  ];

  test("that is not known says which are", async () => {
    await expect(load(needing("telepathy"))).rejects.toThrow(
      `model: needs telepathy (this version has ${NAMES.join(", ")})`,
    );
  });

  test.each(NAMES)("is read when it is given: %s; else the error says an import that is there", async (name) => {
    const read = (programs?: Program[]) => readModel(needing(name), { programs });
    let message = "";
    expect(() => {
      try {
        read();
      } catch (error) {
        message = (error as Error).message;
        throw error;
      }
    }).toThrow(`the model needs ${name}: use load(), or import {`);
    const [, exported, entry] =
      /import \{ (\w+) \} from "@stemma\/core\/([\w-]+)" and pass \{ programs: \[\1\] \}/.exec(message)!;
    const path = `@stemma/core/${entry}`;
    const program = (await import(/* @vite-ignore */ path))[exported!] as Program;
    expect(new Pipeline(read([program])).parseTokens(["Mina", "sells"]).length).toBe(2);
  });
});

describe("how to search is checked", () => {
  test.each([
    [{ beam: 1.5 }, "invalid beam of the parser: 1.5 (expected a whole number from 1 to 100000)"],
    [{ beam: 0 }, "invalid beam of the parser: 0"],
    [{ beam: Number.NaN }, "invalid beam of the parser: NaN"],
    [{ beam: "x" }, 'invalid beam of the parser: "x"'],
    [{ merge: 1 }, "invalid merge of the parser: 1 (expected true, false or a search that merges hypotheses)"],
    [
      { beem: 4 },
      "unknown option of the parser: beem (expected one of beam, merge, tokens, tokenPatterns, afterTagging)",
    ],
    [4, "invalid options of the parser: 4 (expected an object)"],
  ])("%j", async (options, message) => {
    await expect(load(bytes, options as ParserOptions)).rejects.toThrow(message);
  });
});
