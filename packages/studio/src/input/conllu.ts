/** Does the text have a line that starts like a word of CoNLL-U: a number and a tab? */
export function looksLikeConllu(text: string): boolean {
  return /^\d+(?:[-.]\d+)?\t/m.test(text);
}
