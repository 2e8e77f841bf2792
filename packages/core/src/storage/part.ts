import type { AnyStore, Stored } from "./store.js";

/** A part of a model: its header is plain data, and its weights are kept in stores. @opaque */
export interface Part {
  readonly codec: Codec;
}

/** The parts of a model by their names. */
export type Parts = Readonly<Record<string, Part | undefined>>;

/** How the parts of one kind become a header and stores, and are made of them again. */
export interface Codec {
  /** The name of the part in a model. */
  readonly part: string;
  /** The program that reads it, if not all do. */
  readonly program?: string;
  take(part: never): { readonly header: object; readonly content: readonly Stored[] };
  /**
   * The content that belongs to a header; throws a RangeError that names what is wrong. `before`: the parts before it.
   */
  open(header: unknown, before: Parts): Opened;
}

/** The stores of a part, and what makes it of their values; throws a RangeError if they do not go together. */
export interface Opened {
  readonly stores: readonly AnyStore[];
  make(...values: never[]): Part;
}

/**
 * A part of the library that programs without a use for it leave out. Models say in their header what they need: `load`
 * imports that, `readModel` and `attachModel` are given it.
 * @opaque
 */
export interface Program {
  /** As in `needs`, and in the path that it is imported from. */
  readonly name: string;
  readonly codecs: readonly Codec[];
}
