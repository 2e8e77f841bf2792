import type { WordPieceHeader } from "../encoder-data.js";

/** The part of a `tokenizer.json` that is needed. */
interface TokenizerJson {
  added_tokens?: { id: number; content: string; normalized?: boolean; lstrip?: boolean; rstrip?: boolean }[];
  normalizer?: {
    type: string;
    clean_text?: boolean;
    handle_chinese_chars?: boolean;
    strip_accents?: boolean | null;
    lowercase?: boolean;
  };
  pre_tokenizer?: { type: string };
  post_processor?: {
    type: string;
    /** Of TemplateProcessing: the pieces of a sentence. */
    single?: ({ SpecialToken?: { id: string } } & Record<string, unknown>)[];
    /** Of BertProcessing. */
    cls?: [string, number];
    sep?: [string, number];
  };
  model: {
    type?: string;
    unk_token: string;
    continuing_subword_prefix?: string;
    max_input_chars_per_word?: number;
    vocab: Record<string, number>;
  };
}

/** How words become pieces, and the pieces, as a `tokenizer.json` says it; RangeErrors tell what is not BERT's. */
export function readTokenizer(text: string): { pieces: WordPieceHeader; vocabulary: string[] } {
  const json = parsed(text);
  const { model, normalizer, pre_tokenizer: words, post_processor: ends, added_tokens: added = [] } = json;
  expect("model", model?.type ?? "WordPiece", "WordPiece");
  expect("normalizer", normalizer?.type, "BertNormalizer");
  expect("pre_tokenizer", words?.type, "BertPreTokenizer");
  if (typeof model.vocab !== "object" || model.vocab === null) throw new RangeError("no vocabulary (model.vocab)");
  const vocabulary: string[] = [];
  const put = (piece: string, number: number) => {
    if (!(Number.isInteger(number) && number >= 0 && number < 1 << 24))
      throw new RangeError(`invalid number of the piece ${JSON.stringify(piece)}: ${number}`);
    vocabulary[number] = piece;
  };
  for (const [piece, number] of Object.entries(model.vocab)) put(piece, number);
  for (const { content, id, normalized, lstrip, rstrip } of added) {
    if (normalized || lstrip || rstrip)
      throw new RangeError(`added token ${JSON.stringify(content)}: normalized or stripped (expected as it stands)`);
    put(content, id);
  }
  for (let k = 0; k < vocabulary.length; k++) vocabulary[k] ??= "";
  const numberOf = (what: string, piece: string | undefined): number => {
    const number = piece === undefined ? -1 : vocabulary.indexOf(piece);
    if (number < 0) throw new RangeError(`no piece for ${what} (expected one such as [CLS], [SEP], [UNK])`);
    return number;
  };
  const single = ends?.single?.map((part) => part.SpecialToken?.id);
  const lowercase = normalizer?.lowercase ?? true;
  return {
    pieces: {
      cleanText: normalizer?.clean_text ?? true,
      chineseCharacters: normalizer?.handle_chinese_chars ?? true,
      stripAccents: normalizer?.strip_accents ?? lowercase,
      lowercase,
      prefix: model.continuing_subword_prefix ?? "##",
      longest: model.max_input_chars_per_word ?? 100,
      unknown: numberOf("unknown words", model.unk_token ?? "[UNK]"),
      begin: numberOf("the beginning of a sentence", single?.[0] ?? ends?.cls?.[0] ?? "[CLS]"),
      end: numberOf("the end of a sentence", single?.[single.length - 1] ?? ends?.sep?.[0] ?? "[SEP]"),
      special: added.map(({ id }) => id).sort((a, b) => a - b),
    },
    vocabulary,
  };
}

function parsed(text: string): TokenizerJson {
  let json: TokenizerJson;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new RangeError(`not JSON: ${(error as Error).message}`);
  }
  if (typeof json?.model !== "object" || json.model === null) throw new RangeError("not a tokenizer.json: no model");
  return json;
}

function expect(what: string, found: string | undefined, expected: string): void {
  if (found !== expected)
    throw new RangeError(`${what}: ${found ?? "none"} (expected ${expected}: a BERT-like encoder)`);
}
