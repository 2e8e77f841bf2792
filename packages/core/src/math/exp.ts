// e^x from additions, multiplications and divisions only, after fdlibm's e_exp.c: engines may round Math.exp
// differently, and then the same seed would not give the same model everywhere.

const { LOG2E } = Math;
// ln 2 in two parts: n × the first is exact for every n that comes up.
const LN2_HIGH = 0.6931471803691238;
const LN2_LOW = 1.9082149292705877e-10;
const P1 = 0.16666666666666602;
const P2 = -0.0027777777777015593;
const P3 = 6.613756321437934e-5;
const P4 = -1.6533902205465252e-6;
const P5 = 4.1381367970572385e-8;
const LEAST = -708;
const MOST = 709;

/** 2^n for n from -1022 to 1023. */
const POWERS = new Float64Array(2046);
POWERS[1022] = 1;
for (let n = 1; n <= 1023; n++) POWERS[1022 + n] = 2 * POWERS[1021 + n]!;
for (let n = 1; n <= 1022; n++) POWERS[1022 - n] = POWERS[1023 - n]! / 2;

/** e^x, the same on every machine; 0 below -708, infinite above 709. */
export function exp(x: number): number {
  if (x < LEAST) return 0;
  if (x > MOST) return Number.POSITIVE_INFINITY;
  const n = Math.floor(x * LOG2E + 0.5);
  const high = x - n * LN2_HIGH;
  const low = n * LN2_LOW;
  const r = high - low;
  const rr = r * r;
  const p = r - rr * (P1 + rr * (P2 + rr * (P3 + rr * (P4 + rr * P5))));
  return (1 - (low - (r * p) / (2 - p) - high)) * POWERS[n + 1022]!;
}

const { SQRT2 } = Math;

/**
 * The natural logarithm of a number from 1 up, the same on every machine: 2 artanh((x − 1) / (x + 1)) for what is left
 * of x when it is halved to below √2.
 */
export function log(x: number): number {
  let halvings = 0;
  for (; x > SQRT2; x /= 2) halvings++;
  const z = (x - 1) / (x + 1);
  const zz = z * z;
  let sum = 0;
  for (let k = 21; k > 0; k -= 2) sum = sum * zz + 1 / k;
  return halvings * LN2_HIGH + (halvings * LN2_LOW + 2 * z * sum);
}
