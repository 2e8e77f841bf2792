// The kernel of networks that learn, kernels/network.ts, and its product of matrices with names for what it is given.

/** The functions of the kernel. Addresses, steps and widths are bytes; see there. */
export interface NetworkKernel {
  multiply(
    a: number,
    aRow: number,
    aColumn: number,
    b: number,
    bRow: number,
    c: number,
    cRow: number,
    m: number,
    k: number,
    n: number,
    add: number,
  ): void;
  transpose(from: number, rows: number, columns: number, to: number): void;
  multiplyVector(x: number, w: number, bias: number, y: number, k: number, n: number): void;
  addRow(to: number, from: number, n: number): void;
  scaleRow(to: number, by: number, n: number): void;
  sumRows(to: number, from: number, rows: number, n: number): void;
  gather(entries: number, count: number): void;
  scatter(entries: number, count: number, shift: number, gradients: number): void;
  hiddenLayer(list: number, count: number, mask: number, out: number, n: number): void;
  hiddenGradient(list: number, count: number, unit: number, delta: number, scale: number, n: number): void;
  cubeLayer(list: number, count: number, mask: number, out: number, n: number): void;
  cubeGradient(rows: number, list: number, count: number, unit: number, delta: number, scale: number, n: number): void;
  fillMask(to: number, n: number, drop: number, scale: number, state: number): number;
  recur(
    u: number,
    step: number,
    gates: number,
    h: number,
    hStep: number,
    states: number,
    n: number,
    width: number,
    zeros: number,
  ): void;
  recurBack(
    u: number,
    du: number,
    step: number,
    gates: number,
    dGates: number,
    dh: number,
    hStep: number,
    states: number,
    n: number,
    width: number,
    zeros: number,
    carry: number,
  ): void;
  descend(
    w: number,
    gradient: number,
    first: number,
    second: number,
    n: number,
    rate: number,
    beta1: number,
    beta2: number,
    epsilon: number,
  ): void;
  descendRows(
    entries: number,
    count: number,
    stamps: number,
    stamp: number,
    gradients: number,
    firsts: number,
    seconds: number,
    rate: number,
    beta1: number,
    beta2: number,
    epsilon: number,
  ): void;
  follow(average: number, w: number, n: number, part: number): void;
}

const FLOAT = 4;

/** A matrix in the memory: its address, and the bytes from a row to the next and from a column to the next. */
export interface Matrix {
  readonly at: number;
  readonly rows: number;
  readonly columns: number;
  readonly rowBytes: number;
  readonly columnBytes: number;
}

/** A matrix that is stored row by row. */
export function matrix(at: number, rows: number, columns: number): Matrix {
  return { at, rows, columns, rowBytes: FLOAT * columns, columnBytes: FLOAT };
}

/** The transpose of a matrix, by looking at the same numbers in another order. */
export function turned({ at, rows, columns, rowBytes, columnBytes }: Matrix): Matrix {
  return { at, rows: columns, columns: rows, rowBytes: columnBytes, columnBytes: rowBytes };
}

/** out = a b. */
export function multiply(kernel: NetworkKernel, a: Matrix, b: Matrix, out: Matrix): void {
  product(kernel, a, b, out, 0);
}

/** out += a b. */
export function addProduct(kernel: NetworkKernel, a: Matrix, b: Matrix, out: Matrix): void {
  product(kernel, a, b, out, 1);
}

function product(kernel: NetworkKernel, a: Matrix, b: Matrix, out: Matrix, add: number): void {
  const { rows: m, columns: k } = a;
  const { columns: n } = b;
  if (b.rows !== k || out.rows !== m || out.columns !== n)
    throw new RangeError(`invalid product: ${m} × ${k} by ${b.rows} × ${n} (expected ${out.rows} × ${out.columns})`);
  // Only the first may be turned: of the others whole rows are read and written.
  if (b.columnBytes !== FLOAT || out.columnBytes !== FLOAT) throw new RangeError("invalid product: a turned matrix");
  kernel.multiply(a.at, a.rowBytes, a.columnBytes, b.at, b.rowBytes, out.at, out.rowBytes, m, k, n, add);
}
