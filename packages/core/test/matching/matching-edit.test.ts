import { describe, expect, test } from "vitest";
import { PatternError, readTreebank } from "../../src/index.js";
import { type EditAction, TreeEditor } from "../../src/search.js";
import { TreebankError } from "../../src/treebank.js";

// I don't really want the old cars .
const TEXT = [
  "# sent_id = 1",
  "# text = I don't really want the old cars.",
  "1\tI\tI\tPRON\tPRP\tCase=Nom|Number=Sing\t5\tnsubj\t5:nsubj\t_",
  "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_",
  "2\tdo\tdo\tAUX\tVBP\t_\t5\taux\t5:aux\t_",
  "3\tn't\tnot\tPART\tRB\t_\t5\tadvmod\t5:advmod\t_",
  "4\treally\treally\tADV\tRB\t_\t5\tadvmod\t5:advmod\t_",
  "5\twant\twant\tVERB\tVB\tVerbForm=Inf\t0\troot\t0:root|8:acl\t_",
  "5.1\tget\tget\tVERB\t_\t_\t_\t_\t5:xcomp\t_",
  "6\tthe\tthe\tDET\tDT\t_\t8\tdet\t8:det\t_",
  "7\told\told\tADJ\tJJ\tDegree=Pos\t8\tamod\t8:amod|6:dep\t_",
  "8\tcars\tcar\tNOUN\tNNS\tNumber=Plur\t5\tobj\t5.1:obj\tSpaceAfter=No",
  "9\t.\t.\tPUNCT\t.\t_\t5\tpunct\t5:punct\t_",
  "",
  "",
].join("\n");

function edit(pattern: string, actions: EditAction[], text = TEXT): string {
  return new TreeEditor(pattern, actions).edit(readTreebank(text)[0]!, "a.conllu").sentence.toString();
}

/** Lines that are not in the other text, without the others. */
function changedLines(pattern: string, actions: EditAction[], text = TEXT): string[] {
  const before = text.split("\n");
  return edit(pattern, actions, text)
    .split("\n")
    .filter((line) => !before.includes(line));
}

describe("set", () => {
  test("columns, features and MISC; everything else keeps its bytes", () => {
    expect(edit("{lemma:car}", [{ set: "deprel", to: "iobj" }])).toBe(TEXT.replace("5\tobj\t", "5\tiobj\t"));
    expect(edit("{lemma:car}=c", [{ set: "c.Number", to: "Sing" }])).toBe(TEXT.replace("Number=Plur", "Number=Sing"));
    expect(edit("{lemma:I}", [{ set: "Gender", to: "Fem" }])).toBe(TEXT.replace("Nom|Number", "Nom|Gender=Fem|Number"));
    expect(edit("{lemma:I}", [{ set: "Abbr", to: "No" }])).toBe(TEXT.replace("Case=Nom", "Abbr=No|Case=Nom"));
    expect(edit("{lemma:I}", [{ set: "Case", to: "" }])).toBe(TEXT.replace("Case=Nom|", ""));
    expect(edit("{lemma:want}", [{ set: "VerbForm", to: "" }])).toBe(TEXT.replace("VerbForm=Inf", "_"));
    expect(edit("{lemma:car}", [{ set: "misc.Check", to: "1" }])).toBe(TEXT.replace("After=No", "After=No|Check=1"));
    expect(edit("{lemma:the}", [{ set: "xpos", to: "" }])).toBe(TEXT.replace("\tDT\t", "\t_\t"));
  });

  test("values of the match, as they were before", () => {
    const actions = [
      { set: "a.lemma", to: "{b.lemma}" },
      { set: "b.lemma", to: "{a.lemma}-{a.Case}" },
    ];
    expect(changedLines("{lemma:old}=a . {}=b", actions)).toEqual([
      "7\told\tcar\tADJ\tJJ\tDegree=Pos\t8\tamod\t8:amod|6:dep\t_",
      "8\tcars\told-_\tNOUN\tNNS\tNumber=Plur\t5\tobj\t5.1:obj\tSpaceAfter=No",
    ]);
  });

  test("the text follows the forms", () => {
    expect(edit("{lemma:old}", [{ set: "form", to: "new" }])).toBe(
      TEXT.replace(/\bold cars/, "new cars").replace("7\told", "7\tnew"),
    );
    const other = TEXT.replace("# text = I", "# text = Something else: I");
    expect(edit("{lemma:old}", [{ set: "form", to: "new" }], other)).toBe(other.replace("7\told", "7\tnew"));
  });

  test("an optional word that is not there is passed over", () => {
    const actions = [{ set: "x.deprel", to: "iobj" }];
    expect(edit("{root} ?>iobj {}=x", actions)).toBe(TEXT);
  });

  test("line ends and a byte order mark stay", () => {
    const text = `\ufeff\r\n${TEXT.replaceAll("\n", "\r\n")}`;
    const actions: EditAction[] = [{ set: "deprel", to: "iobj" }, { comment: "new" }];
    const expected = text.replace("5\tobj\t", "5\tiobj\t").replace("cars.\r\n", "cars.\r\n# new\r\n");
    expect(edit("{lemma:car}", actions, text)).toBe(expected);
  });
});

