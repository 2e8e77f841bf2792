// Tables of words: what is written comes back, and other programs read it.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetMetadata } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import { beforeAll, describe, expect, test } from "vitest";
import { WORD_COLUMNS } from "../../../server/src/annotation/word-table.js";
import { shell, stemma } from "../stemma.js";

let folder: string;
const path = (name: string) => join(folder, name);
const file = (name: string, content: string) => {
  writeFileSync(path(name), content);
  return path(name);
};
const convert = (...args: string[]) => stemma(["convert", ...args], { cwd: folder });

const TREEBANK = `# newdoc id = d1
# newpar
# sent_id = s1
# text = Ana doesn't
# note = a=b
1	Ana	Ana	PROPN	NNP	Number=Sing	2	nsubj	2:nsubj|2.1:dep	Gloss=Ann|TokenRange=0:3|Score=0.912
2-3	doesn't	_	_	_	Typo=Yes	_	_	_	TokenRange=4:11
2	does	do	AUX	_	_	0	root	_	_
2.1	sing	_	VERB	_	_	_	_	0:root	_
3	n't	not	PART	_	_	2	advmod	_	Score=0.5

# text = _ 𝒳
# sent_id = s2
1	_	_	_	_	_	_	_	_	_
2	𝒳	ﬁ	X	_	_	0	root	_	SpaceAfter=No

# newdoc
1	next	_	_	_	_	0	root	_	_

`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "stemma-parquet-"));
  file("t.conllu", TREEBANK);
  expect(convert("--to", "parquet", "--output", "t.parquet", "t.conllu")).toMatchObject({ status: 0, err: "" });
});

