import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cellWidth, printable, textWidth } from "../../src/drawing/characters.js";
import { escapeLatex, latexDocument, toLatex } from "../../src/drawing/latex.js";
import { arcLevels, type Drawable, layout } from "../../src/drawing/layout.js";
import { toStackedSVG, toSVG } from "../../src/drawing/svg.js";
import { toText } from "../../src/drawing/text.js";
import { cpuTime } from "../cpu-time.js";

/** A tree from words written form/tag/head/label; -1 is no head. */
function parse(text: string): Drawable {
  const words = text.split(" ").map((word) => word.split("/"));
  return {
    forms: ["", ...words.map((word) => word[0]!)],
    tags: ["", ...words.map((word) => word[1]!)],
    heads: [-1, ...words.map((word) => Number(word[2]))],
    labels: ["", ...words.map((word) => word[3] ?? "")],
  };
}

const PROJECTIVE = parse(
  "Yesterday/NOUN/4/obl:tmod the/DET/3/det gardener/NOUN/4/nsubj planted/VERB/0/root three/NUM/7/nummod " +
    "young/ADJ/7/amod trees/NOUN/4/obj behind/ADP/10/case the/DET/10/det barn/NOUN/4/obl",
);
const CROSSING = parse(
  "A/DET/2/det letter/NOUN/3/nsubj arrived/VERB/0/root today/NOUN/3/obl:tmod about/ADP/7/case the/DET/7/det " +
    "roof/NOUN/2/nmod that/PRON/10/nsubj still/ADV/10/advmod leaks/VERB/2/acl:relcl",
);
const PARTIAL = parse(
  "the/DET/3/det old/ADJ/-1 clock/NOUN/-1 stopped/VERB/0/root twice/ADV/4/advmod and/CCONJ/-1 rang/VERB/0/root",
);
const LONG_LABELS = parse(
  "I/X/2/nsubj:pass:outer a/X/0/root b/X/2/compound:prt c/X/5/advmod:emph d/X/2/parataxis:insert",
);
const CHINESE = parse(
  "他/PRON/3/nsubj 昨天/NOUN/3/obl:tmod 买/VERB/0/root 了/AUX/3/aux 两/NUM/6/nummod 本/NOUN/7/clf 书/NOUN/3/obj 。/PUNCT/3/punct",
);
const ARABIC = parse("زرع/VERB/0/root البستاني/NOUN/1/nsubj ثلاث/NUM/1/obj أشجار/NOUN/3/nmod ./PUNCT/1/punct");
const EMPTY: Drawable = { forms: [""], heads: [-1] };

/** Any heads, cycles included. */
const anyHeads = fc
  .integer({ min: 1, max: 14 })
  .chain((n) => fc.array(fc.integer({ min: -1, max: n }), { minLength: n, maxLength: n }))
  .map((heads) => [-1, ...heads.map((head, i) => (head === i + 1 ? 0 : head))]);

/** Heads without cycles, with any crossings: each word's head comes earlier in a random order. */
const forestHeads = fc
  .integer({ min: 1, max: 14 })
  .chain((n) =>
    fc.tuple(
      fc.shuffledSubarray(
        Array.from({ length: n }, (_, i) => i + 1),
        { minLength: n, maxLength: n },
      ),
      fc.array(fc.nat(), { minLength: n, maxLength: n }),
    ),
  )
  .map(([order, choices]) => {
    const heads: number[] = new Array(order.length + 1).fill(-1);
    order.forEach((d, i) => {
      const choice = choices[i]! % (i + 2);
      heads[d] = choice === i + 1 ? -1 : choice === i ? 0 : order[choice]!;
    });
    return heads;
  });

/** Strings with everything in them: controls, lone surrogates, markup. */
const anyText = fc
  .array(
    fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0, max: 0x9f }), fc.constantFrom(0x2028, 0x202e)),
    { maxLength: 8 },
  )
  .map((units) => String.fromCharCode(...units));

