import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { match, type Pattern, PatternError, readTreebank, Sentence } from "../../src/index.js";
import { Matcher, parsePattern, TreebankIndex } from "../../src/search.js";
import { bruteForce } from "./matching-brute-force.js";
import { patternText, randomPatterns, randomSentences } from "./matching-random.js";

const SEED = Number(process.env.SEED ?? Date.now() % 1e9);
const RUNS = Number(process.env.RUNS ?? 1500);
console.log(`matching.test.ts: SEED=${SEED}`);

// She was given two old books by the man ; he gave her them .
const SENTENCE = readTreebank(
  [
    "# sent_id = gift",
    "# text = She was given two old books by the man.",
    "1\tShe\tshe\tPRON\tPRP\tCase=Nom|Number=Sing\t3\tnsubj:pass\t3:nsubj:pass\t_",
    "2\twas\tbe\tAUX\tVBD\tNumber=Sing|Tense=Past\t3\taux:pass\t3:aux:pass\t_",
    "3\tgiven\tgive\tVERB\tVBN\tTense=Past|VerbForm=Part\t0\troot\t0:root\t_",
    "4\ttwo\ttwo\tNUM\tCD\tNumType=Card\t6\tnummod\t6:nummod\t_",
    "5\told\told\tADJ\tJJ\tDegree=Pos\t6\tamod\t6:amod\t_",
    "6\tbooks\tbook\tNOUN\tNNS\tNumber=Plur\t3\tobj\t3:obj\tScore=0.71",
    "7\tby\tby\tADP\tIN\t_\t9\tcase\t9:case\t_",
    "8\tthe\tthe\tDET\tDT\tDefinite=Def\t9\tdet\t9:det\t_",
    "9\tman\tman\tNOUN\tNN\tNumber=Sing\t3\tobl:agent\t3:obl:agent|3:nsubj\tSpaceAfter=No|Score=0.4",
    "10\t.\t.\tPUNCT\t.\t_\t3\tpunct\t3:punct\t_",
    "",
    "",
  ].join("\n"),
)[0]!;

const found = (pattern: string) => match(SENTENCE, pattern).map(({ nodes }) => nodes.join(" "));

describe("words", () => {
  test.each([
    ["{upos:NOUN}", ["6", "9"]],
    ["{upos:NOUN|PRON}", ["1", "6", "9"]],
    ["{upos : NOUN | PRON}", ["1", "6", "9"]],
    ["{upos!=NOUN; Number:Sing}", ["1", "2"]],
    ["{Number}", ["1", "2", "6", "9"]],
    ["{!Number; upos:VERB|ADP}", ["3", "7"]],
    ["{Number!=Sing}", ["6"]],
    ["{!Number=Sing; upos:NOUN|NUM}", ["4", "6"]],
    ["{feats.Number=Plur}", ["6"]],
    ["{feats:/Tense.*Part/}", ["3"]],
    ["{lemma:/^b/}", ["2", "6", "7"]],
    ["{form:/^S/}", ["1"]],
    ["{form:/^s/i}", ["1"]],
    ['{form:"SHE"i}', ["1"]],
    ['{form:"."}', ["10"]],
    ["{form:.}", ["10"]],
    ["{deprel:obl}", ["9"]],
    ["{deprel=obl}", []],
    ["{deprel:/^nsubj$/}", []],
    ["{misc.SpaceAfter:No}", ["9"]],
    ["{misc.Score<0.5}", ["9"]],
    ["{misc.Score>=0.5}", ["6"]],
    ["{first}", ["1"]],
    ["{last}", ["10"]],
    ["{root}", ["3"]],
    ["{id<=2}", ["1", "2"]],
    ["{!misc; id:9|8}", ["8"]],
    ["{xpos=NN|NNS}", ["6", "9"]],
  ])("%s", (pattern, expected) => expect(found(pattern)).toEqual(expected));

  test("one of several values of a feature, or exactly all of them", () => {
    const [sentence] = readTreebank("1\twho\twho\tPRON\t_\tPronType=Int,Rel\t0\troot\t_\t_\n\n");
    expect(match(sentence!, "{PronType:Rel}")).toHaveLength(1);
    expect(match(sentence!, "{PronType=Rel}")).toHaveLength(0);
    expect(match(sentence!, '{PronType="Int,Rel"}')).toHaveLength(1);
  });

  test("layered features", () => {
    const [sentence] = readTreebank("1\tsu\tsu\tDET\t_\tNumber[psor]=Plur\t0\troot\t_\t_\n\n");
    expect(match(sentence!, "{Number[psor]:Plur}")).toHaveLength(1);
    expect(match(sentence!, "{Number:Plur}")).toHaveLength(0);
  });
});

