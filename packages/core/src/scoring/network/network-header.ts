import { INPUT_KINDS } from "./inputs.js";
import { inputSize, type NetworkHeader } from "./shape.js";

const MOST_LAYERS = 8;
const MOST_MIXED = 48;
/** Every sum of this many products stays in 32 bits. */
const MOST_UNITS = 2048;
const MOST_ROWS = 1 << 24;
/** Widths are multiples of this, so that they fill the registers of the kernel. */
const UNITS = 8;

/** Checks the size of a network; throws a RangeError that names what is wrong. */
export function checkNetwork(header: NetworkHeader): void {
  const check = (name: string, value: unknown, valid: boolean, expected: string) => {
    if (!valid) throw new RangeError(`network.${name}: ${JSON.stringify(value) ?? "nothing"} (expected ${expected})`);
  };
  const isCount = (value: unknown, from: number, to: number) =>
    Number.isInteger(value) && (value as number) >= from && (value as number) <= to;
  if (typeof header !== "object" || header === null) throw new RangeError("network: not an object");
  const { inputs, mixed, layers, width, hidden, activation, normalization } = header;
  check("inputs", inputs, Array.isArray(inputs) && inputs.length > 0, "a list of tables");
  for (const input of inputs) {
    check("inputs", input, typeof input === "object" && input !== null, "kind, dim and rows");
    check("inputs.kind", input.kind, INPUT_KINDS.includes(input.kind), `one of ${INPUT_KINDS.join(", ")}`);
    check("inputs.dim", input.dim, isCount(input.dim, 1, MOST_UNITS), `from 1 to ${MOST_UNITS}`);
    check("inputs.rows", input.rows, isCount(input.rows, 2, MOST_ROWS), `from 2 to ${MOST_ROWS}`);
  }
  check("inputs", inputs, new Set(inputs.map(({ kind }) => kind)).size === inputs.length, "each kind once");
  check("inputs", inputs, inputSize(header) <= MOST_UNITS, `at most ${MOST_UNITS} numbers together`);
  check(
    "inputs",
    inputs,
    inputs.some(({ kind }) => kind !== "contextual"),
    "something besides contextual vectors",
  );
  const isContextual = inputs.some(({ kind }) => kind === "contextual");
  check(
    "mixed",
    mixed,
    isContextual ? isCount(mixed, 1, MOST_MIXED) : mixed === undefined,
    "as many layers as there are contextual vectors of",
  );
  check("layers", layers, isCount(layers, 0, MOST_LAYERS), `from 0 to ${MOST_LAYERS}`);
  const isUnits = (value: unknown, to: number) => isCount(value, UNITS, to) && (value as number) % UNITS === 0;
  if (layers > 0)
    check("width", width, isUnits(width, MOST_UNITS / 2), `a multiple of ${UNITS} up to ${MOST_UNITS / 2}`);
  else check("width", width, isCount(width, 0, MOST_UNITS), "a number of units");
  check("activation", activation, activation === undefined || activation === "cube", "cube, or nothing");
  check(
    "normalization",
    normalization,
    normalization === undefined || normalization === "global",
    "global, or nothing",
  );
  check("hidden", hidden, isUnits(hidden, MOST_UNITS), `a multiple of ${UNITS} up to ${MOST_UNITS}`);
}