const anyTree = anyHeads.chain((heads) => {
  const column = fc.array(anyText, { minLength: heads.length, maxLength: heads.length });
  return fc.record({ forms: column, heads: fc.constant(heads), labels: column, tags: column });
});

const ANSI = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, "g");

function randomTree(n: number): Drawable {
  let state = 12345;
  const random = (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state % below;
  };
  const heads = Array.from({ length: n + 1 }, (_, d) => (d <= 1 ? d - 1 : 1 + random(d - 1)));
  const forms = heads.map((_, i) => `word${i}`);
  return { forms, heads, labels: forms, tags: forms };
}

/** The elements of an XML document as [name, attributes, text inside]; throws when it is not well-formed. */
function elements(xml: string): [string, Record<string, string>, string][] {
  if (/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(xml)) throw new Error("character not allowed");
  const found: [string, Record<string, string>, string][] = [];
  const open: [string, Record<string, string>, string][] = [];
  const decode = (text: string) => {
    if (/&(?!#\d+;)/.test(text) || text.includes("<")) throw new Error(`not escaped: ${text}`);
    return text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
  };
  let at = 0;
  for (const tag of xml.matchAll(/<(\/?)([a-z]+)((?: [a-zA-Z:-]+="[^"]*")*)(\/?)>/g)) {
    const text = decode(xml.slice(at, tag.index));
    if (open.length > 0) open.at(-1)![2] += text;
    else if (text.trim() !== "" || found.length > 0) throw new Error("text or element outside the root");
    at = tag.index + tag[0].length;
    if (tag[1]) {
      const element = open.pop();
      if (element?.[0] !== tag[2]) throw new Error(`</${tag[2]}> closes <${element?.[0]}>`);
      found.push(element);
      if (open.length === 0) break;
      continue;
    }
    const attributes: Record<string, string> = {};
    for (const [, name, value] of tag[3]!.matchAll(/ ([a-zA-Z:-]+)="([^"]*)"/g)) attributes[name!] = decode(value!);
    (tag[4] ? found : open).push([tag[2]!, attributes, ""]);
  }
  if (open.length > 0 || xml.slice(at).trim() !== "") throw new Error("the root does not end the document");
  return found;
}

const ofClass = (xml: string, name: string) => elements(xml).filter(([, { class: value }]) => value === name);

/** Reads a vertical drawing of words without spaces back into heads: what a reader's eye has to do. */
function headsOf(text: string): number[] {
  const rows = text.trimEnd().split("\n");
  const has = (row: number, x: number, strokes: string) => strokes.includes(rows[row]?.[x] ?? " ");
  return rows.map((line, row) => {
    let x = line.indexOf(" w");
    do x--;
    while (x > 0 && !"┌├└".includes(line[x]!));
    if (x === 0) return line[0] === "─" ? 0 : -1;
    for (const [step, onward] of [
      [-1, "│┌├└┴┼┬┘"],
      [1, "│┌├└┬┼┴"],
    ] as const) {
      const leaves = step < 0 ? "│├└┴┼" : "│├┌┬┼";
      for (let at = row; has(at, x, leaves) && has(at + step, x, onward); at += step) {
        if (has(at + step, x, "┴┬┼")) return at + step + 1;
      }
    }
    throw new Error(`no head found for line ${row + 1} of\n${text}`);
  });
}

describe("arc levels", () => {
  test("nested arcs lie above, neighbours share a level, the root arrow ends above its word's arcs", () => {
    expect([...arcLevels(PROJECTIVE.heads)]).toEqual([0, 2, 1, 1, 5, 2, 1, 3, 2, 1, 4]);
  });

  test("no two arcs of one height overlap, and a shorter one is lower", () => {
    fc.assert(
      fc.property(anyHeads, (heads) => {
        const levels = arcLevels(heads);
        const arcs = heads.flatMap((h, d) =>
          h > 0 ? [{ from: Math.min(h, d), to: Math.max(h, d), level: levels[d]! }] : [],
        );
        for (const a of arcs) {
          for (const b of arcs) {
            if (a === b || a.from >= b.to || b.from >= a.to) continue;
            expect(a.level).not.toBe(b.level);
            if (a.to - a.from < b.to - b.from) expect(a.level).toBeLessThan(b.level);
          }
        }
      }),
    );
  });
});

test("words, arcs and labels of a layout keep apart", () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 90 }), { minLength: 30, maxLength: 30 });
  fc.assert(
    fc.property(anyHeads, sizes, fc.constantFrom("ltr" as const, "rtl" as const), (heads, size, direction) => {
      const n = heads.length - 1;
      const label = (d: number) => size[15 + d]!;
      const word = (i: number) => size[i]!;
      const metrics = { word, label, gap: 4, labelPadding: 5, pitch: [3, 8] as const };
      const place = layout({ forms: heads.map(String), heads }, metrics, direction);
      const apart = (spans: { from: number; to: number }[]) => {
        spans.sort((a, b) => a.from - b.from);
        for (let i = 1; i < spans.length; i++) expect(spans[i]!.from).toBeGreaterThanOrEqual(spans[i - 1]!.to);
        if (spans.length > 0) expect(spans[0]!.from).toBeGreaterThanOrEqual(0);
        if (spans.length > 0) expect(spans.at(-1)!.to).toBeLessThanOrEqual(place.width);
      };
      const around = (x: number, width: number) => ({ from: x - width / 2, to: x + width / 2 });
      apart(Array.from({ length: n }, (_, i) => around(place.centers[i + 1]!, word(i + 1))));
      for (let level = 1; level <= place.levelCount; level++) {
        const at = heads.map((_, d) => d).filter((d) => d > 0 && heads[d]! >= 0 && place.levels[d] === level);
        apart(at.map((d) => around(place.labels[d]!, label(d))));
        const ends = (d: number) => [place.starts[d]!, place.ends[d]!].sort((a, b) => a - b);
        apart(at.map((d) => ({ from: ends(d)[0]!, to: ends(d)[1]! })));
      }
      const feet = heads.flatMap((h, d) =>
        h > 0 ? [place.starts[d]!, place.ends[d]!] : h === 0 ? [place.ends[d]!] : [],
      );
      expect(new Set(feet).size).toBe(feet.length);
    }),
  );
});

