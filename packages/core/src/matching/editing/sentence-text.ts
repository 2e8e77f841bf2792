// Changes to the lines of a CoNLL-U sentence, as text: all other lines keep their bytes.

/** The sentence with comments after those that it has; they may leave out their "# ". */
export function withComments(text: string, comments: readonly string[]): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = comments.map((comment) => `${comment.startsWith("#") ? comment : `# ${comment}`}${end}`);
  // A byte order mark and blank lines may come before the comments.
  return text.replace(/^\ufeff?\s*(?:#[^\n]*\n)*/, (before) => before + lines.join(""));
}

/** The sentence with another value of `# text`. */
export function withTextComment(text: string, value: string): string {
  return text.replace(/^(#\s*text\s*=\s*)[^\r\n]*/m, (_, key: string) => key + value);
}

/**
 * The sentence without the lines of some words, everything numbered anew: IDs, HEADs, arcs in DEPS (those from deleted
 * words go), multiword tokens, of which all words or none are deleted, and empty nodes. HEADs must not point to
 * deleted words.
 */
export function withoutWords(text: string, deleted: ReadonlySet<number>): string {
  const lines = text.split("\n");
  const ids = newIds(lines, deleted);
  const kept: string[] = [];
  for (const line of lines) {
    if (!/^\ufeff?\d/.test(line)) {
      kept.push(line);
      continue;
    }
    const columns = line.split("\t");
    const [from, to] = columns[0]!.replace("\ufeff", "").split("-") as [string, string?];
    if (deleted.has(Number(from))) continue;
    columns[0] = ids.get(from)! + (to === undefined ? "" : `-${ids.get(to)}`);
    if (columns[6] !== "_" && columns[6] !== "0") columns[6] = ids.get(columns[6]!) ?? columns[6]!;
    if (columns[8] !== "_") columns[8] = renumbered(columns[8]!, ids);
    kept.push(columns.join("\t"));
  }
  return kept.join("\n");
}

/** For each word and empty node that stays its new ID. */
function newIds(lines: readonly string[], deleted: ReadonlySet<number>): Map<string, string> {
  const ids = new Map([["0", "0"]]);
  let word = 0;
  let empty = 0;
  for (const line of lines) {
    const [, id, part] = /^\ufeff?(\d+)(\.\d+)?\t/.exec(line) ?? [];
    if (id === undefined) continue;
    if (part !== undefined) {
      // Those after a deleted word follow those of the word before it.
      ids.set(id + part, `${word}.${++empty}`);
    } else if (!deleted.has(Number(id))) {
      ids.set(id, String(++word));
      empty = 0;
    }
  }
  return ids;
}

function renumbered(deps: string, ids: ReadonlyMap<string, string>): string {
  const arcs = deps.split("|").flatMap((arc) => {
    const colon = arc.indexOf(":");
    const head = ids.get(arc.slice(0, colon));
    return head === undefined ? [] : [head + arc.slice(colon)];
  });
  return arcs.join("|") || "_";
}
