// Tokens that their characters tell, whatever the language: emoji by Unicode's properties, addresses and names by what
// they are made of. A segmenter does not decide where these begin and end. Each pattern is linear: what precedes a
// match keeps it from being tried again inside a run.

/** Pictographs that are marks in a text unless a variation selector makes them emoji: ©, ®, ™, arrows, bullets. */
const MARKS =
  "[\\u00a9\\u00ae\\u203c\\u2049\\u2122\\u2139\\u2190-\\u21ff\\u25a0-\\u25ff\\u27a1\\u2934\\u2935\\u2b05-\\u2b07\\u3030\\u303d\\u3297\\u3299]";
const VARIATION = "[\\ufe0f\\p{Emoji_Modifier}]?";
/** UTS #51: flags, keycaps, pictographs with skin tones and tags, joined by zero-width joiners. */
const EMOJI =
  "\\p{Regional_Indicator}{2}|[0-9#*]\\ufe0f?\\u20e3|" +
  `(?:(?!${MARKS})\\p{Extended_Pictographic}|\\p{Extended_Pictographic}\\ufe0f)${VARIATION}[\\u{e0020}-\\u{e007f}]*` +
  `(?:\\u200d\\p{Extended_Pictographic}${VARIATION})*`;

const WORD = "[\\p{L}\\p{N}_]";
const NO_WORD = `(?!${WORD})`;
/** Common endings of files and of hosts, in small letters. */
const ENDINGS =
  "pdf|txt|md|docx?|xlsx?|pptx?|odt|rtf|csv|tsv|json|xml|html?|css|m?js|jsx|tsx?|py|ipynb|rb|rs|java|cpp|hpp|php|sh|bat|" +
  "sql|ya?ml|toml|ini|cfg|conf|log|zip|tar|gz|png|jpe?g|gif|svg|webp|mp[34]|wav|mov|avi|exe|dll|iso|bak|conllu|wasm|" +
  "com|org|net|edu|gov|io";

/** A part of a path, which does not end in a mark; paths begin where a word may. */
const STEP = "[\\p{L}\\p{N}_.+-]*[\\p{L}\\p{N}_]";
const BEGINS = `(?<![^\\s"'\u201c\u2018(\\[{<=:])`;
const PATH = `${BEGINS}(?:(?:~|\\.{1,2})/${STEP}|/${STEP}/${STEP})(?:/${STEP})*/?|(?<!${WORD})[A-Za-z]:(?:\\\\${STEP})+\\\\?`;
/** The path after the name of a host. */
const REST = `(?:/[^\\s<>"]*[^\\s<>".,;:!?)\\]}'\u201d\u2019\u2026])?`;

/** The value of an option of a command. */
const VALUE = "[^\\s\"'<>]*[\\p{L}\\p{N}]";

/** The kinds of such tokens, by the names that a model's header has for them. */
const WHOLE_TOKENS = {
  emoji: EMOJI,
  url: `(?<!${WORD})(?:(?:https?|ftp)://|www\\.)[^\\s<>"]*[^\\s<>".,;:!?)\\]}'…]`,
  mail: `(?<![\\p{L}\\p{N}._%+-])[\\p{L}\\p{N}][\\p{L}\\p{N}._%+-]*@[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)+`,
  handle: `(?<![\\p{L}\\p{N}_.])@[\\p{L}_]${WORD}*(?:\\.${WORD}+)*`,
  hashtag: `(?<![\\p{L}\\p{N}_&#])#[\\p{L}_]${WORD}*`,
  file: `(?<![\\p{L}\\p{N}_@./\\\\-])${WORD}[\\p{L}\\p{N}_-]*(?:[./\\\\][\\p{L}\\p{N}_-]+)*\\.(?:${ENDINGS}|NET)${NO_WORD}${REST}|${PATH}`,
  version: `(?<![\\p{L}\\p{N}_.])(?:[vV]\\d+(?:\\.\\d+)*|\\d+(?:\\.\\d+){2,})(?:-(?:alpha|beta|rc|dev)(?:\\.?\\d+)*)?${NO_WORD}|(?<!${WORD})\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?${NO_WORD}`,
  language: `(?<![\\p{L}\\p{N}_.])(?:(?:C|c|g)\\+\\+(?:\\d\\d)?|[CFJ]#|\\.NET|(?:Ctrl|Cmd|Alt|Shift)(?:\\+[\\p{L}\\p{N}]+)+)(?![\\p{L}\\p{N}_+#])|${BEGINS}--[a-z\\d]+(?:(?:-[a-z\\d]+)+(?:=${VALUE})?|=${VALUE})`,
} as const;
export type WholeToken = keyof typeof WHOLE_TOKENS;
export const ALL_WHOLE_TOKENS = Object.keys(WHOLE_TOKENS) as WholeToken[];

/** Finds the tokens of some kinds in a text; undefined for no kinds. */
export function wholeTokenPattern(kinds: readonly WholeToken[]): RegExp | undefined {
  return kinds.length === 0 ? undefined : new RegExp(kinds.map((kind) => WHOLE_TOKENS[kind]).join("|"), "gu");
}

const EMOJI_ONLY = new RegExp(`^(?:${EMOJI})+$`, "u");

/** Whether a token is an emoji, or several. */
export function isEmoji(form: string): boolean {
  return form.charCodeAt(form.length - 1) > 0x7f && EMOJI_ONLY.test(form);
}
