/** The bytes of an answer, with how far they have come, from 0 to 1. */
export async function download(answer: Promise<Response>, progress: (done: number) => void): Promise<ArrayBuffer> {
  const response = await answer.catch((error: Error) => {
    throw new Error(`cannot load the model: ${error.message}`);
  });
  if (!response.ok) {
    throw new Error(`${response.url}: cannot load the model: ${response.status} ${response.statusText}`.trim());
  }
  const total = Number(response.headers.get("content-length") ?? 0);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body!.getReader();
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    length += part.value.length;
    // A compressed transfer says how long it is packed.
    if (total > 0) progress(Math.min(1, length / total));
  }
  return new Blob(parts).arrayBuffer();
}

/** Models may be packed with gzip, as they are beside a page that any host can serve. */
export async function unpacked(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  const magic = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (magic[0] !== 0x1f || magic[1] !== 0x8b) return bytes;
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}
