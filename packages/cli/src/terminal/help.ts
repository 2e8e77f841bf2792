/** Fewer columns are no help to anybody. */
const FEWEST = 40;

/**
 * Wraps running text to so many columns: paragraphs of lines that begin at the margin. Lines that are indented
 * (options, examples, tables) stay as they are.
 */
export function wrapped(text: string, columns: number): string {
  const width = Math.max(FEWEST, columns);
  const result: string[] = [];
  let paragraph: string[] = [];
  const flush = () => {
    let line = "";
    for (const word of paragraph.join(" ").split(" ")) {
      if (line !== "" && line.length + 1 + word.length > width) {
        result.push(line);
        line = "";
      }
      line += line === "" ? word : ` ${word}`;
    }
    if (paragraph.length > 0) result.push(line);
    paragraph = [];
  };
  for (const line of text.split("\n")) {
    if (/^(Exit status|JSON|Examples)\b/.test(line)) flush();
    if (/^[^\s[{]/.test(line)) {
      paragraph.push(line);
      // A list follows a colon.
      if (line.endsWith(":")) flush();
      continue;
    }
    flush();
    result.push(line);
  }
  flush();
  return result.join("\n");
}