describe("relations", () => {
  test.each([
    ["{upos:VERB} >nsubj:pass {}", ["3 1"]],
    ["{upos:VERB} >nsubj {}", ["3 1"]],
    ["{upos:VERB} >=nsubj {}", []],
    ["{} >amod|nummod {}", ["6 4", "6 5"]],
    ["{upos:VERB} >!punct|aux {}", ["3 1", "3 6", "3 9"]],
    ["{upos:VERB} >/^(obj|obl)/ {}", ["3 6", "3 9"]],
    ["{upos:ADP} < {}", ["7 9"]],
    ["{upos:ADP} <case {}", ["7 9"]],
    ["{upos:ADP} <det {}", []],
    ["{upos:DET} << {}", ["8 3", "8 9"]],
    ["{upos:DET} <<{2} {}", ["8 3"]],
    ["{root} >>{2,} {upos:DET|NUM|ADJ}", ["3 4", "3 5", "3 8"]],
    ["{root} >>{,1} {upos:DET|NOUN}", ["3 6", "3 9"]],
    ["{} >>obl|case {}", ["3 7", "3 9", "9 7"]],
    ["{upos:NUM} $ {}", ["4 5"]],
    ["{upos:NUM} $amod {}", ["4 5"]],
    ["{upos:NUM} $det {}", []],
    ["{upos:NUM} . {}", ["4 5"]],
    ["{upos:NUM} - {}", ["4 3"]],
    ["{upos:NUM} .. {upos:NOUN}", ["4 6", "4 9"]],
    ["{upos:NUM} ..{,2} {upos:NOUN}", ["4 6"]],
    ["{upos:NUM} -- {upos:PRON|VERB}", ["4 1", "4 3"]],
    ["{root}=r > {upos:NOUN}=n ; r ..{4,} n", ["3 9"]],
    ["{root}=r > {upos:NOUN}=n ; n --{,3} r", ["3 6"]],
    ["{upos:VERB} @>nsubj {}", ["3 1", "3 9"]],
    ["{upos:VERB} @>=nsubj {}", ["3 9"]],
    ["{upos:NOUN} @<nsubj {}", ["9 3"]],
    ["{upos:VERB} >obj ({} >amod {})", ["3 6 5"]],
    ["{upos:VERB} >obj {} >nsubj {}", ["3 6 1"]],
    ["{upos:VERB}=v >obj ({} -- v)", ["3 6"]],
    ["{upos:VERB}=v >obj ({} .. v)", []],
    ["{} >amod {}=x ; {}=h > x", []],
  ])("%s", (pattern, expected) => expect(found(pattern)).toEqual(expected));
});

