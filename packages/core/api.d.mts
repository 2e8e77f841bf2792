/** The public interface, from the compiled declarations. */
export function readInterface(): {
  /** The text of docs/names.md. */
  page: string;
  /** All that the entries have, with comments. */
  reference: Entry[];
  /** Parameters of functions and methods that no comment explains. */
  withoutParam: string[];
  /** Members of classes and interfaces without a sentence, by entry. */
  membersWithout: Map<string, string[]>;
  /** The text of api.md. */
  report: string;
  /** The names by entry; one that several entries have is with the first. */
  names: Map<string, string[]>;
  /** Types that a signature names and its entry does not export. */
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

/** An entry of the package. */
export interface Entry {
  entry: string;
  doc: string;
  names: Described[];
  /** Names that are learned from another entry. */
  also: { name: string; home: string }[];
  /** Types that are parts of others, without a name to import. */
  parts: Described[];
}

/** A name with its comments. */
export interface Described {
  name: string;
  kind: string;
  doc: string;
  /** What its parameters are, "name what it is". */
  parameters: string[];
  example: string | undefined;
  /** As it is declared, with the comments of its members. */
  declaration: string;
}

/** The first sentence of a comment. */
export function firstSentence(doc: string): string;
