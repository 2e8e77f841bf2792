// The content of a request to /v1/parse, said once: the checks of requests, the OpenAPI document and a test of
// docs/server.md all read it. It is JSON Schema, of which only what stands here is understood.
import { invalid } from "../http/problem.js";

interface Described {
  readonly description: string;
}

/** The shape of a value. */
export type Shape = Described &
  (
    | { readonly type: "boolean"; readonly default: boolean }
    | { readonly type: "integer"; readonly minimum: number; readonly maximum?: number }
    | {
        readonly type: "string";
        readonly pattern?: string;
        readonly enum?: readonly string[];
        readonly default?: string;
      }
    | { readonly type: "array"; readonly items: object; readonly minItems?: number }
  );

/** The widest beam: a request must not take far more time than others of its size. */
const WIDEST_BEAM = 64;

const flag = <Text extends string>(description: Text) => ({ type: "boolean", default: false, description }) as const;
const count = <Text extends string>(description: Text) =>
  ({ type: "integer", minimum: 1, maximum: WIDEST_BEAM, description }) as const;
const text = <Text extends string>(description: Text) => ({ type: "string", description }) as const;

/** Something that is not only white space. */
const SOME_TEXT = { type: "string", pattern: "\\S" } as const;

/** Options of a request beside its text: in the address, or as members of a JSON body. */
export const OPTIONS = {
  model: text("Name of a model, or auto for the one that fits the text; the default is the first."),
  scores: flag("Add the probability that each head and label is right."),
  svg: flag("Add a drawing to each sentence; for answers in JSON only."),
  keep: flag("Keep the given heads and labels; for CoNLL-U only."),
  retag: flag("Retag words that have tags; for CoNLL-U only."),
  trees: count("Maximum number of trees for each sentence, best first; not with scores."),
  beam: count("Beam width, at least the number of trees; by default that of the model."),
  tooLong: {
    ...text("What to do with a sentence of a text that is too long: divide it, which marks its parts, or refuse it."),
    enum: ["split", "error"],
    default: "split",
  },
} as const satisfies Record<string, Shape>;

const { keep: _keep, retag: _retag, ...forText } = OPTIONS;
/** Options of documents, whose texts are without annotation. */
export const DOCUMENT_OPTIONS = forText;

/** Where the text and the name of a document are. */
export const DOCUMENT_FIELDS = {
  textField: { ...text("Field with the text; a.b is field b of the object a."), default: "text" },
  idField: { ...text("Field with the name, which every document must have then."), default: "id" },
} as const satisfies Record<string, Shape>;

/** The members of a token of which something is known. */
export const TOKEN = {
  form: { ...SOME_TEXT, description: "The token." },
  lemma: text("Its lemma."),
  upos: text("Its universal part of speech."),
  xpos: text("Its language-specific part of speech."),
  feats: text("Its features, as in CoNLL-U."),
  head: { type: "integer", minimum: 0, description: "Number of its head, 0 for the root." },
  deprel: text("Its relation to the head."),
} as const satisfies Record<string, Shape>;

const GIVEN_TOKEN = {
  type: "object",
  properties: TOKEN,
  required: ["form"],
  additionalProperties: false,
  description: "A token with its known values, which are kept.",
} as const;

/** The members of a JSON body of which one, and only one, holds what to parse. */
export const MEMBERS = {
  text: text("Running text."),
  sentences: { type: "array", items: SOME_TEXT, description: "Sentences." },
  tokens: {
    type: "array",
    items: { type: "array", items: { anyOf: [SOME_TEXT, GIVEN_TOKEN] }, minItems: 1, description: "Tokens." },
    description: "Sentences as lists of tokens.",
  },
  conllu: text("Sentences in CoNLL-U."),
} as const satisfies Record<string, Shape>;

export type Member = keyof typeof MEMBERS;

/** The options, by their shapes. */
export type RequestOptions = {
  [Name in keyof typeof OPTIONS]?: (typeof OPTIONS)[Name] extends { type: "boolean" }
    ? boolean
    : (typeof OPTIONS)[Name] extends { type: "integer" }
      ? number
      : (typeof OPTIONS)[Name] extends { enum: readonly (infer Value)[] }
        ? Value
        : string;
};

export const namesOf = <Names extends object>(shapes: Names) => Object.keys(shapes) as (keyof Names & string)[];
export const OPTION_NAMES = namesOf(OPTIONS);
export const MEMBER_NAMES = namesOf(MEMBERS);

/** Throws what is wrong if a value has another shape; what an array holds is for others to look at. */
export function checkShape(field: string, value: unknown, shape: Shape): void {
  if (!hasShape(value, shape)) throw invalid(field, value, expectedOf(field, shape));
}

function hasShape(value: unknown, shape: Shape): boolean {
  if (shape.type === "array") return Array.isArray(value);
  if (shape.type === "string" && shape.enum) return shape.enum.includes(value as string);
  if (shape.type !== "integer") return typeof value === shape.type;
  const { minimum, maximum = Number.MAX_SAFE_INTEGER } = shape;
  return Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
}

/** A shape, in words. */
function expectedOf(field: string, shape: Shape): string {
  if (shape.type === "boolean") return "true or false";
  if (shape.type === "array") return "an array";
  if (shape.type === "string" && shape.enum) return shape.enum.join(" or ");
  if (shape.type === "string") return field === "model" ? "the name of a model" : "a string";
  return `a whole number from ${shape.minimum}${shape.maximum === undefined ? "" : ` to ${shape.maximum}`}`;
}

/** The value that text in an address stands for; a flag may be without one. */
export function readText(field: string, written: string, shape: Shape): unknown {
  if (shape.type === "string" && !shape.enum) return written;
  if (shape.type === "boolean" && /^(true|1|)$/.test(written)) return true;
  if (shape.type === "boolean" && /^(false|0)$/.test(written)) return false;
  const value = shape.type === "integer" && /^\d{1,9}$/.test(written) ? Number(written) : written;
  if (!hasShape(value, shape)) throw invalid(field, written, expectedOf(field, shape));
  return value;
}
