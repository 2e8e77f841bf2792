// Apart from other tests of graph-based parsers: nothing here has imported their program.
import { expect, test } from "vitest";
import { load } from "../../src/model-file/load.js";
import { ModelFileError, readModel, writeModel } from "../../src/model-file/model-file.js";
import { replaceSection } from "../model-file/model-sections.js";
import { toyModel } from "../toy-model.js";

test("readModel says what to import for a graph-based model; load imports it", async () => {
  const parser = { program: "graph", decoder: "eisner", order: 1, labels: ["root"], origin: {} };
  // No features at all, in a table of 2^18 places.
  const parts = [
    new TextEncoder().encode(JSON.stringify({ needs: ["graph"], parser })),
    Uint8Array.of(18, 0),
    new Uint8Array(),
    new Uint8Array(),
  ];
  const bytes = parts.reduce((file, part, k) => replaceSection(file, k, part), writeModel(toyModel()));
  let error: unknown;
  try {
    readModel(bytes, { source: "g.stemma" });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).not.toBeInstanceOf(ModelFileError);
  expect((error as Error).message).toBe(
    'the model needs graph: use load(), or import { graph } from "@stemma/core/graph" and pass { programs: [graph] }',
  );
  const { graph } = await import("../../src/graph.js");
  expect(readModel(bytes, { programs: [graph] }).parser).toEqual((await load(bytes)).model.parser);
  const pipeline = await load(bytes);
  expect([...pipeline.parseTokens(["a", "b"]).heads]).toEqual([-1, 0, 1]);
});
