// Apart from other tests of parsers by tags: nothing here has imported their program.
import { expect, test } from "vitest";
import { load } from "../../src/model-file/load.js";
import { readModel, writeModel } from "../../src/model-file/model-file.js";
import { replaceSection } from "../model-file/model-sections.js";
import { toyModel } from "../toy-model.js";

test("readModel says what to import for a model that tags; load imports it", async () => {
  const parser = { program: "tags", encoding: "brackets", tags: [".", "/>"], labels: ["root"], origin: {} };
  // No features at all, in a table of 2^18 places.
  const parts = [
    new TextEncoder().encode(JSON.stringify({ needs: ["tags"], parser })),
    Uint8Array.of(18, 0),
    new Uint8Array(),
    new Uint8Array(),
  ];
  const bytes = parts.reduce((file, part, k) => replaceSection(file, k, part), writeModel(toyModel()));
  expect(() => readModel(bytes, { source: "t.stemma" })).toThrow(
    'the model needs tags: use load(), or import { tags } from "@stemma/core/tags" and pass { programs: [tags] }',
  );
  const { tags } = await import("../../src/tags.js");
  const pipeline = await load(bytes);
  expect(readModel(bytes, { programs: [tags] }).parser.header).toEqual(pipeline.model.parser.header);
  expect([...pipeline.parseTokens(["a", "b"]).heads]).toEqual([-1, 0, 1]);
});
