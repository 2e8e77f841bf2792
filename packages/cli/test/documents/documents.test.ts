// Documents, one in each line of JSON: in, parsed, and out again.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import type { SentenceJSON } from "@stemma/core";
import { beforeAll, describe, expect, test } from "vitest";
import { toyPipelineFile } from "../../../core/test/toy-pipeline-file.js";
import { furtherFields } from "../../../server/src/annotation/documents/document-line.js";
import { type Line, readLinesOf } from "../../../server/src/annotation/documents/lines.js";
import { membersOf, rawValue, withoutMembers } from "../../../server/src/annotation/documents/object-members.js";
import { sniffed } from "../../src/documents/inputs.js";
import { start, stemma } from "../stemma.js";

let folder: string;
let model: string;
const path = (name: string) => join(folder, name);
const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(path(name), content);
  return path(name);
};
const parse = (...args: string[]) => stemma(["parse", "--model", model, ...args], { cwd: folder });
const objects = (jsonl: string) =>
  jsonl
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { sentences: SentenceJSON[] } & Record<string, unknown>);

const DOCUMENTS = [
  '{"id": "a", "text": "Mina sells maps. Rek likes ponds.", "year": 1999, "big": 12345678901234567890}',
  '{"text":"Toru doesn\'t find old lamps!\\n\\nLopa paints boats.","id":17,"meta":{"x":[1.0,{"y":"}"}]}}',
  '{"id":"empty","text":""}',
];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-documents-"));
  model = file("toy.stemma", toyPipelineFile());
  file("d.jsonl", `${DOCUMENTS.join("\n")}\n`);
});

describe("members of JSON", () => {
  test("are passed on as they are written", () => {
    const json = ' { "a" : 1.0 , "b\\"\\u0041":"x\\\\" ,"c": [ {"d":"]}"}, -1e5 ],"e":null} ';
    expect(membersOf(json).map(({ name, value, end }) => [name, json.slice(value, end)])).toEqual([
      ["a", "1.0"],
      ['b"A', '"x\\\\"'],
      ["c", '[ {"d":"]}"}, -1e5 ]'],
      ["e", "null"],
    ]);
    expect(withoutMembers(json, ["a", "e"])).toBe('{"b\\"\\u0041":"x\\\\" ,"c": [ {"d":"]}"}, -1e5 ]}');
    expect(withoutMembers('{"a":1}', ["a"])).toBeUndefined();
    expect(membersOf("{}")).toEqual([]);
    expect(rawValue('{"a":{"b":1.50},"a":{"b":2.50}}', ["a", "b"])).toBe("2.50");
  });

  test("but for text and name", () => {
    const fields = { text: "body.text", id: "id", needsId: false };
    expect(furtherFields('{"id":1,"body":{"text":"x","lang":"en"},"n":1.0}', fields)).toBe(
      '{"body":{"lang":"en"},"n":1.0}',
    );
    expect(furtherFields('{"id":1,"body":{"text":"x"}}', fields)).toBeUndefined();
    expect(furtherFields('{"body.text":"x","body":{"text":2}}', fields)).toBe('{"body":{"text":2}}');
  });
});

test("lines are found however the bytes come, and long ones cost no memory", async () => {
  const bytes = Buffer.from("{1}\n\n  \r\n{é}\r\n0123456789\nlast");
  for (const size of [1, 2, 3, 7, 100]) {
    const chunks = (async function* () {
      for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
    })();
    const lines: Line[] = [];
    for await (const some of readLinesOf(chunks, 8, 1000)) lines.push(...some);
    expect(lines).toEqual([
      { text: "{1}", line: 1, offset: 1000 },
      { text: "{é}\r", line: 4, offset: 1009 },
      { text: undefined, line: 5, offset: 1015, isTooLong: true },
      { text: "last", line: 6, offset: 1026 },
    ]);
  }
});

test("what a file of JSON holds is told by its first object", () => {
  expect(sniffed('{"text": "Rek."}\n')).toBe("jsonl");
  expect(sniffed('{"words": [{"form": "Rek"}]}\n')).toBe("json");
  expect(sniffed('{"text": "Rek.", "sentences": []}\n')).toBe("json");
  expect(sniffed('{"text": 1\n{"text": "Rek."}\n')).toBe("jsonl");
});

