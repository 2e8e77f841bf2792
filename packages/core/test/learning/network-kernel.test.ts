import { describe, expect, test } from "vitest";
import { instantiate } from "../../src/kernels/kernel.js";
import networkKernel from "../../src/kernels/network.generated.js";
import { DropoutMasks } from "../../src/learning/network/dropout-masks.js";
import {
  addProduct,
  type Matrix,
  matrix,
  multiply,
  type NetworkKernel,
  turned,
} from "../../src/learning/network/network-kernel.js";
import { Random } from "../../src/math/random.js";

interface WebAssemblyMemory {
  Memory: new (descriptor: { initial: number }) => { buffer: ArrayBuffer };
}
const { Memory } = (globalThis as unknown as { WebAssembly: WebAssemblyMemory }).WebAssembly;
const memory = new Memory({ initial: 1 });
const floats = new Float32Array(memory.buffer);
const kernel = instantiate<NetworkKernel>(networkKernel, memory as never)!;

let free = 64;
/** A matrix of random numbers. */
function made(rows: number, columns: number, random: Random): Matrix {
  const at = free;
  free += 4 * rows * columns;
  for (let k = 0; k < rows * columns; k++) floats[at / 4 + k] = 2 * random.next() - 1;
  return matrix(at, rows, columns);
}

const value = ({ at, rowBytes, columnBytes }: Matrix, i: number, j: number) =>
  floats[(at + i * rowBytes + j * columnBytes) / 4]!;
const values = (m: Matrix) =>
  Array.from({ length: m.rows }, (_, i) => Array.from({ length: m.columns }, (_, j) => value(m, i, j)));

describe("products of matrices", () => {
  test.each([
    [1, 1, 8],
    [4, 3, 16],
    [7, 5, 8],
    [9, 16, 24],
  ])("%i × %i by %i columns are those of the definition, also turned and added", (m, k, n) => {
    const random = new Random(m);
    const [a, b, out] = [made(m, k, random), made(k, n, random), made(m, n, random)];
    const turnedA = made(k, m, random);
    const expected = (left: Matrix, before?: number[][]) =>
      Array.from({ length: m }, (_, i) =>
        Array.from({ length: n }, (_, j) => {
          let sum = before ? before[i]![j]! : 0;
          for (let x = 0; x < k; x++) sum += value(left, i, x) * value(b, x, j);
          return expect.closeTo(sum, 4);
        }),
      );
    multiply(kernel, a, b, out);
    expect(values(out)).toEqual(expected(a));
    const before = values(out);
    addProduct(kernel, turned(turnedA), b, out);
    expect(values(out)).toEqual(expected(turned(turnedA), before));
  });

  test("those that do not fit are refused", () => {
    const [a, b, out] = [matrix(64, 2, 3), matrix(128, 4, 8), matrix(256, 2, 8)];
    expect(() => multiply(kernel, a, b, out)).toThrow("invalid product: 2 × 3 by 4 × 8 (expected 2 × 8)");
    expect(() => multiply(kernel, matrix(64, 2, 4), b, matrix(256, 3, 8))).toThrow("(expected 3 × 8)");
    expect(() => multiply(kernel, matrix(64, 2, 8), turned(matrix(128, 8, 8)), out)).toThrow("a turned matrix");
  });
});

describe("masks", () => {
  const mask = { at: 4096, size: 4000, probability: 0.25 };
  const drawn = () => Array.from(floats.subarray(mask.at / 4, mask.at / 4 + mask.size));

  test("leave out about as much as they should, make up for it, and depend on the seed alone", () => {
    const masks = new DropoutMasks(kernel);
    masks.begin(7);
    masks.draw(mask);
    const first = drawn();
    const left = first.filter((number) => number === 0).length;
    expect(left).toBeGreaterThan(900);
    expect(left).toBeLessThan(1100);
    expect(new Set(first)).toEqual(new Set([0, Math.fround(4 / 3)]));
    masks.draw(mask);
    expect(drawn()).not.toEqual(first);
    masks.begin(7);
    masks.draw(mask);
    expect(drawn()).toEqual(first);
  });

  test("without a seed, and where nothing is to be left out, numbers stay as they are", () => {
    const masks = new DropoutMasks(kernel);
    const at = 32_768;
    floats.fill(5, at / 4, at / 4 + mask.size);
    floats.fill(0, mask.at / 4, mask.at / 4 + mask.size);
    const numbers = () => new Set(floats.subarray(at / 4, at / 4 + mask.size));
    masks.begin(undefined);
    masks.draw(mask);
    masks.apply(mask, at);
    expect(numbers()).toEqual(new Set([5]));
    masks.begin(1);
    masks.draw({ ...mask, probability: 0 });
    masks.apply({ ...mask, probability: 0 }, at);
    expect(numbers()).toEqual(new Set([5]));
    masks.apply(mask, at);
    expect(numbers()).toEqual(new Set([0]));
  });
});
