import { describe, expect, it } from "vitest";
import { AnswerMemory, type Holder } from "../../src/http/answer-memory.js";
import { eventually } from "../helpers.js";

const MB = 1 << 20;

function holder(memory: AnswerMemory, client: string, stalledSince?: number): Holder & { gone: boolean } {
  const self = {
    owed: 0,
    client,
    stalledSince,
    gone: false,
    cutOff() {
      self.gone = true;
      memory.leave(self, new Error("gone"));
    },
  };
  return self;
}

describe("memory for answers", () => {
  it("is shared out: a request has at most a quarter, and large parts leave a quarter to small ones", () => {
    const memory = new AnswerMemory(8 * MB);
    const [a, b, c, d] = [holder(memory, "a"), holder(memory, "b"), holder(memory, "c"), holder(memory, "d")];
    expect(memory.take(a, 2 * MB)).toBe(true);
    expect(memory.take(a, 1)).toBe(false);
    expect([memory.take(b, 2 * MB), memory.take(c, 2 * MB), memory.take(d, MB)]).toEqual([true, true, false]);
    expect(memory.take(d, 1000)).toBe(true);
    memory.change(a, -2 * MB);
    expect([memory.take(d, MB), memory.used]).toEqual([true, 5 * MB + 1000]);
  });

  it("is given to those who wait, in their order, when it is free again", async () => {
    const memory = new AnswerMemory(4 * MB);
    const [a, b, c] = [holder(memory, "a"), holder(memory, "b"), holder(memory, "c")];
    const order: string[] = [];
    expect(memory.take(a, 3 * MB)).toBe(true);
    const waiting = [b, c].map((other) => memory.wait(other, 2 * MB).then(() => order.push(other.client)));
    memory.change(a, -3 * MB);
    await waiting[0];
    expect(order).toEqual(["b"]);
    memory.leave(b, new Error("done"));
    await Promise.all(waiting);
    expect([order, memory.used]).toEqual([["b", "c"], 2 * MB]);
  });

  it("is taken from clients that read nothing while others wait: first from the one that has most of it", async () => {
    const memory = new AnswerMemory(8 * MB);
    const long = performance.now() - 5000;
    const idle = [holder(memory, "x", long), holder(memory, "x", long), holder(memory, "y", long)];
    const reads = holder(memory, "z");
    for (const one of idle) memory.take(one, 1.5 * MB);
    memory.take(reads, 1.5 * MB);
    const other = holder(memory, "w");
    await memory.wait(other, MB);
    expect([...idle, reads].map(({ gone }) => gone)).toEqual([true, false, false, false]);
    expect([memory.cut, memory.used]).toEqual([1, 5.5 * MB]);
  });

  it("tells those who wait that they are no longer asked for, and refuses when too many wait", async () => {
    const memory = new AnswerMemory(4 * MB);
    const [a, b] = [holder(memory, "a"), holder(memory, "b")];
    memory.take(a, 3 * MB);
    const waiting = memory.wait(b, 2 * MB);
    memory.leave(b, new Error("the client has gone"));
    await expect(waiting).rejects.toThrow("the client has gone");
    const others = Array.from({ length: 256 }, () => memory.wait(holder(memory, "c"), 2 * MB));
    expect(() => memory.wait(b, 2 * MB)).toThrow("answers take up all of their memory (4194304 characters)");
    memory.leave(a, new Error("done"));
    let taken = 0;
    for (const other of others) other.then(() => taken++);
    await eventually(() => taken === 1, "the first goes on");
  });
});
