import { STATUS_CODES } from "node:http";

/** The problem of a request: becomes the status and the problem document (RFC 9457) of the answer. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    /** The kind of problem, for programs: "body-too-large". */
    readonly kind: string,
    /** One sentence for people: the value and what was expected. */
    detail: string,
    /** The part of the request that is at fault: a member of the JSON body, a parameter or a header. */
    readonly field?: string | undefined,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.name = "Problem";
  }

  /** The problem document. */
  toJSON(): object {
    return {
      type: `urn:stemma:problem:${this.kind}`,
      title: STATUS_CODES[this.status] ?? "Error",
      status: this.status,
      detail: this.message,
      ...(this.field === undefined ? {} : { field: this.field }),
    };
  }
}

/** A part of a request that has another value than it may have. */
export function invalid(field: string, value: unknown, expected: string): Problem {
  return new Problem(400, "invalid-request", `invalid ${field}: ${shown(value)} (expected ${expected})`, field);
}

const LONGEST_VALUE = 40;

/** A value from outside as it is shown in a message: on one line, and not too long. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value !== "string") return String(value);
  return JSON.stringify(value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value);
}
