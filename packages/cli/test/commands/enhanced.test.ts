// Enhanced dependencies on the command line: added to a model, and from there in DEPS.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { stemma } from "../stemma.js";

const folder = mkdtempSync(join(tmpdir(), "stemma-enhanced-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

/** "Ana wants to sing", with the subject of "sing"; or without DEPS. */
function treebank(hasDeps: boolean): string {
  const names = ["Ana", "Ben", "Cleo", "Dan", "Eva"];
  const verbs = ["sing", "swim", "read"];
  const rows = names.flatMap((name) =>
    verbs.map((verb) => [
      [name, "PROPN", 2, "nsubj", "2:nsubj|4:nsubj:xsubj"],
      ["wants", "VERB", 0, "root", "0:root"],
      ["to", "PART", 4, "mark", "4:mark"],
      [verb, "VERB", 2, "xcomp", "2:xcomp"],
    ]),
  );
  return rows
    .map((words) =>
      words
        .map(([form, upos, head, deprel, deps], i) =>
          [i + 1, form, form, upos, "_", "_", head, deprel, hasDeps ? deps : "_", "_"].join("\t"),
        )
        .join("\n"),
    )
    .map((lines) => `${lines}\n\n`)
    .join("");
}

test("stemma train --enhanced, with and without --add-to; stemma parse --enhanced", () => {
  writeFileSync(at("deps.conllu"), treebank(true));
  writeFileSync(at("plain.conllu"), treebank(false));
  const train = (...args: string[]) => stemma(["train", ...args]);
  const plain = train(at("plain.conllu"), "--model", at("plain.stemma"), "--epochs", "2");
  expect(plain.status).toBe(0);
  const refused = stemma(["parse", "--model", at("plain.stemma"), "--enhanced", at("plain.conllu")]);
  expect(refused.status).toBe(2);
  expect(refused.err).toContain("has no enhanced dependencies");

  const missing = train(at("plain.conllu"), "--enhanced", "--model", at("x.stemma"), "--epochs", "2");
  expect(missing.status).toBe(2);
  expect(missing.err).toContain("no enhanced dependencies to learn from (expected a treebank with DEPS)");

  const added = train(at("deps.conllu"), "--enhanced", "--add-to", at("plain.stemma"), "--model", at("added.stemma"));
  expect([added.status, added.err]).toEqual([0, expect.stringMatching(/added\.stemma: .* MB/)]);
  const whole = train(at("deps.conllu"), "--enhanced", "--model", at("whole.stemma"), "--epochs", "2");
  expect(whole.status).toBe(0);
  for (const model of ["added.stemma", "whole.stemma"]) {
    const { out, status } = stemma(["parse", "--model", at(model), "--enhanced", "--keep", at("plain.conllu")]);
    expect([status, out]).toEqual([0, treebank(true)]);
    expect(stemma(["info", at(model)]).out).toContain("gives enhanced dependencies");
  }
});

test("an English model that ships has them, and the others say which", () => {
  const parse = (model: string) => stemma(["parse", "--model", model, "--enhanced", "Ann wants to sing."]);
  expect(parse("en-roles").out).toMatch(/^1\tAnn\t.*\t2:nsubj\|4:nsubj:xsubj\t/m);
  expect(parse("en-small").err).toContain("invalid --enhanced: the model has no enhanced dependencies (take en-roles");
});