describe("stemma parse --from jsonl", () => {
  test("keeps a name over several lines in a table, and has it in one line in CoNLL-U", () => {
    file("lines.jsonl", '{"id":"a\\n# b","text":"Rek paints maps."}\n');
    parse("--to", "parquet", "--output", "lines.parquet", "lines.jsonl");
    const back = (...args: string[]) => stemma(["convert", ...args, path("lines.parquet")]);
    const { out } = parse("--to", "conllu", "lines.jsonl");
    expect(out).toContain("# newdoc id = a # b\n");
    expect(back("--to", "conllu")).toMatchObject({ status: 0, err: "" });
    expect(back("--to", "conllu").out).toContain("# newdoc id = a # b\n");
    expect(JSON.parse(back("--to", "jsonl").out).id).toBe("a\n# b");
  });

  test("keeps fields as they are written, and the order", () => {
    const { status, out, err } = parse("d.jsonl");
    expect({ status, err }).toEqual({ status: 0, err: "" });
    const lines = out.trimEnd().split("\n");
    lines.forEach((line, k) => {
      const at = line.indexOf(',"sentences":[');
      expect(`${line.slice(0, at)}}`).toBe(DOCUMENTS[k]);
    });
    const [a, b, empty] = objects(out);
    expect(a!.sentences.map(({ id, text, start }) => [id, text, start])).toEqual([
      ["a-1", "Mina sells maps.", 0],
      ["a-2", "Rek likes ponds.", 17],
    ]);
    expect(b!.sentences.map(({ id, comments, version }) => [id, comments, version])).toEqual([
      ["17-1", ["# newpar"], 1],
      ["17-2", ["# newpar"], 1],
    ]);
    expect(empty!.sentences).toEqual([]);
    // Parsing again replaces sentences, and does nothing else.
    file("again.jsonl", out);
    expect(parse("--from", "jsonl", "again.jsonl").out).toBe(out);
  });

  test("goes to CoNLL-U with documents, and is the same through JSON and tables", () => {
    const { out, err } = parse("--to", "conllu", "--offsets", "--scores", "d.jsonl");
    expect(err).toBe("stemma: left out because conllu cannot represent them: 3 fields of documents\n");
    expect(out.match(/^# (newdoc|sent_id).*/gm)).toEqual([
      "# newdoc id = a",
      "# sent_id = a-1",
      "# sent_id = a-2",
      "# newdoc id = 17",
      "# sent_id = 17-1",
      "# sent_id = 17-2",
    ]);
    for (const to of ["jsonl", "parquet"]) {
      expect(parse("--to", to, "--scores", "--output", `x.${to}`, "d.jsonl").status).toBe(0);
      expect(stemma(["convert", "--from", to, path(`x.${to}`)]).out).toBe(out);
    }
    // A table keeps the other fields.
    const back = stemma(["convert", "--from", "parquet", "--to", "jsonl", path("x.parquet")]).out;
    expect(objects(back)[0]).toMatchObject({ id: "a", year: 1999 });
    expect(back).toContain('"big": 12345678901234567890');
    expect(parse("--json", "d.jsonl").out.split("\n")[0]).toMatch(
      /^\{"version":1,"id":"a-1","text":"Mina sells maps\."/,
    );
  });

  test("names fields, and documents without a name after their place", () => {
    const nested = '{"doc":{"key":"k1"},"body":{"text":"Rek likes ponds."}}';
    file("nested.jsonl", `${nested}\n{"doc":{"key":"k2"},"body.text":"Mina sells maps."}\n`);
    const { out, status } = parse("--text-field", "body.text", "--id-field", "doc.key", "nested.jsonl");
    expect(status).toBe(0);
    expect(objects(out).map(({ sentences }) => sentences[0]!.id)).toEqual(["k1-1", "k2-1"]);
    const second = nested.length + 1;
    const unnamed = objects(parse("--text-field", "body.text", "nested.jsonl").out);
    expect(unnamed.map(({ sentences }) => sentences[0]!.id)).toEqual(["nested.jsonl@0-1", `nested.jsonl@${second}-1`]);
    expect(parse("--text-field", "body.text", "--to", "conllu", "nested.jsonl").out).toContain(
      `# newdoc id = nested.jsonl@${second}\n`,
    );
  });

  test("reports bad lines with their numbers and goes on, unless it is strict", () => {
    const lines = [DOCUMENTS[0], "nonsense", "", '{"id":2}', '{"id":3,"text":7}', "[1]", '{"id":[4],"text":"Rek."}'];
    const bytes = Buffer.concat([
      Buffer.from(`${lines.join("\n")}\n{"text":"`),
      Buffer.from([0xff]),
      Buffer.from(`"}\n${DOCUMENTS[1]}\n`),
    ]);
    file("bad.jsonl", bytes);
    const { status, out, err } = parse("bad.jsonl");
    expect(status).toBe(1);
    expect(out).toBe(`${parse("d.jsonl").out.split("\n").slice(0, 2).join("\n")}\n`);
    expect(err.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^bad\.jsonl:2: invalid JSON: nonsense \(expected a JSON object: .*\): document skipped$/),
      'bad.jsonl:4: invalid field "text": missing (expected the text; --text-field names another field of: id): document skipped',
      'bad.jsonl:5: invalid field "text": 7 (expected the text, a string): document skipped',
      expect.stringMatching(/^bad\.jsonl:6: invalid document: \[1\] /),
      'bad.jsonl:7: invalid field "id": "an array" (expected the name of the document, a string or a number): document skipped',
      'bad.jsonl:8: invalid line: "not UTF-8" (expected text in UTF-8: convert the file): document skipped',
      "stemma: 6 documents skipped, 2 read",
    ]);
    const strict = parse("--strict", "--output", "strict.jsonl", "bad.jsonl");
    expect([strict.status, strict.err]).toEqual([1, expect.stringContaining("bad.jsonl:2: ")]);
    expect(() => readFileSync(path("strict.jsonl"))).toThrow();
    // In their places, if that is asked for.
    const kept = parse("--error-field", "problem", "--to", "jsonl", "bad.jsonl");
    const shown = objects(kept.out).map(({ id, line, problem }) => [id ?? line, typeof problem]);
    expect(shown).toEqual([
      ["a", "undefined"],
      ["nonsense", "string"],
      [2, "string"],
      [3, "string"],
      ["[1]", "string"],
      [[4], "string"],
      [undefined, "string"],
      [17, "undefined"],
    ]);
    expect([kept.status, kept.err]).toEqual([1, "stemma: 6 documents skipped, 2 read\n"]);
    expect(parse("--id-field", "name", "d.jsonl").err).toContain('d.jsonl:1: invalid field "name": missing (expected');
  });

  test("is the same with threads, packed, from a pipe, and for documents of all lengths", () => {
    const sentence = "Mina doesn't like small apples! Toru finds lamps. ";
    const many = Array.from({ length: 98 }, (_, i) =>
      JSON.stringify({ id: i, text: sentence.repeat(i === 0 ? 700 : (i * 7) % 5) }),
    );
    const jsonl = `\ufeff${many.join("\r\n")}`;
    file("many.jsonl", jsonl);
    file("many.gz", gzipSync(jsonl));
    const { out, err } = parse("many.jsonl");
    expect(err).toBe("");
    expect(objects(out).map(({ id }) => id)).toEqual(many.map((_, i) => i));
    expect(objects(out)[0]!.sentences).toHaveLength(1400);
    expect(objects(out)[0]!.sentences.at(-1)).toMatchObject({ id: "0-1400", end: sentence.length * 700 - 1 });
    expect(parse("--threads", "2", "--threads", "2", "many.jsonl").out).toBe(out);
    expect(parse("--output", "many.out.gz", "many.gz").status).toBe(0);
    expect(gunzipSync(readFileSync(path("many.out.gz"))).toString()).toBe(out);
    expect(stemma(["parse", "--model", model], { input: jsonl }).out).toBe(out);
    const tables = ["1", "2"].map((threads) => {
      parse("--threads", threads, "--threads", threads, "--to", "parquet", "--output", `${threads}.parquet`, "many.gz");
      return readFileSync(path(`${threads}.parquet`));
    });
    expect(tables[0]!.equals(tables[1]!)).toBe(true);
  });

  test("answers a document as soon as it is there", async () => {
    const child = start("parse", "--model", model, "--from", "jsonl");
    const answered = (async () => {
      for (const text of ["Rek likes ponds.", "Mina sells maps."]) {
        const answer = new Promise((resolve) => child.stdout.once("data", resolve));
        child.stdin.write(`${JSON.stringify({ text })}\n`);
        expect(JSON.parse(String(await answer)).sentences[0].text).toBe(text);
      }
    })();
    await answered;
    child.stdin.end();
  });

  test("refuses what has no effect, and formats that know no documents", () => {
    const refused = (...args: string[]) => {
      const { status, err } = parse(...args);
      expect(status).toBe(2);
      return err;
    };
    file("t.txt", "Rek likes ponds.\n");
    expect(refused("--text-field", "x", "t.txt")).toContain("(--text-field needs documents: --from jsonl)");
    expect(refused("--from", "jsonl", "--keep", "d.jsonl")).toContain("--keep needs a treebank");
    expect(refused("--to", "tree", "d.jsonl")).toContain("documents cannot be written as tree");
    expect(refused("--to", "conllu", "--error-field", "e", "d.jsonl")).toContain("--error-field needs");
    expect(refused("--to", "parquet", "--k-best", "2", "d.jsonl")).toContain("--k-best needs");
    expect(refused("--output", "d.jsonl", "d.jsonl")).toContain("expected a file other than d.jsonl");
    expect(refused("--shard", "0/2", "d.jsonl")).toContain("--shard needs --output-dir");
    expect(refused("--from", "jsonl", "no such")).toContain("text cannot be read with --from jsonl");
  });
});

