/**
 * The bytes of an answer, with how far they have come, from 0 to 1. Models may be packed with gzip, as they are beside
 * a page that any host can serve; they are unpacked as they come.
 */
export async function download(answer: Promise<Response>, progress: (done: number) => void): Promise<ArrayBuffer> {
  const response = await answer.catch((error: Error) => {
    throw new Error(`cannot load the model: ${error.message}`);
  });
  if (!response.ok) {
    throw new Error(`${response.url}: cannot load the model: ${response.status} ${response.statusText}`.trim());
  }
  const total = Number(response.headers.get("content-length") ?? 0);
  let length = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(part, controller) {
      length += part.length;
      // A compressed transfer says how long it is packed.
      if (total > 0) progress(Math.min(1, length / total));
      controller.enqueue(part);
    },
  });
  return unpacked(response.body!.pipeThrough(counted));
}

/** The bytes of a model, unpacked if they are packed. */
export async function unpacked(bytes: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<ArrayBuffer> {
  const reader = bytes.getReader();
  const { value: first } = await reader.read();
  // The same stream from its beginning; the first two bytes tell what it is.
  const whole = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      if (first) controller.enqueue(first);
      else controller.close();
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (why) => reader.cancel(why),
  });
  const isPacked = first?.[0] === 0x1f && first[1] === 0x8b;
  return new Response(isPacked ? whole.pipeThrough(new DecompressionStream("gzip")) : whole).arrayBuffer();
}