describe("SVG", () => {
  test.each([
    ["projective", PROJECTIVE, {}],
    ["crossing", CROSSING, {}],
    ["partial", PARTIAL, { arcClass: (d: number) => (d === 5 ? "new" : undefined) }],
    ["long-labels", LONG_LABELS, {}],
    ["chinese", CHINESE, { standalone: true }],
    ["arabic", ARABIC, { direction: "rtl" as const }],
    ["empty", EMPTY, {}],
  ])("%s", async (name, tree, options) => {
    await expect(toSVG(tree, options)).toMatchFileSnapshot(`snapshots/${name}.svg`);
  });

  test("is well-formed and holds every form, tag and label whatever is in them", () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const svg = toSVG(tree);
        const shown = (name: string) => ofClass(svg, name).map(([, , text]) => text);
        expect(shown("form")).toEqual(tree.forms.slice(1).map(printable));
        expect(shown("tag")).toEqual(tree.tags.slice(1).map(printable));
        const labels = tree.labels.map(printable).filter((label, d) => tree.heads[d]! >= 0 && textWidth(label, 1) > 0);
        expect(shown("label")).toEqual(labels);
        expect(toSVG(tree)).toBe(svg);
        elements(toStackedSVG([{ ...tree, title: tree.forms[0]! }, EMPTY, tree], { arcClass: () => tree.labels[0] }));
      }),
    );
  });

  test("says what it shows", () => {
    const [title] = elements(toSVG(PARTIAL)).filter(([name]) => name === "title");
    const [desc] = elements(toSVG(PARTIAL)).filter(([name]) => name === "desc");
    expect(title![2]).toBe("the old clock stopped twice and rang");
    expect(desc![2]).toBe("Dependencies: the ← clock (det); stopped ← root; twice ← stopped (advmod); rang ← root.");
    expect(toSVG(EMPTY)).toContain("<title>Empty sentence</title>");
  });

  test("an arc that is not visible keeps its room", () => {
    const words = (svg: string) => svg.slice(svg.indexOf('<g class="words"'));
    const hidden = toSVG(PROJECTIVE, { arcVisible: (d) => d < 3 });
    expect(words(hidden)).toBe(words(toSVG(PROJECTIVE)));
    expect(ofClass(hidden, "arc")).toHaveLength(2);
  });

  test("the leg of a crossing arc stops before a label and goes on behind it", () => {
    // No label can keep clear of three legs that are nearer to each other than it is wide.
    const tree = parse("a/X/0/root b/X/5/aaaaaaaaaaaaaaaaaaaaaaa c/X/6/c d/X/7/d e/X/1/e f/X/1/f g/X/1/g");
    const svg = toSVG(tree);
    const lines = ofClass(svg, "line").map(([, { d }]) => d!);
    for (const [, { x, y }, text] of ofClass(svg, "label")) {
      const half = (textWidth(text, 12) * 1.05) / 2;
      for (const line of lines) {
        for (const [, column, from, to] of line.matchAll(/M(\d+) (\d+)V(\d+)/g)) {
          if (Math.abs(Number(column) - Number(x)) >= half) continue;
          const middle = Number(y) - 4;
          expect(Number(from) < middle - 5 || Number(to) > middle + 5).toBe(true);
        }
      }
    }
  });

  test("wrong heads are named", () => {
    expect(() => toSVG({ forms: ["", "a", "b"], heads: [-1, 0, 3] })).toThrow(
      "invalid head of word 2: 3 (expected -1 ... 2, not the word itself)",
    );
    expect(() => toText({ forms: ["", "a", "b"], heads: [-1, 0] })).toThrow("invalid heads: 2 entries (expected 3");
  });
});