describe("a table of words", () => {
  test("comes back as it was", () => {
    expect(convert("--from", "parquet", "t.parquet")).toMatchObject({ status: 0, out: TREEBANK, err: "" });
    // By its content, whatever it is called.
    copyFileSync(path("t.parquet"), path("table"));
    for (const name of ["t.parquet", "table"])
      expect(convert(name)).toMatchObject({ status: 0, out: TREEBANK, err: "" });
    expect(convert("--from", "parquet", "--to", "json", "t.parquet").out).toBe(convert("--to", "json", "t.conllu").out);
    convert("--from", "parquet", "--to", "parquet", "--output", "again.parquet", "t.parquet");
    expect(readFileSync(path("again.parquet")).equals(readFileSync(path("t.parquet")))).toBe(true);
  });

  const ENGLISH = new URL("../../../../../shared/treebanks/en_ewt-ud-dev.conllu", import.meta.url).pathname;
  if (!existsSync(ENGLISH)) console.log("skipped: tables of the English treebank, ../shared/treebanks is not there");
  test.skipIf(!existsSync(ENGLISH))("of a real treebank too, through tables and documents", () => {
    for (const to of ["parquet", "jsonl"]) {
      expect(convert("--to", to, "--output", `en.${to}`, ENGLISH).status).toBe(0);
      expect(convert("--from", to, `en.${to}`).out).toBe(readFileSync(ENGLISH, "utf8"));
    }
  });

  test("has row groups, every column compressed and by dictionary, and bounds in the order of bytes", () => {
    const words = 130_000;
    const sentences = Array.from({ length: words / 2 }, (_, i) => {
      return `1\t${i % 1000}\t_\tNOUN\t_\t_\t0\troot\t_\t_\n2\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_\n\n`;
    });
    file("large.conllu", sentences.join(""));
    convert("--to", "parquet", "--output", "large.parquet", "large.conllu");
    const { row_groups, num_rows } = parquetMetadata(Uint8Array.from(readFileSync(path("large.parquet"))).buffer);
    expect(Number(num_rows)).toBe(words);
    expect(row_groups.map((group) => Number(group.num_rows))).toEqual([122_880, words - 122_880]);
    for (const { meta_data } of row_groups[0]!.columns) {
      expect(meta_data!.codec).toBe("SNAPPY");
      const expected = meta_data!.path_in_schema[0]!.endsWith("_offset") ? "DELTA_BINARY_PACKED" : "RLE_DICTIONARY";
      expect(meta_data!.encodings).toEqual([expected]);
    }
    expect(convert("--from", "parquet", "large.parquet").out).toBe(sentences.join(""));
    const small = parquetMetadata(Uint8Array.from(readFileSync(path("t.parquet"))).buffer);
    const column = (name: string) => small.row_groups[0]!.columns.find((c) => c.meta_data!.path_in_schema[0] === name)!;
    // UTF-16 has them the other way round: a reader would not look for 𝒳 where it is.
    expect(column("lemma").meta_data!.statistics).toMatchObject({ min_value: "Ana", max_value: "ﬁ" });
    expect(column("form").meta_data!.statistics).toMatchObject({ min_value: "Ana", max_value: "𝒳" });
  });

  test("is read from files only, and what is wrong with one is said", () => {
    const error = (...args: string[]) => {
      const { status, err } = convert("--from", "parquet", ...args);
      expect(status).toBe(2);
      return err;
    };
    expect(shell(`cat t.parquet | $stemma convert --from parquet`, { cwd: folder })).toMatchObject({
      status: 2,
      err: "<stdin>: cannot read: Parquet is read from its end (expected a file)\n",
    });
    expect(error("none.parquet")).toContain("none.parquet: cannot read: no such file or directory");
    expect(error("t.conllu")).toContain("t.conllu: cannot read: not a Parquet file that can be used: ");
    const bytes = readFileSync(path("t.parquet"));
    writeFileSync(path("cut.parquet"), bytes.subarray(0, bytes.length - 9));
    expect(error("cut.parquet")).toContain("cut.parquet: cannot read: not a Parquet file");
    writeFileSync(path("torn.parquet"), Buffer.concat([bytes.subarray(0, 100), bytes.subarray(200)]));
    expect(error("torn.parquet")).toContain("torn.parquet: cannot read: ");
    expect(stemma(["parse", path("t.parquet")])).toMatchObject({
      status: 2,
      err: expect.stringContaining("cannot parse a table of words (stemma convert --from parquet"),
    });
    for (const command of [["stats"], ["draw", "--strict"], ["convert", "--from", "conllu"]]) {
      const { status, out, err } = stemma([...command, path("t.parquet")]);
      expect({ status, out, err }).toEqual({
        status: 2,
        out: "",
        err: `${path("t.parquet")}: a Parquet table (expected CoNLL-U: stemma convert ${path("t.parquet")} -o NAME.conllu)\n`,
      });
    }
    expect(shell(`cat t.parquet | $stemma convert`, { cwd: folder })).toMatchObject({
      status: 2,
      err: "<stdin>: a Parquet table, which is read from its end (expected a file: stemma convert FILE)\n",
    });
  });
});

const PYTHON = process.env.PYTHON ?? "python3";
const hasPython = spawnSync(PYTHON, ["-c", "import duckdb, pandas, pyarrow"]).status === 0;
if (!hasPython)
  console.log("skipped: tables in DuckDB and pandas, Python with duckdb, pandas and pyarrow is not there");

