import fc from "fast-check";
import { expect, test } from "vitest";
import { quantized } from "../../src/scoring/linear/quantized-weights.js";
import { quantize, storageFor } from "../../src/scoring/network/quantization.js";

// Rounding to the nearest integer: no number is more than half a step off, and those that lie halfway and below are not
// all pulled to one side.

test("tables and matrices are rounded to the nearest step", () => {
  const numbers = fc.array(fc.float({ min: -4, max: 4, noNaN: true }), { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(numbers, fc.constantFrom("table" as const, "matrix" as const), (list, form) => {
      const storage = storageFor([{ name: "t", rows: 3, columns: 4, form }]);
      const values = Float32Array.from(list);
      const { floats, integers } = quantize(storage, [values]);
      values.forEach((value, k) => {
        const scale = floats[form === "table" ? Math.floor(k / 4) : k % 4]!;
        // Below what 32 bits can tell apart there is no nearest.
        if (scale > 1e-30) expect(Math.abs(integers[k]! * scale - value)).toBeLessThanOrEqual(scale * 0.5001);
      });
    }),
  );
  const { integers } = quantize(storageFor([{ name: "t", rows: 1, columns: 4, form: "table" }]), [
    Float32Array.of(127, 2.75, -2.75, 2.25),
  ]);
  expect([...integers]).toEqual([127, 3, -3, 2]);
});

test("weights of linear models are rounded to the nearest step", () => {
  const weights = [1, 0.7500071, -0.7500071, 0.3333, -0.3333, 0.61803];
  const { weights: integers, features } = quantized(
    (visit) => {
      for (const [feature, weight] of weights.entries()) visit(feature, 0, weight);
    },
    0,
    1,
  );
  expect([...features]).toEqual([0, 1, 2, 3, 4, 5]);
  const scale = integers[0]!;
  for (const [k, weight] of weights.entries()) {
    expect(Math.abs(integers[k]! - weight * scale)).toBeLessThanOrEqual(0.5001);
  }
  // Of a number and its negative, one would be off by more if rounding went down, or towards 0.
  expect(integers[1]).toBe(-integers[2]!);
  expect(integers[3]).toBe(-integers[4]!);
});
