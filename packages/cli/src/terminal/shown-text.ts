// Controls but for tabs and line ends, and what reorders a line.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]|\r(?!\n)/g;

/** Text of data as it can be sent to a terminal: nothing in it is taken for a command. */
export function shownText(text: string): string {
  return text.replace(UNSAFE, "\ufffd");
}