describe("groups", () => {
  test.each([
    ["{upos:VERB} >nsubj:pass {}=subject !>obl:agent {}", []],
    ["{upos:VERB} >nsubj:pass {}=subject !>iobj {}", ["3 1"]],
    ["{upos:NOUN} !> {}", []],
    ["{Number:Sing} !> {}", ["1", "2"]],
    ["{upos:VERB} [>iobj {} | >obj {}]", ["3 0 6"]],
    ["{upos:VERB} [>iobj {}=x | >obj {}=x]", ["3 6"]],
    ["{upos:NOUN} ?>amod {}", ["6 5", "9 0"]],
    ["{upos:NOUN} ?[>amod {}=a; a.Degree = Cmp]", ["6 0", "9 0"]],
    ["{upos:NOUN}=x ; !{upos:INTJ}", ["6", "9"]],
    ["{upos:NOUN}=x ; !{upos:PUNCT}", []],
    ["{upos:NOUN}=x ![ >case {} ]", ["6"]],
    ["{upos:NOUN}=a ; {upos:NOUN}=b", ["6 9", "9 6"]],
    ["{upos:NOUN}=a .. {upos:NOUN}=b ; a.Number != b.Number", ["6 9"]],
    ["{}=a .. {}=b ; a.lemma = b.lemma", []],
    ["{}=a . {}=b ; a.Number = b.Number", ["1 2"]],
    ["{upos:NOUN}=a ; a.misc.Score > 0.5", ["6"]],
    ["{upos:NOUN}=a ; !a.misc.SpaceAfter", ["6"]],
    ["{root} ; sentence.length > 10", []],
    ["{root} ; sentence.length = 10", ["3"]],
    ["{root} ; sentence.projective", ["3"]],
    ["{root} ; sentence.text : /given two/", ["3"]],
    ["{root} ; sentence.id = gift", ["3"]],
    ["{root} ; !sentence.newdoc", ["3"]],
    ["!{upos:INTJ}", [""]],
    ["!{upos:VERB}", []],
    ["{upos:VERB}=v >obj {}=o !> ({} !== o)", []],
    ["{upos:ADP} < {}=n !>amod ({} >advmod {})", ["7 9"]],
    ["{root}=r ![ > {}=a; r > {upos:ADJ}=b; a . b ]", ["3"]],
    ["[ {upos:INTJ} | {upos:ADJ} ]", ["0 5"]],
  ])("%s", (pattern, expected) => expect(found(pattern)).toEqual(expected));

  test("captures", () => {
    const [only] = match(SENTENCE, "{upos:VERB}=verb >obj {}=object ?>iobj {}=recipient");
    expect(only!.captures).toEqual({ verb: 3, object: 6 });
    expect(only!.word("verb")).toBe(3);
    expect(only!.word("recipient")).toBe(0);
    expect(() => only!.word("subject")).toThrow("unknown name: subject (expected verb, object, recipient)");
  });

  test("words as objects, where the sentence has them", () => {
    const words = Array.from({ length: SENTENCE.length }, (_, i) => ({ id: i + 1 }));
    const sentence = Object.create(SENTENCE, { words: { value: words } }) as typeof SENTENCE & {
      words: { id: number }[];
    };
    const [only] = match(sentence, "{upos:VERB}=verb >obj {}=object ?>iobj {}=recipient");
    expect(only!.words).toEqual({ verb: { id: 3 }, object: { id: 6 } });
    expect(only!.words.verb!.id).toBe(3);
  });

  test("a pattern as an object is the same as its text", () => {
    const pattern: Pattern = {
      clauses: [
        {
          kind: "word",
          tests: [{ attribute: "upos", operator: ":", values: ["VERB"] }],
          clauses: [
            {
              kind: "relation",
              relation: ">",
              label: { operator: ":", values: ["nsubj:pass"] },
              to: { kind: "word", name: "subject", tests: [] },
            },
            { kind: "not", clauses: [{ kind: "relation", relation: ">", to: { kind: "word", tests: [] } }] },
          ],
        },
      ],
    };
    const parsed = parsePattern("{upos:VERB} >nsubj:pass {}=subject !> {}");
    expect(withoutPlaces(parsed)).toEqual(pattern);
    expect(match(SENTENCE, pattern)).toEqual(match(SENTENCE, parsed));
  });

  test("the same object in two places is two words", () => {
    const any = { kind: "word" } as const;
    expect(match(SENTENCE, { clauses: [any, any] })).toHaveLength(90);
  });
});

describe("errors point at the place", () => {
  test.each([
    ["", "expected a word such as {upos:NOUN}, but the pattern ends", 0],
    ["{upos:VERB", "expected |, ; or }, but the pattern ends", 10],
    ["{upos VERB}", "expected an operator (: = != < >), ; or }, found VERB", 6],
    ["{upos:}", "expected a value", 6],
    ["{} >", "expected a word after >", 4],
    ["{} >nsubj", "expected a word after >", 9],
    ["{} >nsubj ]", "found ]", 10],
    ["{} > {} {}", "expected ; and another clause, or the end, found {", 8],
    ["{} ; {}=sentence", "expected another name: sentence stands for the whole sentence", 8],
    ["{Upos:VERB} ; {postag:X}", "unknown attribute postag: expected form, lemma", 15],
    ["{}=a > {} ; b.lemma = a.lemma", "unknown name b: expected one of a", 12],
    ["{}=a > c", "unknown name c: expected one of a", 7],
    ["{}=a ?> {}=b ; b.lemma = x", "b may be missing here", 15],
    ["{}=a [> {}=b | < {}] ; a.lemma = b.lemma", "b may be missing here", 33],
    ["{}=a ?> {}=b ?< {}=b", "b may be missing here", 18],
    ["{form:/(a/}", "expected ) for the group", 7],
    ["{form:/a(?=b)/}", "look-around, named groups and flags are not available", 8],
    ["{form:/(a)\\1/}", "expected no back-reference", 10],
    ["{form:/a/g}", "expected no flag other than i", 9],
    ["{form:/a}", "expected / at the end of the regular expression", 6],
    ['{form:"a}', 'expected " at the end of the value', 6],
    ["{first:1}", "first takes no value", 1],
    ["{} @>> {}", "expected > or < after @", 4],
    ["{} >>{3,2} {}", "expected a distance of at least 1, the smaller number first", 5],
    ["{id<x}", "expected a number after <", 4],
    ["{} [> {} | ]", "expected a relation", 11],
    ["{}=", "expected a name of letters", 3],
  ])("%s", (pattern, message, offset) => {
    try {
      new Matcher(pattern);
    } catch (error) {
      expect(error).toBeInstanceOf(PatternError);
      expect((error as PatternError).message).toContain(message);
      expect((error as PatternError).offset).toBe(offset);
      return;
    }
    throw new Error("no error");
  });

  test("with the line and a caret", () => {
    expect(() => parsePattern("{upos:VERB}=v\n  >nsubj {} >obj\n  {deprel:root")).toThrow(
      "invalid pattern: expected |, ; or }, but the pattern ends\n    {deprel:root\n                ^",
    );
  });

  test("of a pattern without text there is no place", () => {
    const pattern: Pattern = { clauses: [{ kind: "word", tests: [{ attribute: "tag" }] }] };
    expect(() => new Matcher(pattern)).toThrow(/^invalid pattern: unknown attribute tag: [^\n]*$/);
    const regex: Pattern = {
      clauses: [{ kind: "word", tests: [{ attribute: "form", operator: ":", values: [{ regex: "(" }] }] }],
    };
    expect(() => new Matcher(regex)).toThrow("expected ) for the group in /(/");
    expect(() => new Matcher({ clauses: [{ kind: "relation", relation: ">", to: { kind: "word" } }] })).toThrow(
      "expected a word before >",
    );
  });

  test("too much is refused", () => {
    const long = Sentence.from({ words: Array.from({ length: 120 }, (_, i) => ({ form: "a", head: i })) });
    expect(() => match(long, "{} ; {} ; {} ; {}")).toThrow("more than 1000000 matches in one sentence of 120 words");
    expect(() => new Matcher(`{}=a ${"[> {} | < {}] ".repeat(11)}`)).toThrow("too many combinations of alternatives");
    expect(() => new Matcher(`${"(".repeat(300)}{}${")".repeat(300)}`)).toThrow("at most 100 levels of brackets");
  });
});