describe("text", () => {
  test("vertical", () => {
    expect(`\n${toText(PROJECTIVE)}`).toMatchInlineSnapshot(`
      "
       ┌──── Yesterday  NOUN  obl:tmod
       │ ┌── the        DET   det
       ├─┴── gardener   NOUN  nsubj
      ─┼──── planted    VERB  root
       │ ┌── three      NUM   nummod
       │ ├── young      ADJ   amod
       ├─┴── trees      NOUN  obj
       │ ┌── behind     ADP   case
       │ ├── the        DET   det
       └─┴── barn       NOUN  obl
      "
    `);
    expect(`\n${toText(CROSSING)}`).toMatchInlineSnapshot(`
      "
         ┌──── A        DET   det
       ┌─┼──── letter   NOUN  nsubj
      ─┼─│──── arrived  VERB  root
       └─│──── today    NOUN  obl:tmod
         │ ┌── about    ADP   case
         │ ├── the      DET   det
         ├─┴── roof     NOUN  nmod
         │ ┌── that     PRON  nsubj
         │ ├── still    ADV   advmod
         └─┴── leaks    VERB  acl:relcl
      "
    `);
    expect(`\n${toText(PARTIAL)}`).toMatchInlineSnapshot(`
      "
       ┌── the      DET    det
      ·│── old      ADJ
      ·┴── clock    NOUN
      ─┬── stopped  VERB   root
       └── twice    ADV    advmod
      ·─── and      CCONJ
      ──── rang     VERB   root
      "
    `);
    expect(`\n${toText(CHINESE)}`).toMatchInlineSnapshot(`
      "
       ┌────── 他    PRON   nsubj
       ├────── 昨天  NOUN   obl:tmod
      ─┼────── 买    VERB   root
       ├────── 了    AUX    aux
       │   ┌── 两    NUM    nummod
       │ ┌─┴── 本    NOUN   clf
       ├─┴──── 书    NOUN   obj
       └────── 。    PUNCT  punct
      "
    `);
    expect(toText(EMPTY)).toBe("");
    expect(toText({ forms: ["", "Yes"], heads: [-1, 0] })).toBe("──── Yes\n");
  });

  test("horizontal", () => {
    expect(`\n${toText(CROSSING, { style: "horizontal" })}`).toMatchInlineSnapshot(`
      "
                              root
                 ┌──────────────┼──────────────────acl:relcl──────────────────────────────────┐
                 │ ┌────────────┼─────────nmod────────────────────────┐                       │
                 │ │            │                    ┌────case──────┐ │   ┌──────nsubj──────┐ │
        ┌─det──┐ │ │ ┌─nsubj──┐ │ ┌─obl:tmod──┐      │     ┌─det──┐ │ │   │     ┌─advmod──┐ │ │
        ▼      │ │ │ ▼        │ ▼ │           ▼      ▼     ▼      │ │ ▼   ▼     ▼         │ │ ▼
        A      letter        arrived        today  about  the     roof  that  still       leaks
       DET      NOUN          VERB          NOUN    ADP   DET     NOUN  PRON   ADV        VERB
      "
    `);
    expect(`\n${toText(PARTIAL, { style: "horizontal" })}`).toMatchInlineSnapshot(`
      "
                        root
        ┌───det────┐      │ ┌─advmod──┐          root
        ▼          │      ▼ │         ▼            ▼
       the  old  clock  stopped     twice   and  rang
       DET  ADJ  NOUN    VERB        ADV   CCONJ VERB
      "
    `);
    expect(`\n${toText(CHINESE, { style: "horizontal" })}`).toMatchInlineSnapshot(`
      "
                           root
                             │ ┌──────────────────punct──────────────────┐
        ┌──────nsubj───────┐ │ │ ┌───────────────obj────────────────┐    │
        │    ┌─obl:tmod──┐ │ │ │ │ ┌─aux──┐    ┌─nummod──┐ ┌─clf──┐ │    │
        ▼    ▼           │ │ ▼ │ │ │      ▼    ▼         │ ▼      │ ▼    ▼
       他  昨天              买          了   两         本       书    。
      PRON NOUN             VERB         AUX  NUM       NOUN     NOUN  PUNCT
      "
    `);
    expect(toText(EMPTY, { style: "horizontal" })).toBe("");
  });

  test("a cycle is cut and marked", () => {
    expect(`\n${toText({ forms: ["", "a", "b", "c"], heads: [-1, 2, 3, 2] })}`).toMatchInlineSnapshot(`
      "
       ┌── a
      ↺┼── b
       └── c
      "
    `);
  });

  test("the heads can be read off the vertical style", () => {
    fc.assert(
      fc.property(forestHeads, (heads) => {
        expect(headsOf(toText({ forms: heads.map(() => "w"), heads }))).toEqual(heads.slice(1));
      }),
      { numRuns: 1000 },
    );
  });

  test.each(["vertical", "horizontal"] as const)("%s: forms cannot break lines or send escapes", (style) => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const text = toText(tree, { style });
        for (const line of text.split("\n")) expect(printable(line)).toBe(line);
        if (style === "vertical") expect(text.split("\n")).toHaveLength(tree.forms.length);
        for (const form of tree.forms.slice(1))
          if (cellWidth(printable(form)) > 0) expect(text).toContain(printable(form).replace(/ +$/, ""));
        expect(toText(tree, { style, color: true }).replace(ANSI, "")).toBe(text);
      }),
    );
  });
});

