/** The public interface, from the compiled declarations. */
export function readInterface(): {
  /** The text of api.md. */
  report: string;
  /** Types that a signature names and no entry exports. */
  unexported: string[];
  /** Names without a sentence of documentation. */
  undocumented: string[];
  /** Main names without an example. */
  missing: string[];
  /** Examples by the names they are of. */
  examples: Map<string, string>;
  /** Names that the entries export for the other packages of this repository. */
  internal: string[];
};