describe.skipIf(!hasPython)("other programs", () => {
  const python = (code: string) => {
    const { status, stdout, stderr } = spawnSync(PYTHON, ["-c", code], { cwd: folder, encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return JSON.parse(stdout) as unknown;
  };

  test("DuckDB reads every value, and finds them by their bounds", () => {
    const rows = python(`
import duckdb, json
c = duckdb.connect()
t = c.sql("select * from 't.parquet'")
print(json.dumps([t.columns, [str(x) for x in t.types], t.fetchall(),
  c.sql("select id from 't.parquet' where form = '𝒳'").fetchall(),
  c.sql("select count(*), count(distinct form) from 'large.parquet' where upos = 'NOUN'").fetchall()]))`) as unknown[][];
    const types = { string: "VARCHAR", int: "INTEGER", double: "DOUBLE" };
    expect(rows[0]).toEqual(Object.keys(WORD_COLUMNS));
    expect(rows[1]).toEqual(Object.values(WORD_COLUMNS).map(({ type }) => types[type]));
    const named = (rows[2] as unknown[][]).map((row) =>
      Object.fromEntries(row.flatMap((value, k) => (value === null ? [] : [[rows[0]![k], value]]))),
    );
    expect(named.slice(0, 2)).toEqual([
      {
        ...{ document: "d1", sentence: 1, sent_id: "s1", text: "Ana doesn't", comments: "# newpar\n# note = a=b" },
        ...{ id: 1, start_offset: 0, end_offset: 3, form: "Ana", lemma: "Ana", upos: "PROPN", xpos: "NNP" },
        ...{ feats: "Number=Sing", head: 2, deprel: "nsubj", score: 0.912, deps: "2:nsubj|2.1:dep", misc: "Gloss=Ann" },
        empty_nodes: '[{"id":"2.1","form":"sing","upos":"VERB","deps":{"0":"root"}}]',
      },
      {
        ...{ document: "d1", sentence: 1, sent_id: "s1", text: "Ana doesn't", comments: "# newpar\n# note = a=b" },
        ...{ id: 2, start_offset: 4, end_offset: 11, form: "does", lemma: "do", upos: "AUX", head: 0, deprel: "root" },
        ...{ token_first: 2, token_last: 3, token_form: "doesn't", token_fields: '{"feats":{"Typo":"Yes"}}' },
      },
    ]);
    expect(rows[3]).toEqual([[2]]);
    expect(rows[4]).toEqual([[65_000, 1000]]);
  });

  test("pandas reads them, and what both write comes back", () => {
    const sums = python(`
import duckdb, json, pandas as pd
frame = pd.read_parquet("t.parquet")
large = pd.read_parquet("large.parquet", columns=["id", "form", "sentence"])
frame.to_parquet("pandas.parquet")
frame.to_parquet("pandas.gzip.parquet", compression="gzip")
duckdb.sql("copy (select * from 't.parquet') to 'duckdb.parquet'")
print(json.dumps([frame.form.tolist(), int(large.id.sum()), int(large.sentence.max())]))`);
    expect(sums).toEqual([["Ana", "does", "n't", "_", "𝒳", "next"], 195_000, 65_000]);
    for (const name of ["duckdb.parquet", "pandas.parquet", "pandas.gzip.parquet"]) {
      expect(convert("--from", "parquet", name)).toMatchObject({ status: 0, err: "", out: TREEBANK });
    }
  });

  test("long texts outside ASCII keep bounds that others take", () => {
    const words = "чрезвычайно".repeat(9);
    file("long.conllu", `# text = ${words}\n1\t${words}\t${"😀".repeat(40)}\t_\t_\t_\t0\troot\t_\t_\n\n`);
    convert("--to", "parquet", "--output", "long.parquet", "long.conllu");
    const found = python(`
import duckdb, json, pandas as pd
w = ${JSON.stringify(words)}
print(json.dumps([duckdb.sql(f"select count(*) from 'long.parquet' where form = '{w}' and lemma > 'a'").fetchall(),
  pd.read_parquet("long.parquet", filters=[("form", "==", w)]).form.tolist()]))`);
    expect(found).toEqual([[[1]], [words]]);
  });
});

test("a row group of millions of rows is refused before it is read", async () => {
  const rows = 3_000_000;
  const columnData = [
    { name: "id", data: new Int32Array(rows).fill(1), type: "INT32" as const },
    { name: "form", data: new Array<string>(rows).fill("a"), type: "STRING" as const },
  ];
  writeFileSync(path("many.parquet"), Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: rows })));
  expect(statSync(path("many.parquet")).size).toBeLessThan(1e6);
  const { status, err } = convert("many.parquet", "--to", "conllu");
  expect(status).toBe(2);
  expect(err.trim()).toBe(
    "many.parquet: cannot read: row group 1 has 3000000 rows (expected at most 2097152: write smaller ones)",
  );
});
