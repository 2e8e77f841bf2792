import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stemma } from "../stemma.js";

const folder = mkdtempSync(join(tmpdir(), "stemma-punctuation-"));

describe("punctuation", () => {
  const SENTENCE = ["1\tRek\t_\tN\tN\t_\t2\tnsubj\t_\t_", "2\tpaints\t_\tV\tV\t_\t0\troot\t_\t_"];
  const gold = () =>
    write("punct-gold.conllu", [...SENTENCE, "3\t.\t_\tPunc\tPunc\t_\t2\tpunct\t_\t_", "", ""].join("\n"));
  const system = () =>
    write("punct-sys.conllu", [...SENTENCE, "3\t.\t_\tPunc\tPunc\t_\t1\tpunct\t_\t_", "", ""].join("\n"));
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const las = (...args: string[]) => {
    const { out, err, status } = stemma(["evaluate", "--json", gold(), system(), ...args]);
    return { status, err, las: status === 0 ? JSON.parse(out).systems[0].withoutPunctuation.las.f1 : undefined };
  };

  it("by UPOS warns when there is none in a treebank with punctuation characters", () => {
    expect(las()).toMatchObject({ las: 2 / 3, err: expect.stringContaining("no word has the UPOS PUNCT, but 1 have") });
  });

  it("by characters, by forms and by tags", () => {
    expect(las("--punctuation", "unicode")).toEqual({ status: 0, err: "", las: 1 });
    for (const line of ["Punc", "."]) {
      expect(las("--punctuation", write("list.txt", `;\n${line}\n`))).toEqual({ status: 0, err: "", las: 1 });
    }
    expect(las("--punctuation", "no-such-file")).toMatchObject({
      status: 2,
      err: "no-such-file: cannot read: no such file or directory (expected upos, unicode or a file)\n",
    });
  });

  it("left out of breakdowns too, in any order of the options", () => {
    for (const args of [
      ["--no-punctuation", "--punctuation", "unicode"],
      ["--punctuation", "unicode", "--no-punctuation"],
    ]) {
      const { out } = stemma(["evaluate", "--json", gold(), system(), ...args]);
      const { breakdowns } = JSON.parse(out).systems[0];
      expect(breakdowns.punctuation).toBe(false);
      expect(Object.keys(breakdowns.upos)).toEqual(["N", "V"]);
    }
  });
});
