/** Scripts of living languages with treebanks, by Unicode's names. Japanese has three, which count as one. */
const SCRIPTS = [
  ...["Latin", "Cyrillic", "Greek", "Arabic", "Hebrew", "Devanagari", "Thai", "Han", "Hangul", "Armenian", "Georgian"],
  ...["Bengali", "Tamil", "Telugu", "Malayalam", "Kannada", "Gujarati", "Gurmukhi", "Sinhala", "Khmer", "Lao"],
  ...["Myanmar", "Ethiopic", "Tibetan", "Mongolian", "Syriac", "Coptic", "Gothic", "Cherokee"],
] as const;

const LETTERS_OF = SCRIPTS.map((script) => [script, new RegExp(`\\p{Script=${script}}`, "gu")] as const);
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** Where so much of the text is kana, it is Japanese. */
const SOME_KANA = 0.1;
/** Characters that are looked at. */
const MOST = 2000;

/** The scripts of a text's letters, that of most letters first; "Japanese" where kana are among Chinese characters. */
export function scriptsOf(text: string): string[] {
  const start = text.slice(0, MOST);
  const counts: [script: string, count: number][] = LETTERS_OF.map(([script, letters]) => [
    script,
    start.match(letters)?.length ?? 0,
  ]);
  const kana = start.match(KANA)?.length ?? 0;
  const han = counts.find(([script]) => script === "Han")!;
  if (kana > 0 && kana >= SOME_KANA * (kana + han[1])) {
    counts.push(["Japanese", kana + han[1]]);
    han[1] = 0;
  }
  return counts
    .filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1])
    .map(([script]) => script);
}
