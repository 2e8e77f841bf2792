import { FileError } from "../files/io.js";

/** A value of the specification with its place, for errors. */
export class Field {
  constructor(
    readonly source: string,
    readonly place: string,
    readonly value: unknown,
  ) {}

  fail(expected: string): never {
    const shown = this.value === undefined ? "nothing" : JSON.stringify(this.value);
    const short = shown.length > 60 ? `${shown.slice(0, 60)}…` : shown;
    throw new FileError(`${this.source}: invalid ${this.place || "specification"}: ${short} (expected ${expected})`);
  }

  at(name: string): Field {
    const place = this.place ? `${this.place}.${name}` : name;
    return new Field(this.source, place, (this.value as Record<string, unknown>)[name]);
  }

  object(fields: readonly string[]): this {
    const { value } = this;
    if (typeof value !== "object" || value === null || Array.isArray(value)) this.fail("an object");
    for (const name of Object.keys(value as object)) {
      if (fields.includes(name)) continue;
      const place = this.place ? `${this.place}.${name}` : name;
      throw new FileError(`${this.source}: unknown field: ${place} (expected ${fields.join(", ")})`);
    }
    return this;
  }

  list(): Field[] {
    if (!Array.isArray(this.value) || this.value.length === 0) this.fail("a list that is not empty");
    return (this.value as unknown[]).map((item, i) => new Field(this.source, `${this.place}[${i}]`, item));
  }

  text(): string {
    if (typeof this.value !== "string" || this.value === "") this.fail("text");
    return this.value as string;
  }

  /** Used in names of files and in tables. */
  name(): string {
    if (typeof this.value !== "string" || !/^[\p{L}\p{N}][\p{L}\p{N}._+-]*$/u.test(this.value)) {
      this.fail("a name of letters, digits, and . _ + -");
    }
    return this.value as string;
  }

  oneOf<T extends string>(values: readonly T[]): T {
    if (!values.includes(this.value as T)) this.fail(`one of ${values.join(", ")}`);
    return this.value as T;
  }

  number(accepts: (n: number) => boolean, expected: string): number {
    if (typeof this.value !== "number" || !accepts(this.value)) this.fail(expected);
    return this.value as number;
  }

  whole(least: number): number {
    return this.number((n) => Number.isSafeInteger(n) && n >= least, `a whole number from ${least}`);
  }
}
