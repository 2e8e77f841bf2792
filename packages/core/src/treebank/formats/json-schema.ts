/** JSON Schema of a sentence as Sentence.toJSON gives it; docs/sentence.schema.json is the same. */
export const SENTENCE_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "A sentence of Stemma, version 1",
  description:
    'One object for each sentence: a line of a file, or an element of "sentences" in an answer of the server. Strings are as in CoNLL-U, with "_" for no value.',
  type: "object",
  required: ["version", "words"],
  properties: {
    version: { const: 1 },
    id: { type: "string", description: "Value of the comment sent_id, or the number of the sentence." },
    text: { type: "string", description: "The text of the sentence." },
    start: { $ref: "#/$defs/start" },
    end: { $ref: "#/$defs/end" },
    comments: {
      type: "array",
      items: { type: "string", pattern: "^#[^\\n\\r]*$" },
      description: "Comment lines with their #. Those expressed by id, text and tree may be left out.",
    },
    tree: {
      type: "object",
      required: ["rank", "of", "score"],
      properties: {
        rank: { type: "integer", minimum: 1 },
        of: { type: "integer", minimum: 1 },
        score: { type: "number" },
      },
      description: "Which of the best trees this is, if several were requested.",
    },
    words: { type: "array", minItems: 1, items: { $ref: "#/$defs/word" } },
    multiWordTokens: { type: "array", items: { $ref: "#/$defs/multiWordToken" } },
    emptyNodes: { type: "array", items: { $ref: "#/$defs/emptyNode" } },
    predicates: {
      type: "array",
      items: { $ref: "#/$defs/predicate" },
      description: "Predicates with the roles of their arguments, in the order of their words: Pred and Args in MISC.",
    },
  },
  $defs: {
    predicate: {
      type: "object",
      required: ["word", "sense", "arguments"],
      properties: {
        word: { type: "integer", minimum: 1, description: "Number of its word." },
        sense: { type: "string", description: "Such as give.01; _ if it is not known." },
        arguments: {
          type: "array",
          items: {
            type: "object",
            required: ["word", "role"],
            properties: {
              word: {
                type: "integer",
                minimum: 1,
                description: "Number of the word that the rest of the argument depends on.",
              },
              role: { type: "string", description: "Such as ARG0 or ARGM-TMP." },
            },
          },
        },
      },
    },
    start: {
      type: "integer",
      minimum: 0,
      description: "Offset of its beginning in the text, in UTF-16 units, if known: TokenRange in MISC.",
    },
    end: { type: "integer", minimum: 0, description: "Where it ends." },
    attributes: {
      description: "Values by name, or the text of the column where an object cannot express it.",
      anyOf: [{ type: "object", additionalProperties: { type: "string" } }, { type: "string" }],
    },
    deps: {
      description: "Relations by the id of the head; several relations to one head are joined by |.",
      anyOf: [
        { type: "object", propertyNames: { pattern: "^\\d+(\\.\\d+)?$" }, additionalProperties: { type: "string" } },
        { type: "string" },
      ],
    },
    word: {
      type: "object",
      required: ["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel"],
      properties: {
        id: { type: "integer", minimum: 1, description: "Number of the word, from 1." },
        form: { type: "string" },
        lemma: { type: "string" },
        upos: { type: "string" },
        xpos: { type: "string" },
        feats: { $ref: "#/$defs/attributes" },
        head: {
          anyOf: [{ type: "integer", minimum: 0 }, { type: "null" }],
          description: "Number of the head, 0 for the root, null for none.",
        },
        deprel: { type: "string" },
        deps: { $ref: "#/$defs/deps" },
        misc: { $ref: "#/$defs/attributes" },
        start: { $ref: "#/$defs/start" },
        end: { $ref: "#/$defs/end" },
        score: {
          type: "number",
          description: "Probability that head and label are right, if requested: Score in MISC.",
          minimum: 0,
          maximum: 1,
        },
      },
    },
    multiWordToken: {
      type: "object",
      required: ["from", "to", "form"],
      properties: {
        from: { type: "integer", minimum: 1, description: "Its first word." },
        to: { type: "integer", minimum: 1, description: "Its last word." },
        form: { type: "string" },
        lemma: { type: "string" },
        upos: { type: "string" },
        xpos: { type: "string" },
        feats: { $ref: "#/$defs/attributes" },
        head: { type: "string" },
        deprel: { type: "string" },
        deps: { $ref: "#/$defs/deps" },
        misc: { $ref: "#/$defs/attributes" },
        start: { $ref: "#/$defs/start" },
        end: { $ref: "#/$defs/end" },
      },
    },
    emptyNode: {
      type: "object",
      required: ["id", "form"],
      properties: {
        id: { type: "string", pattern: "^\\d+\\.\\d+$" },
        form: { type: "string" },
        lemma: { type: "string" },
        upos: { type: "string" },
        xpos: { type: "string" },
        feats: { $ref: "#/$defs/attributes" },
        head: { type: "string" },
        deprel: { type: "string" },
        deps: { $ref: "#/$defs/deps" },
        misc: { $ref: "#/$defs/attributes" },
      },
    },
  },
} as const;