describe("LaTeX", () => {
  test("tikz-dependency", () => {
    expect(`\n${toLatex(PARTIAL)}`).toMatchInlineSnapshot(`
      "
      \\begin{dependency}
        \\begin{deptext}[column sep=8pt]
          the \\& old \\& clock \\& stopped \\&[3pt] twice \\&[1pt] and \\& rang \\\\
          DET \\& ADJ \\& NOUN \\& VERB \\& ADV \\& CCONJ \\& VERB \\\\
        \\end{deptext}
        \\depedge[edge height=16pt]{3}{1}{det}
        \\deproot[edge height=32pt]{4}{root}
        \\depedge[edge height=16pt]{4}{5}{advmod}
        \\deproot[edge height=16pt]{7}{root}
      \\end{dependency}
      "
    `);
    expect(`\n${toLatex(ARABIC, { direction: "rtl" })}`).toMatchInlineSnapshot(`
      "
      \\begin{dependency}
        \\begin{deptext}[column sep=8pt]
          . \\& أشجار \\& ثلاث \\& البستاني \\& زرع \\\\
          PUNCT \\& NOUN \\& NUM \\& NOUN \\& VERB \\\\
        \\end{deptext}
        \\deproot[edge height=64pt]{5}{root}
        \\depedge[edge height=16pt]{5}{4}{nsubj}
        \\depedge[edge height=32pt]{5}{3}{obj}
        \\depedge[edge height=16pt]{3}{2}{nmod}
        \\depedge[edge height=48pt]{5}{1}{punct}
      \\end{dependency}
      "
    `);
    expect(`\n${latexDocument([toLatex(EMPTY)])}`).toMatchInlineSnapshot(`
      "
      \\documentclass[multi=dependency,border=4pt]{standalone}
      \\usepackage{iftex}
      \\ifPDFTeX
        \\usepackage[T1]{fontenc}
        \\usepackage[utf8]{inputenc}
      \\else
        \\usepackage{fontspec}
      \\fi
      \\usepackage{tikz-dependency}
      \\begin{document}
      % empty sentence
      \\end{document}
      "
    `);
  });

  test("special characters", () => {
    expect(escapeLatex("\\a{b}$#%_&~^<>|[*")).toBe(
      "\\textbackslash{}a\\{b\\}\\$\\#\\%\\_\\symbol{38}\\textasciitilde{}\\textasciicircum{}" +
        "\\textless{}\\textgreater{}\\textbar{}{[}{*}",
    );
    expect(escapeLatex("--''")).toBe("-{}-{}'{}'");
  });

  test("forms cannot add rows, cells, commands or unbalanced braces", () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const lines = toLatex(tree).split("\n");
        const n = tree.forms.length - 1;
        expect(lines).toHaveLength(n === 0 ? 2 : 7 + tree.heads.filter((head) => head >= 0).length);
        const cells = (line: string) => line.split(/ \\&(?:\[\d+pt\])? /).length;
        expect([cells(lines[2]!), cells(lines[3]!)]).toEqual([n, n]);
        for (const line of lines) {
          const bare = line.replace(/\\[{}]/g, "");
          expect(bare.split("{").length).toBe(bare.split("}").length);
          expect(bare.match(/[$#%_~^]/g)?.length ?? 0).toBe(bare.match(/\\[$#%_]/g)?.length ?? 0);
        }
      }),
    );
  });
});

test("widths", () => {
  expect(
    ["word", "naïve", "nai\u0308ve", "昨天", "ｗ", "한국", "👍🏽", "👩‍🌾", "🇸🇮", "✈\ufe0f", "שָׁלוֹם", ""].map(cellWidth),
  ).toEqual([4, 5, 5, 4, 2, 4, 2, 2, 2, 2, 4, 0]);
  expect(textWidth("naïve", 10)).toBe(textWidth("naive", 10));
  expect(textWidth("昨天", 10)).toBe(20);
  expect(textWidth("mm", 10)).toBeGreaterThan(textWidth("ii", 10));
});

test("a sentence of 400 words takes no noticeable time", () => {
  const tree = randomTree(400);
  const start = cpuTime();
  for (const picture of [toSVG(tree), toText(tree), toText(tree, { style: "horizontal" }), toLatex(tree)]) {
    expect(picture).toContain("word400");
  }
  expect(cpuTime() - start).toBeLessThan(3000);
});