function withoutPlaces(pattern: Pattern): Pattern {
  const { clauses } = JSON.parse(JSON.stringify(pattern, (key, value) => (key === "at" ? undefined : value)));
  return { clauses };
}

describe("random", () => {
  test("matches are those of brute force", () => {
    let matched = 0;
    fc.assert(
      fc.property(randomSentences(5), randomPatterns, (words, pattern) => {
        const sentence = Sentence.from({ words }, { allowNonTrees: true });
        const expected = bruteForce(words, pattern);
        const matcher = new Matcher(pattern);
        expect(matcher.match(sentence).map(({ nodes }) => nodes)).toEqual(expected);
        expect(matcher.test(sentence)).toBe(expected.length > 0);
        if (expected.length > 0) matched++;
      }),
      { seed: SEED, numRuns: RUNS },
    );
    // Otherwise the patterns would say little.
    expect(matched).toBeGreaterThan(RUNS / 10);
  });

  test("the text of a pattern reads as the pattern", () => {
    fc.assert(
      fc.property(randomSentences(4), randomPatterns, (words, pattern) => {
        const sentence = Sentence.from({ words }, { allowNonTrees: true });
        const text = patternText(pattern);
        const nodes = (matches: readonly { nodes: readonly number[] }[]) => matches.map((found) => found.nodes);
        expect(nodes(new Matcher(text).match(sentence))).toEqual(nodes(new Matcher(pattern).match(sentence)));
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  test("one matcher for many sentences, whatever came before", () => {
    const sentences = fc.array(randomSentences(5), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(sentences, randomPatterns, (many, pattern) => {
        const matcher = new Matcher(pattern);
        for (const words of many) {
          const sentence = Sentence.from({ words }, { allowNonTrees: true });
          expect(matcher.match(sentence).map(({ nodes }) => nodes)).toEqual(bruteForce(words, pattern));
        }
        const sentences = many.map((words) => Sentence.from({ words }, { allowNonTrees: true }));
        const one = sentences.flatMap((sentence) => matcher.match(sentence));
        expect(matcher.matchAll(new TreebankIndex(sentences))).toEqual(one);
        expect(sentences.flatMap((sentence) => matcher.match(sentence))).toEqual(one);
      }),
      { seed: SEED, numRuns: RUNS / 3 },
    );
  });
});

test("values beyond what is remembered are forgotten, and matches stay right", () => {
  const matcher = new Matcher("{lemma:/7$/}");
  let count = 0;
  for (let k = 0; k < 700; k++) {
    const words = Array.from({ length: 100 }, (_, i) => ({ form: "x", lemma: `l${100 * k + i}`, head: i }));
    count += matcher.match(Sentence.from({ words })).length;
  }
  expect(count).toBe(7000);
});
