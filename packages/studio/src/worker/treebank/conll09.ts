import { countLosses, TreebankError, TreebankReader } from "@stemma/core/treebank";
import { formatOf } from "../../protocol/input-format.js";
import type { Task } from "../tasks/task.js";

const CHUNK = 1 << 18;

/** The result of converting a file in CoNLL-2009. */
export interface Converted {
  file: File;
  /** Losses in plain words; empty if there are none. */
  leftOut: string;
}

/** A treebank in CoNLL-2009 as one in CoNLL-U, which the page works with; undefined if it is something else. */
export async function converted(file: File, task: Task): Promise<Converted | undefined> {
  const magic = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isPacked = magic[0] === 0x1f && magic[1] === 0x8b;
  const unpacked = () =>
    isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : (file.stream() as ReadableStream);
  if (formatOf(await beginning(unpacked())) !== "conll09") return undefined;
  const reader = new TreebankReader({ source: file.name, format: "conll09", allowNonTrees: true });
  const parts: BlobPart[] = [];
  const losses = new Map<string, number>();
  const errors: string[] = [];
  const take = (items: readonly ReturnType<TreebankReader["push"]>[number][]) => {
    for (const item of items) {
      if (item instanceof TreebankError) errors.push(item.message);
      else {
        countLosses(item, "conllu", losses);
        parts.push(item.toConllu());
      }
    }
  };
  const content = await new Response(unpacked()).blob();
  for (let from = 0; from < content.size; from += CHUNK) {
    take(reader.push(new Uint8Array(await content.slice(from, from + CHUNK).arrayBuffer())));
    if (!(await task.tick(Math.min(1, (from + CHUNK) / content.size)))) return undefined;
  }
  take(reader.end());
  if (parts.length === 0) throw new Error(`${file.name} cannot be read as CoNLL-2009: ${errors[0] ?? "it is empty"}`);
  const name = `${file.name.replace(/\.gz$/, "").replace(/\.(conll09|conll|txt)$/, "")}.conllu`;
  return { file: new File(parts, name, { lastModified: file.lastModified }), leftOut: leftOutOf(losses, errors) };
}

async function beginning(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const { value } = await reader.read();
  void reader.cancel();
  const text = new TextDecoder().decode(value);
  // The last line may be cut.
  return text.slice(0, text.lastIndexOf("\n") + 1) || text;
}

function leftOutOf(losses: ReadonlyMap<string, number>, errors: readonly string[]): string {
  const columns = [...losses].map(([name, count]) => `${count.toLocaleString("en-US")} ${name}`);
  const sentences =
    errors.length === 0
      ? []
      : [`${errors.length === 1 ? "one sentence" : `${errors.length} sentences`} that cannot be read (${errors[0]})`];
  return [...columns, ...sentences].join(", ");
}
