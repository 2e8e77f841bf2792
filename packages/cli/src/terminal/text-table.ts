import { cellWidth } from "@stemma/core";

/** Lines with aligned columns, two spaces apart: the first column to the left, the others to the right or as said. */
export function alignedLines(rows: readonly (readonly string[])[], others: "left" | "right" = "right"): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cellWidth(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, i) => {
        const space = " ".repeat(widths[i]! - cellWidth(cell));
        return i === 0 || others === "left" ? cell + space : space + cell;
      })
      .join("  ")
      .trimEnd(),
  );
}
