import type { PatternError } from "@stemma/core";

/** A pattern, or something said of its words, that is wrong is wrong usage. */
export function wrongPattern(error: PatternError): void {
  process.stderr.write(`${error.message}\n(stemma search --help shows what patterns look like)\n`);
  process.exitCode = 2;
}
