import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { writeModel } from "../src/model-file/model-file.js";
import { toyPipeline } from "./toy-pipeline.js";

/**
 * The model file of the toy pipeline, which is trained once for all the tests of a run that only need some model. Tests
 * of the core itself train their own, so that what they find is what the code under test has made.
 */
export function toyPipelineFile(): Uint8Array {
  const path = join(inject("shared"), "toy-pipeline.stemma");
  if (!existsSync(path)) {
    const own = `${path}.${process.pid}`;
    writeFileSync(own, writeModel(toyPipeline()));
    renameSync(own, path);
  }
  return new Uint8Array(readFileSync(path));
}
