// How weights are kept: in the sections of a model file, and in memory that threads share.

/** A way of keeping values of one kind. */
export interface Store<Value, Given = Value> {
  /** The names of the sections that it takes in a file. */
  readonly sections: readonly string[];
  pack(value: Given): Uint8Array[];
  /** Calls `bad` with the name of a section that no writer writes. Allocates no more than the file is long. */
  unpack(sections: readonly Uint8Array[], bad: (section: string) => never): Value;
  /** Plain data, its numbers in memory that so many threads can share. */
  share(value: Given, threads: number): unknown;
  /** The result of `share`, in one of the threads. */
  attach(shared: never, thread: number): Value;
}

/** A way of keeping values of some kind. */
export type AnyStore = Store<unknown, never>;

/** A value, and how it is kept. */
export interface Stored {
  readonly store: AnyStore;
  readonly value: unknown;
}

export function stored<Value>(store: Store<Value>, value: Value): Stored {
  return { store, value };
}