describe("stemma search in documents", () => {
  const PATTERN = "{upos:VERB}=v >obj {lemma:/map|pond|lamp/}=o";

  test("finds the same in every form, parsed or not", () => {
    for (const to of ["jsonl", "parquet", "conllu"]) parse("--to", to, "--output", `s.${to}`, "d.jsonl");
    const search = (...args: string[]) => stemma(["search", PATTERN, ...args], { cwd: folder });
    const places = (text: string) => text.trimEnd().split("\n");
    const parsed = search("--model", model, "d.jsonl");
    expect(parsed.status).toBe(0);
    const lines = places(parsed.out).map((line) => line.replace(/^\S+ /, ""));
    expect(lines.length).toBeGreaterThan(1);
    for (const name of ["s.jsonl", "s.parquet", "s.conllu"]) {
      expect(places(search(name).out).map((line) => line.replace(/^\S+ /, ""))).toEqual(lines);
    }
    expect(places(search("--from", "jsonl", "s.jsonl").out)[0]).toMatch(/^s\.jsonl:1: Mina \[sells\]=v \[maps\]=o\./);
    expect(JSON.parse(places(search("--json", "s.parquet").out)[1]!)).toMatchObject({
      file: "s.parquet",
      line: 5,
      document: "a",
      captures: { o: { lemma: "pond" } },
    });
    for (const to of ["jsonl", "parquet"]) {
      expect(search("--to", to, "--output", `found.${to}`, "s.parquet").status).toBe(0);
      const back = stemma(["convert", "--from", to, path(`found.${to}`)]).out;
      expect(back.match(/^# match = .*$/gm)).toHaveLength(lines.length);
      expect(back).toContain("# newdoc id = a\n");
    }
    // The bytes that were looked at to tell the format are not lost.
    const piped = stemma(["search", PATTERN, "--model", model], { cwd: folder, input: `${DOCUMENTS.join("\n")}\n` });
    expect(places(piped.out).map((line) => line.replace(/^\S+ /, ""))).toEqual(lines);
    expect(search("--id-field", "x", "s.conllu").err).toContain("--id-field needs documents: --from jsonl");
    const bad = search("--model", model, file("b.jsonl", `{"text":1}\n${DOCUMENTS[0]}\n`));
    expect(bad.status).toBe(2);
    expect(bad.err).toContain('b.jsonl:1: invalid field "text": 1');
    expect(places(bad.out)).toHaveLength(2);
  });
});
