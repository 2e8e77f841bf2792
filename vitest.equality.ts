// Arrays of numbers that have the same bytes are equal, which is seen at once: models are compared with toEqual, and
// number by number that takes seconds. For all others the usual comparison decides, and says what differs.
import { expect } from "vitest";

const bytesOf = (array: ArrayBufferView) => Buffer.from(array.buffer, array.byteOffset, array.byteLength);

expect.addEqualityTesters([
  (a: unknown, b: unknown): true | undefined => {
    if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.constructor !== b.constructor) return undefined;
    return bytesOf(a).equals(bytesOf(b)) ? true : undefined;
  },
]);
