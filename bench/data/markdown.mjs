// Tables and figures of pages that benches write.

/** @param {number} share */
export function percent(share) {
  return (100 * share).toFixed(2);
}

/**
 * A table in Markdown, whose first columns are text.
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 * @param {number} texts
 */
export function table(head, rows, texts) {
  const widths = head.map((name, c) => Math.max(4, name.length, ...rows.map((row) => String(row[c]).length)));
  const line = (/** @type {(string | number)[]} */ cells) =>
    `| ${cells.map((cell, c) => (c < texts ? String(cell).padEnd(widths[c]) : String(cell).padStart(widths[c]))).join(" | ")} |`;
  const rule = widths.map((width, c) => (c < texts ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}
