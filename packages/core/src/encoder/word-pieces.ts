import type { WordPieceHeader } from "./encoder-data.js";

/** Words whose pieces are remembered. */
const REMEMBERED = 1 << 14;

/**
 * Cuts words into pieces as BERT does: the text is cleaned, and every piece is the longest of the vocabulary that what
 * is left of a word begins with. The same pieces as those of the package `tokenizers` with the settings of a
 * `tokenizer.json`.
 */
export class WordPieces {
  private readonly numbers = new Map<string, number>();
  private readonly specials: RegExp | undefined;
  private readonly longestPiece: number;
  private readonly known = new Map<string, readonly number[]>();

  constructor(
    private readonly header: WordPieceHeader,
    vocabulary: readonly string[],
  ) {
    let longest = 0;
    vocabulary.forEach((piece, number) => {
      this.numbers.set(piece, number);
      if (piece.length > longest) longest = piece.length;
    });
    this.longestPiece = longest;
    const special = header.special.map((piece) => vocabulary[piece]!).filter((piece) => piece !== "");
    // Of several that fit the longest counts.
    special.sort((a, b) => b.length - a.length);
    if (special.length > 0) this.specials = new RegExp(`(${special.map(escaped).join("|")})`, "u");
  }

  /** The pieces of a word or of a text, without those that begin and end a sentence. */
  of(text: string): readonly number[] {
    let pieces = this.known.get(text);
    if (pieces) return pieces;
    pieces = this.cut(text);
    if (this.known.size >= REMEMBERED) this.known.clear();
    this.known.set(text, pieces);
    return pieces;
  }

  /** Whether any text has this piece: one that is changed or cut before pieces are looked for never comes up. */
  canOccur(piece: string): boolean {
    const { prefix } = this.header;
    const isWord = (text: string) => {
      const [word, ...others] = wordsOf(this.normalized(text));
      return word === text && others.length === 0;
    };
    return isWord(piece) || (piece.startsWith(prefix) && isWord(`a${piece.slice(prefix.length)}`));
  }

  private cut(text: string): number[] {
    const out: number[] = [];
    const parts = this.specials ? text.split(this.specials) : [text];
    parts.forEach((part, k) => {
      if (k % 2 === 1) out.push(this.numbers.get(part)!);
      else for (const word of wordsOf(this.normalized(part))) this.cutWord(word, out);
    });
    return out;
  }

  private normalized(text: string): string {
    const { cleanText, chineseCharacters, stripAccents, lowercase } = this.header;
    let result = text;
    // Half a surrogate pair is what a decoder puts in the place of what it cannot decode.
    if (cleanText) result = result.replace(DROPPED, "").replace(/\p{White_Space}/gu, " ");
    if (chineseCharacters) result = result.replace(CHINESE, " $& ");
    if (stripAccents) result = result.normalize("NFD").replace(MARKS, "");
    // Character by character: sigma at the end of a word has no form of its own.
    if (lowercase) result = Array.from(result, (character) => character.toLowerCase()).join("");
    return result;
  }

  private cutWord(word: string, out: number[]): void {
    const { longest, prefix, unknown } = this.header;
    const begin = out.length;
    let from = 0;
    if (word.length > longest && Array.from(word).length > longest) {
      out.push(unknown);
      return;
    }
    while (from < word.length) {
      const before = from === 0 ? "" : prefix;
      let end = Math.min(word.length, from + this.longestPiece);
      let piece: number | undefined;
      for (; end > from; end--) {
        piece = this.numbers.get(before + word.slice(from, end));
        if (piece !== undefined) break;
      }
      if (piece === undefined) {
        out.length = begin;
        out.push(unknown);
        return;
      }
      out.push(piece);
      from = end;
    }
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/gu, "\\$&");
}

const CHINESE =
  /[\u{4E00}-\u{9FFF}\u{3400}-\u{4DBF}\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\u{F900}-\u{FAFF}\u{2F800}-\u{2FA1F}]/gu;

/**
 * Marks, punctuation and characters of format that came with later versions of Unicode than the one that `tokenizers`
 * knows; it takes them for letters.
 */
