// AssemblyScript: what the kernels that parse share.

/**
 * Added to a number below 2^22 it leaves the nearest integer in the lowest bits, and taken away again as a number; of
 * two the even one.
 */
export const ROUNDING: f32 = 12582912;

/** e^x after Cephes' expf; x is taken to be from -87 to 87. */
// @ts-expect-error: a decorator of AssemblyScript
@inline
export function exp(x: v128): v128 {
  x = f32x4.pmin(f32x4.pmax(x, f32x4.splat(-87)), f32x4.splat(87));
  const rounded = f32x4.add(f32x4.mul(x, f32x4.splat(1.44269504)), f32x4.splat(ROUNDING));
  const n = f32x4.sub(rounded, f32x4.splat(ROUNDING));
  let r = f32x4.sub(x, f32x4.mul(n, f32x4.splat(0.693359375)));
  r = f32x4.sub(r, f32x4.mul(n, f32x4.splat(-2.12194440e-4)));
  let p = f32x4.splat(1.9875691500e-4);
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.3981999507e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(8.3334519073e-3));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(4.1665795894e-2));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(1.6666665459e-1));
  p = f32x4.add(f32x4.mul(p, r), f32x4.splat(5.0000001201e-1));
  p = f32x4.add(f32x4.add(f32x4.mul(p, f32x4.mul(r, r)), r), f32x4.splat(1));
  // Of ROUNDING + n only the bits of n come to lie in the exponent.
  const power = i32x4.shl(i32x4.add(rounded, i32x4.splat(127)), 23);
  return f32x4.mul(p, power);
}