describe("attach", () => {
  test("to a word or to the root", () => {
    expect(changedLines("{lemma:really}=r; {lemma:old}=o", [{ attach: "r", to: "o" }])).toEqual([
      "4\treally\treally\tADV\tRB\t_\t7\tadvmod\t7:advmod\t_",
    ]);
    const actions = [
      { attach: "o", to: "root" },
      { attach: "v", to: "o" },
    ];
    expect(changedLines("{root}=v >obj {}=o", actions)).toHaveLength(2);
  });

  test.each([
    [
      "a cycle",
      "{root}=v >obj {}=o",
      { attach: "v", to: "o" },
      /^a\.conllu:8:7: invalid HEAD: 8 .*would make (5 → 8 → 5|8 → 5 → 8)/,
    ],
    ["two roots", "{root} >obj {}=o", { attach: "o", to: "root" }, /^a\.conllu:12:7: invalid HEAD: 0 .*a single root/],
    [
      "contradictions",
      "{upos:DET|ADJ}=a; {lemma:car}=c; {root}=v",
      { attach: "c", to: "a" },
      /^a\.conllu:12:7: invalid HEAD: 7 .*6, which another/,
    ],
  ] as const)("refuses %s, and changes nothing", (_, pattern, action, message) => {
    const [sentence] = readTreebank(TEXT);
    const editor = new TreeEditor(pattern, [{ set: "deprel", to: "x" }, action]);
    expect(() => editor.edit(sentence!, "a.conllu")).toThrow(TreebankError);
    expect(() => editor.edit(sentence!, "a.conllu")).toThrow(message);
    expect(sentence!.toString()).toBe(TEXT);
  });

  test("refuses two values for one attribute", () => {
    const editor = new TreeEditor("{upos:DET|ADJ}=a < {}=b", [{ set: "b.lemma", to: "{a.lemma}" }]);
    expect(() => editor.edit(readTreebank(TEXT)[0]!)).toThrow("invalid LEMMA: old (expected the, which another match");
  });
});

