// Settings of networks.
import type { Expectation } from "../../checks/options.js";
import { between, choice, file, flag, type Given, numeric, whole } from "../../checks/settings.js";
import { OBJECT } from "../../checks/shapes.js";
import { ACTIVATIONS } from "../../scoring/network/shape.js";
import type { WordVectors } from "../vectors.js";

/** The size of a layer, as kernels want it. */
export const SIZE: Expectation = {
  expected: "a multiple of 8 from 8",
  accepts: (value) => Number.isSafeInteger(value) && (value as number) >= 8 && (value as number) % 8 === 0,
};

export const VECTORS: Expectation = {
  expected: "vectors as VectorReader gives them: dim, ascending keys, dim values for each",
  accepts: (value) => {
    if (!OBJECT.accepts(value)) return false;
    const { dim, keys, values } = value as WordVectors;
    return (
      SIZE.accepts(dim) &&
      keys instanceof Uint32Array &&
      values instanceof Float32Array &&
      values.length === keys.length * dim &&
      keys.every((key, i) => i === 0 || key > keys[i - 1]!)
    );
  },
};

export const NETWORK = { works: ({ network }: Given) => network === true, needs: "{network}" };

export const NETWORK_SETTINGS = {
  layers: whole(0, {
    help: "number of bidirectional recurrent layers",
    topic: "network",
    default: 2,
    needs: NETWORK,
  }),
  width: numeric(SIZE, {
    help: "size of a recurrent layer in each direction, a multiple of 8",
    topic: "network",
    default: 96,
    needs: {
      works: ({ network, layers }) => network === true && layers !== 0,
      needs: "{network}, with {layers} above 0",
    },
  }),
  hidden: numeric(SIZE, {
    help: "hidden layer size, a multiple of 8",
    topic: "network",
    default: 160,
    needs: NETWORK,
  }),
  activation: choice(ACTIVATIONS, {
    help: "what the hidden layer makes of its sums",
    topic: "network",
    default: ACTIVATIONS[0],
    needs: NETWORK,
  }),
  dropout: between(0, 0.99, {
    help: "probability of leaving out a unit in training",
    topic: "network",
    placeholder: "p",
    default: 0.2,
    needs: NETWORK,
  }),
  vocabulary: whole(1, {
    help: "maximum number of words, of lemmas and of affixes with their own embeddings, the most frequent ones",
    topic: "network",
    byDefault: "no limit",
    needs: NETWORK,
  }),
  vectors: file<WordVectors>(VECTORS, {
    help: "pre-trained word vectors (word2vec text format, may be gzipped)",
    topic: "network",
    needs: NETWORK,
  }),
  trainVectors: flag({
    help: "let the pre-trained vectors change in training",
    topic: "network",
    needs: {
      works: ({ network, vectors }) => network === true && vectors !== undefined,
      needs: "{network}, and {vectors}",
    },
  }),
};