const LATER = [
  "\\u061D\\u07FD\\u0890\\u0891\\u0897-\\u089F\\u08CA-\\u08E2\\u09FD\\u09FE\\u0A76\\u0AFA-\\u0AFF\\u0B55\\u0C04\\u0C3C",
  "\\u0C77\\u0C84\\u0D00\\u0D3B\\u0D3C\\u0D81\\u0EBA\\u0ECE\\u180F\\u1885\\u1886\\u1ABF-\\u1ADD\\u1AE0-\\u1AEB\\u1B4E\\u1B4F",
  "\\u1B7D-\\u1B7F\\u1DF6-\\u1DFB\\u2E43-\\u2E4F\\u2E52-\\u2E5D\\uA82C\\uA8C5\\uA8FF\\uA9BD\\u{10D24}-\\u{10D27}",
  "\\u{10D69}-\\u{10D6E}\\u{10EAB}-\\u{10EAD}\\u{10ED0}\\u{10EFA}-\\u{10EFF}\\u{10F46}-\\u{10F50}\\u{10F55}-\\u{10F59}",
  "\\u{10F82}-\\u{10F89}\\u{11070}\\u{11073}\\u{11074}\\u{110C2}\\u{110CD}\\u{111CF}\\u{1123E}\\u{11241}\\u{1133B}",
  "\\u{113BB}-\\u{113C0}\\u{113CE}\\u{113D0}\\u{113D2}\\u{113D4}\\u{113D5}\\u{113D7}\\u{113D8}\\u{113E1}\\u{113E2}",
  "\\u{11438}-\\u{1143F}\\u{11442}-\\u{11444}\\u{11446}\\u{1144B}-\\u{1144F}\\u{1145A}\\u{1145B}\\u{1145D}\\u{1145E}",
  "\\u{11660}-\\u{1166C}\\u{116B9}\\u{1182F}-\\u{11837}\\u{11839}-\\u{1183B}\\u{1193B}\\u{1193C}\\u{1193E}",
  "\\u{11943}-\\u{11946}\\u{119D4}-\\u{119D7}\\u{119DA}\\u{119DB}\\u{119E0}\\u{119E2}\\u{11A01}-\\u{11A0A}",
  "\\u{11A33}-\\u{11A38}\\u{11A3B}-\\u{11A47}\\u{11A51}-\\u{11A56}\\u{11A59}-\\u{11A5B}\\u{11A8A}-\\u{11A96}",
  "\\u{11A98}-\\u{11A9C}\\u{11A9E}-\\u{11AA2}\\u{11B00}-\\u{11B09}\\u{11B60}\\u{11B62}-\\u{11B64}\\u{11B66}\\u{11BE1}",
  "\\u{11C30}-\\u{11C36}\\u{11C38}-\\u{11C3D}\\u{11C3F}\\u{11C41}-\\u{11C45}\\u{11C70}\\u{11C71}\\u{11C92}-\\u{11CA7}",
  "\\u{11CAA}-\\u{11CB0}\\u{11CB2}\\u{11CB3}\\u{11CB5}\\u{11CB6}\\u{11D31}-\\u{11D36}\\u{11D3A}\\u{11D3C}\\u{11D3D}",
  "\\u{11D3F}-\\u{11D45}\\u{11D47}\\u{11D90}\\u{11D91}\\u{11D95}\\u{11D97}\\u{11EF3}\\u{11EF4}\\u{11EF7}\\u{11EF8}",
  "\\u{11F00}\\u{11F01}\\u{11F36}-\\u{11F3A}\\u{11F40}\\u{11F42}-\\u{11F4F}\\u{11F5A}\\u{11FFF}\\u{12FF1}\\u{12FF2}",
  "\\u{13430}-\\u{13440}\\u{13447}-\\u{13455}\\u{1611E}-\\u{16129}\\u{1612D}-\\u{1612F}\\u{16D6D}-\\u{16D6F}",
  "\\u{16E97}-\\u{16E9A}\\u{16F4F}\\u{16FE2}\\u{16FE4}\\u{1CF00}-\\u{1CF2D}\\u{1CF30}-\\u{1CF46}\\u{1E000}-\\u{1E006}",
  "\\u{1E008}-\\u{1E018}\\u{1E01B}-\\u{1E021}\\u{1E023}\\u{1E024}\\u{1E026}-\\u{1E02A}\\u{1E08F}\\u{1E130}-\\u{1E136}",
  "\\u{1E2AE}\\u{1E2EC}-\\u{1E2EF}\\u{1E4EC}-\\u{1E4EF}\\u{1E5EE}\\u{1E5EF}\\u{1E5FF}\\u{1E6E3}\\u{1E6E6}\\u{1E6EE}",
  "\\u{1E6EF}\\u{1E6F5}\\u{1E944}-\\u{1E94A}\\u{1E95E}\\u{1E95F}",
].join("");
/** Characters that had another category in that version. */
const THEN_PUNCTUATION = "\\u166D\\u{111C9}";
const THEN_MARKS = "\\u1734\\u{1171E}";

/** Characters of control, but for white space, and what stands for characters that could not be read. */
const DROPPED = new RegExp(`[\\u0000\\ufffd]|(?![\\t\\n\\r${LATER}])[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}]`, "gu");
const MARKS = new RegExp(`(?![${LATER}${THEN_PUNCTUATION}])[\\p{Mn}${THEN_MARKS}]`, "gu");
const PUNCTUATION = `[!-/:-@\\[-\`{-~]|(?![${LATER}])[\\p{P}${THEN_PUNCTUATION}]`;
const WORDS = new RegExp(`${PUNCTUATION}|(?:(?!${PUNCTUATION})\\P{White_Space})+`, "gu");

/** Words without white space; every character of punctuation is one. */
function wordsOf(text: string): string[] {
  return text.match(WORDS) ?? [];
}