describe("delete", () => {
  test("rewrites a text that has more than one space in a place", () => {
    const text =
      "# text = a  b  c\n1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tdep\t_\t_\n3\tc\t_\tX\t_\t_\t1\tdep\t_\t_\n\n";
    const [sentence] = readTreebank(text);
    expect(new TreeEditor("{form:b}", [{ delete: "" }]).edit(sentence!).sentence.comment("text")).toBe("a c");
  });

  test("a word, whose dependents go to its head", () => {
    expect(edit("{lemma:car}", [{ delete: "" }])).toBe(
      [
        "# sent_id = 1",
        "# text = I don't really want the old .",
        "1\tI\tI\tPRON\tPRP\tCase=Nom|Number=Sing\t5\tnsubj\t5:nsubj\t_",
        "2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_",
        "2\tdo\tdo\tAUX\tVBP\t_\t5\taux\t5:aux\t_",
        "3\tn't\tnot\tPART\tRB\t_\t5\tadvmod\t5:advmod\t_",
        "4\treally\treally\tADV\tRB\t_\t5\tadvmod\t5:advmod\t_",
        "5\twant\twant\tVERB\tVB\tVerbForm=Inf\t0\troot\t0:root\t_",
        "5.1\tget\tget\tVERB\t_\t_\t_\t_\t5:xcomp\t_",
        "6\tthe\tthe\tDET\tDT\t_\t5\tdet\t5:det\t_",
        "7\told\told\tADJ\tJJ\tDegree=Pos\t5\tamod\t5:amod|6:dep\t_",
        "8\t.\t.\tPUNCT\t.\t_\t5\tpunct\t5:punct\t_",
        "",
        "",
      ].join("\n"),
    );
  });

  test("a subtree, a multiword token; empty nodes stay with the word before", () => {
    const lines = edit("{lemma:car}", [{ delete: "", subtree: true }]).split("\n");
    expect(lines[1]).toBe("# text = I don't really want .");
    expect(lines.slice(-3)).toEqual(["6\t.\t.\tPUNCT\t.\t_\t5\tpunct\t5:punct\t_", "", ""]);
    const both = edit("{lemma:do}=a . {lemma:not}=b", [{ delete: "a" }, { delete: "b" }]);
    expect(both).toContain(
      "# text = I really want the old cars.\n1\tI\tI\tPRON\tPRP\tCase=Nom|Number=Sing\t3\tnsubj\t3:nsubj\t_\n2\treally",
    );
    expect(both).toContain("\n3.1\tget\tget\tVERB\t_\t_\t_\t_\t3:xcomp\t_\n4\tthe");
    const verb = edit("{root}=v >obj {}=o >nsubj {}=s >advmod {}=x >punct {}=p >aux {}=y", [
      { attach: "o", to: "root" },
      { attach: "s", to: "o" },
      { attach: "p", to: "o" },
      { attach: "v", to: "o" },
      { delete: "v" },
    ]);
    expect(verb).toContain("\n4.1\tget\tget\tVERB\t_\t_\t_\t_\t0:root\t_\n5\tthe\tthe\tDET\tDT\t_\t7\tdet\t7:det\t_\n");
  });

  test("refuses to leave nothing, a part of a multiword token, or several roots", () => {
    const refused = (pattern: string, subtree: boolean, message: RegExp) =>
      expect(() => edit(pattern, [{ delete: "", subtree }])).toThrow(message);
    refused("{root}", true, /^a\.conllu:3:1: invalid ID: 1 .*would delete all/);
    refused("{lemma:do}", false, /^a\.conllu:5:1: invalid ID: 2 .*multiword token 2-3/);
    refused("{root}", false, /a single root/);
  });
});

test("comments, one for each match", () => {
  const edited = edit("{upos:NOUN|VERB}=x", [{ comment: "seen = {x.form}" }, { comment: "#!" }]);
  expect(edited).toBe(TEXT.replace("cars.\n", "cars.\n# seen = want\n#!\n# seen = cars\n#!\n"));
});

test("what was changed is told", () => {
  const [sentence] = readTreebank(TEXT);
  const result = (pattern: string, to: string) => {
    const { matches, isChanged } = new TreeEditor(pattern, [{ set: "upos", to }]).edit(sentence!);
    return { matches, isChanged };
  };
  expect(result("{upos:X}", "Y")).toEqual({ matches: 0, isChanged: false });
  expect(result("{upos:DET}", "DET")).toEqual({ matches: 1, isChanged: false });
  expect(result("{upos:DET}", "PRON")).toEqual({ matches: 1, isChanged: true });
});

test.each<[string, EditAction]>([
  ["unknown name y", { set: "y.lemma", to: "a" }],
  ["unknown attribute tag", { set: "x.tag", to: "a" }],
  ["id cannot be set", { set: "x.id", to: "3" }],
  ["text cannot be set", { set: "sentence.text", to: "3" }],
  ["it contains a tab or a line end", { set: "x.lemma", to: "a\tb" }],
  ["expected some text", { set: "x.form", to: "" }],
  ["expected no |", { set: "x.Number", to: "Sing|Case=Nom" }],
  ["unknown name y: expected one of x", { attach: "x", to: "y" }],
  ["unknown name y", { delete: "y" }],
  ["unknown name y", { comment: "a {y.form}" }],
  ["it contains a line end", { comment: "a\nb" }],
])("an action is refused: %s", (message, action) => {
  expect(() => new TreeEditor("{}=x", [action])).toThrow(PatternError);
  expect(() => new TreeEditor("{}=x", [action])).toThrow(message);
});

test("formats without comments and numbers that can change", () => {
  const text = "1\ta\ta\tX\tX\t_\t0\troot\t_\t_\n\n";
  const [sentence] = readTreebank(text, { format: "conllx" });
  expect(() => new TreeEditor("{}", [{ comment: "x" }]).edit(sentence!)).toThrow(
    "expected CoNLL-U: conllx has no place",
  );
  expect(() => new TreeEditor("{}", [{ set: "misc.A", to: "x" }]).edit(sentence!)).toThrow("a column that conllx has");
});
