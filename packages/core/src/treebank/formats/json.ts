import { TreebankError } from "../errors.js";
import { commentValue, type Fields, Sentence, type SentenceInput, type SentenceOptions } from "../sentence.js";

/** The sentence as one line of JSON (docs/formats.md); everything but line ends and extra blank lines is kept. */
export function toJson(sentence: Sentence): string {
  const words = [];
  for (let i = 1; i <= sentence.length; i++) {
    words.push({
      id: i,
      form: sentence.form(i),
      lemma: sentence.lemma(i),
      upos: sentence.upos(i),
      xpos: sentence.xpos(i),
      feats: sentence.feats(i),
      head: sentence.heads[i]! < 0 ? null : sentence.heads[i],
      deprel: sentence.deprel(i),
      deps: sentence.deps(i),
      misc: sentence.misc(i),
    });
  }
  const { comments } = sentence;
  return `${JSON.stringify({
    id: commentValue(comments, "sent_id"),
    text: commentValue(comments, "text"),
    comments,
    words,
    multiWordTokens: sentence.multiWordTokens.map(withoutEmpty),
    emptyNodes: sentence.emptyNodes.map(withoutEmpty),
  })}\n`;
}

function withoutEmpty(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([name, value]) => name === "form" || value !== "_"));
}

/** What `stemma parse --scores` writes as a field of its own goes to MISC, as in CoNLL-U. */
function withScore<Word extends { misc?: string | undefined; score?: unknown }>(word: Word): Word {
  const { misc = "_", score } = word;
  if (typeof score !== "number" || /(^|\|)Score=/.test(misc)) return word;
  return { ...word, misc: misc === "_" || misc === "" ? `Score=${score}` : `${misc}|Score=${score}` };
}

/** Reads a line written by toJson; `id` and `text` become comments if there are none that say them. */
export function sentenceFromJson(json: string, options: SentenceOptions = {}): Sentence {
  const { source = "input", line = 1 } = options;
  // Blank lines before the object belong to its block.
  const at = line + (/^\s*/.exec(json)![0].match(/\n/g)?.length ?? 0);
  const fail = (what: string, value: unknown, expected: string): never => {
    const shown = typeof value === "object" && value !== null ? "an object" : String(value);
    throw new TreebankError(source, { what, value: Array.isArray(value) ? "an array" : shown, expected, line: at });
  };
  let input: SentenceInput & { id?: unknown; text?: unknown };
  try {
    input = JSON.parse(json.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new TreebankError(source, { what: "JSON", value: json.trim(), expected: (error as Error).message, line: at });
  }
  if (input === null || typeof input !== "object") fail("sentence", input, "an object with words");
  const lists = ["words", "comments", "multiWordTokens", "emptyNodes"] as const;
  for (const name of lists) {
    const list: unknown = input[name] ?? (name === "words" ? undefined : []);
    if (!Array.isArray(list)) fail(name, list, "an array");
    for (const item of list as unknown[]) {
      if (name === "comments" ? typeof item !== "string" : item === null || typeof item !== "object") {
        fail(name, item, name === "comments" ? "strings" : "objects");
      }
    }
  }
  for (const { id } of input.emptyNodes ?? [])
    if (typeof id !== "string") fail("emptyNodes", id, 'an id such as "3.1"');
  input.words.forEach((word, index) => {
    const { id = index + 1 } = word as { id?: number };
    if (id !== index + 1) fail("word id", id, `${index + 1}`);
    if (typeof word.form !== "string") fail(`form of word ${index + 1}`, word.form, "a string");
    if (word.head !== null && word.head !== undefined && !(Number.isInteger(word.head) && word.head >= 0)) {
      fail(`head of word ${index + 1}`, word.head, "a whole number, or null for none");
    }
  });

  const comments = [...(input.comments ?? [])].map((comment) => (comment.startsWith("#") ? comment : `# ${comment}`));
  for (const [key, value] of [
    ["text", input.text],
    ["sent_id", input.id],
  ] as const) {
    if (typeof value === "string" && commentValue(comments, key) === undefined) comments.unshift(`# ${key} = ${value}`);
  }
  const { multiWordTokens, emptyNodes } = input;
  const words = input.words.map(withScore);
  try {
    return Sentence.from({ words, comments, multiWordTokens, emptyNodes }, { ...options, source, line: at });
  } catch (error) {
    if (!(error instanceof TreebankError)) throw error;
    // Its line counts CoNLL-U lines that the file does not have.
    const { what, value, expected } = error;
    throw new TreebankError(source, { what, value, expected, line: at });
  }
}
