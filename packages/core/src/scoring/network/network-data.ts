import type { QuantizedNumbers, Storage } from "./quantization.js";
import type { NetworkHeader, NetworkView } from "./shape.js";

/** All of a network: plain data, which can be given to another thread. */
export interface NetworkData {
  readonly header: NetworkHeader;
  readonly view: NetworkView;
  /** Number of classes. */
  readonly classes: number;
  /** For each input, the keys of rows 2 and up. */
  readonly keys: readonly Uint32Array[];
  readonly numbers: QuantizedNumbers;
}

/** A network, and where its numbers are in memory. */
export interface StoredNetwork extends NetworkData {
  readonly storage: Storage;
}
