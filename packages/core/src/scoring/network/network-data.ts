import type { EncoderData } from "../../encoder/encoder-data.js";
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
  /** Where words get vectors from that know their sentence, if the network has such an input. */
  readonly encoder?: EncoderData | undefined;
}

/** A network, and where its numbers are in memory. */
export interface StoredNetwork extends NetworkData {
  readonly storage: Storage;
}
