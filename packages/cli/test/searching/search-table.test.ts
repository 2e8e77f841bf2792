// Search in tables of words: the same matches as in the treebank that they were made of, from fewer columns.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetWriteFile } from "hyparquet-writer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TableColumns } from "../../src/documents/table-columns.js";
import { BatchSearcher, type SearchBatch, type SearchOptions } from "../../src/searching/search-batch.js";
import { TableSentences } from "../../src/searching/table-sentences.js";
import { stemma } from "../stemma.js";

const folder = mkdtempSync(join(tmpdir(), "stemma-table-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Sentences of many lengths, with everything that a treebank may hold. */
function treebank(sentences: number): string {
  const words = ["dogs", "see", "cats", "and", "sleep", "quietly", "_", "naïve", "😀"];
  const upos = ["NOUN", "VERB", "NOUN", "CCONJ", "VERB", "ADV", "PUNCT", "ADJ", "SYM"];
  const labels = ["nsubj", "root", "obj", "cc", "conj", "advmod", "punct", "amod", "dep"];
  let text = "";
  for (let k = 0; k < sentences; k++) {
    const length = 1 + ((k * 7) % 13);
    if (k % 10 === 0) text += `# newdoc id = d${k / 10}\n`;
    text += `# sent_id = s${k}\n# genre = ${k % 3 === 0 ? "news" : "talk"}\n`;
    for (let i = 1; i <= length; i++) {
      const w = (k * 5 + i * 7 + i * i * k) % words.length;
      const head = i === 1 ? 0 : 1 + ((k + i * 5) % (i - 1));
      if (i === 3 && k % 5 === 0) text += `3-${Math.min(4, length)}\tboth\t_\t_\t_\t_\t_\t_\t_\t_\n`;
      const feats = w % 2 === 0 ? "Number=Sing" : "_";
      const deps = k % 4 === 0 ? `${head}:${i === 1 ? "root" : labels[w]}` : "_";
      const label = i === 1 ? "root" : labels[w] === "root" ? "dep" : labels[w];
      text += `${i}\t${words[w]}\t${words[w]}\t${upos[w]}\t_\t${feats}\t${head}\t${label}\t${deps}\t${i % 4 === 0 ? "SpaceAfter=No" : "_"}\n`;
    }
    text += "\n";
  }
  return text;
}

const PATTERNS = [
  "{upos:VERB}=v >obj {}=o",
  "{form:_}",
  "{lemma:cats; Number:Sing} < ({}=h >nsubj {})",
  "{}=a >> {upos:ADV} ; sentence.genre = news",
  "{misc.SpaceAfter:No}=a !> {}",
  "{} @>dep {}=e",
  "[ {lemma:nobody} | {upos:SYM; first} ]",
  "{lemma:nobody}",
  "{upos:NOUN}=a . {}=b ; a.upos = b.upos",
];

/** Rows as another program may write them: row groups that end anywhere, plain values. */
function rewritten(path: string, to: string, rowGroupSize: number): void {
  const python = `import sys, pyarrow.parquet as p; p.write_table(p.read_table(sys.argv[1]), sys.argv[2], row_group_size=int(sys.argv[3]), use_dictionary=sys.argv[4]=="1", data_page_version="1.0")`;
  execFileSync(process.env.PYTHON ?? "python3", ["-c", python, path, to, String(rowGroupSize), "0"]);
}

const hasArrow = (() => {
  try {
    execFileSync(process.env.PYTHON ?? "python3", ["-c", "import pyarrow"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

const DEFAULTS = { to: "conllu", color: false, not: false, by: [], countOnly: false, strict: false } as const;

describe("search in a table of words", () => {
  const source = join(folder, "bank.conllu");
  const table = join(folder, "bank.parquet");
  let groups: Record<string, number>;
  beforeAll(() => {
    writeFileSync(source, treebank(150));
    expect(stemma(["convert", "--to", "parquet", "-o", table, source])).toMatchObject({ status: 0, err: "" });
    groups = { [table]: 1 };
    if (!hasArrow) return console.log("skipped: tables of pyarrow: there is no Python with it (PYTHON names another)");
    for (const rows of [7, 100, 1 << 20]) {
      const other = join(folder, `other${rows}.parquet`);
      rewritten(table, other, rows);
      groups[other] = TableColumns.open(other)!.groups;
    }
  });

  /** All that is found, but for places. */
  function found(options: SearchOptions, batches: readonly SearchBatch[]) {
    const searcher = new BatchSearcher(options);
    const results = batches.map((batch) => searcher.run(batch));
    const counts = new Map<string, number>();
    for (const { groups } of results) {
      for (const { values, count } of groups) counts.set(values.join(), (counts.get(values.join()) ?? 0) + count);
    }
    const sum = (name: "sentences" | "matching" | "matches") => results.reduce((all, one) => all + one[name], 0);
    return {
      found: results.flatMap(({ found }) => found.map(({ body }) => body)),
      counts: [...counts].sort(),
      totals: [sum("sentences"), sum("matching"), sum("matches")],
      problems: results.flatMap(({ problems }) => problems),
    };
  }

  for (const pattern of PATTERNS) {
    it(`finds the same as in the treebank: ${pattern}`, () => {
      const limit = Number.MAX_SAFE_INTEGER;
      const ways: Partial<SearchOptions>[] = [{}, { to: "json" }, { to: "text" }, { not: true }, { countOnly: true }];
      for (const way of [...ways, { by: ["lemma", "sentence.id"], countOnly: true }]) {
        const options: SearchOptions = { ...DEFAULTS, limit, ...way, pattern };
        const bytes = readFileSync(source);
        const expected = found(options, [{ kind: "treebank", from: "conllu", bytes, source, line: 1 }]);
        expect(expected.totals[0]).toBe(150);
        for (const [path, count] of Object.entries(groups)) {
          const batches = Array.from({ length: count }, (_, group) => ({ kind: "table", path, group }) as const);
          expect(found(options, batches), `${path} ${JSON.stringify(way)}`).toEqual(expected);
        }
      }
    });
  }

  it("says the row and the document of what was found, with any number of threads", () => {
    const [pattern] = PATTERNS;
    const args = ["search", pattern!, "--to", "json", "--limit", "20", table];
    const one = stemma(args);
    expect(one.status).toBe(0);
    const first = JSON.parse(one.out.split("\n")[0]!);
    const rows = treebank(150)
      .split("\n")
      .filter((line) => /^\d+\t/.test(line));
    expect(rows[first.line - 1]).toMatch(/^1\t/);
    expect(first.document).toBe(`d${Math.floor(Number(first.id.slice(1)) / 10)}`);
    expect(stemma([...args, "--threads", "2", "--threads", "2"]).out).toBe(one.out);
  });

  it("reads only the columns that are looked at, and of row groups without the values only dictionaries", () => {
    const columns = TableColumns.open(table)!;
    const size = readFileSync(table).length;
    const sentences = new TableSentences(columns, 0);
    sentences.column("upos");
    expect(columns.bytesRead).toBeLessThan(size / 3);
    const before = columns.bytesRead;
    expect(sentences.valuesOf("lemma")).toContain("cats");
    expect(columns.bytesRead - before).toBeLessThan(500);
    columns.close();
  });

  it("reports sentences whose rows are wrong, and goes on", () => {
    const columns = { id: [1, 2, 1, 3, 1], head: [0, 1, 0, 1, 0], form: ["a", "b", "c", "d", "e"] };
    const file = join(folder, "wrong.parquet");
    parquetWriteFile({
      filename: file,
      columnData: [
        { name: "id", data: columns.id, type: "INT32" },
        { name: "head", data: columns.head, type: "INT32" },
        { name: "form", data: columns.form, type: "STRING" },
      ],
    });
    const { out, err, status } = stemma(["search", "{}", "--count", file]);
    expect(out).toBe("3\n");
    expect(err).toMatch(/wrong\.parquet:4: invalid id: 3 \(expected 2/);
    expect(status).toBe(2);
  });

  it("says what is wrong with a damaged file", () => {
    const bytes = readFileSync(table);
    const damaged = join(folder, "damaged.parquet");
    const footer = bytes.readUInt32LE(bytes.length - 8) + 8;
    writeFileSync(damaged, bytes.fill(0xff, 4, bytes.length - footer));
    for (const threads of ["1", "2"]) {
      const { status, err } = stemma([
        "search",
        "{upos:VERB}",
        "--count",
        "--threads",
        threads,
        "--threads",
        threads,
        damaged,
      ]);
      expect(status).toBe(2);
      expect(err).toMatch(/damaged\.parquet: cannot read: not a Parquet file that can be used/);
    }
  });
});
