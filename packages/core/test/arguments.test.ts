// Every function, constructor and method of the public interface refuses what it cannot work with, by a message that
// says what was given and what was expected. They are taken from api.md, so that what is added there is tried too: each
// parameter gets all the values that are wrong for its type.
import { readFileSync } from "node:fs";
import { ts } from "@ts-morph/common";
import { beforeAll, describe, expect, test } from "vitest";
import { readInterface as readDeclarations } from "../api.mjs";
import * as combination from "../src/combination.js";
import * as encoder from "../src/encoder.js";
import * as evaluation from "../src/evaluation.js";
import * as core from "../src/index.js";
import * as languages from "../src/languages.js";
import * as node from "../src/node/index.js";
import * as roles from "../src/roles.js";
import * as search from "../src/search.js";
import * as stackGraph from "../src/stack-graph.js";
import * as systems from "../src/systems.js";
import * as training from "../src/training.js";
import * as treebank from "../src/treebank.js";
import { EXCEPTIONS, OPEN, objects, RIGHT, WRONG } from "./arguments.js";

const EXPORTS: Record<string, unknown> = { ...core, ...treebank, ...systems, ...evaluation, ...training, ...search };
Object.assign(EXPORTS, node, encoder, roles, stackGraph, combination, languages);
for (const name of readDeclarations().internal) delete EXPORTS[name];

interface Parameter {
  name: string;
  type: string;
  optional: boolean;
}

/** Overloads ask for more of the same options. */
const INTERSECTION = / & \{.*\}$/;

interface Callable {
  /** "evaluate", "new GoldTree", "GoldTree.has". */
  name: string;
  parameters: Parameter[];
}

const { callables, interfaces, aliases } = readInterface();

test("everything that can be called is in the interface", () => {
  const described = new Set(callables.map(({ name }) => name.replace(/^new |\..*$/g, "")));
  const functions = Object.keys(EXPORTS).filter((name) => typeof EXPORTS[name] === "function");
  expect(functions.filter((name) => !described.has(name))).toEqual([]);
});

test("no exception is left that nothing needs", () => {
  const names = new Set(callables.map(({ name }) => name));
  const isName = (name: string) => names.has(name) || [...names].some((one) => one.startsWith(`${name}.`));
  expect(Object.keys(EXCEPTIONS).filter((name) => !isName(name))).toEqual([]);
});

const tried = callables.filter(
  ({ name, parameters }) =>
    parameters.length > 0 && !(name in EXCEPTIONS) && !(name.replace(/^new |\..*$/g, "") in EXCEPTIONS),
);
beforeAll(objects);

describe("wrong arguments are refused", () => {
  test.each(tried.map((callable) => [callable.name, callable] as const))("%s", async (name, { parameters }) => {
    const right = () => parameters.map((parameter) => rightFor(name, parameter));
    await expect(attempt(name, right()), "right arguments").resolves.toBeUndefined();
    const accepted: string[] = [];
    for (const [at, parameter] of parameters.entries()) {
      for (const [shown, value] of wrongFor(name, parameter)) {
        const given = right();
        given[at] = value;
        const problem = await attempt(name, given);
        const call = `${name}(${parameter.name}: ${shown})`;
        if (problem === undefined) accepted.push(`${call} is accepted`);
        else if (!isHelpful(problem)) accepted.push(`${call}: ${String(problem).slice(0, 200)}`);
      }
    }
    expect(accepted).toEqual([]);
  });
});

/** The error that a call throws, or rejects with, at once or when its first result is asked for. */
async function attempt(name: string, given: unknown[]): Promise<unknown> {
  try {
    const [owner, method] = name.replace(/^new /, "").split(".") as [string, string?];
    let result: unknown;
    if (name.startsWith("new ")) result = Reflect.construct(EXPORTS[owner] as new () => object, given);
    else if (method === undefined) result = (EXPORTS[owner] as (...given: unknown[]) => unknown)(...given);
    else {
      const receiver = Object.hasOwn(EXPORTS[owner] as object, method) ? EXPORTS[owner] : receiverOf(owner);
      result = (receiver as Record<string, (...given: unknown[]) => unknown>)[method]!(...given);
    }
    if (typeof result === "object" && result !== null && "next" in result && "return" in result)
      await (result as Generator).next();
    else if (name !== "openPool" && name !== "createWorkerParser") await result;
    else await ((await result) as { close(): Promise<void> }).close();
    return undefined;
  } catch (error) {
    return error;
  }
}

function receiverOf(owner: string): unknown {
  const right = RIGHT[owner];
  if (!right) throw new Error(`${owner}: no example to call methods of (expected one in arguments.ts)`);
  return right();
}

/** Whether an error says what was expected, and is not one of the engine's own. */
function isHelpful(problem: unknown): boolean {
  if (!(problem instanceof Error)) return false;
  if (
    /Cannot (read|convert|set|create)|is not (a function|iterable|defined|a constructor)|Invalid array/.test(
      problem.message,
    )
  )
    return false;
  return /expected/.test(problem.message) && problem.message.length < 1500;
}

function rightFor(callable: string, { name, type, optional }: Parameter): unknown {
  const right = RIGHT[`${callable}(${name})`] ?? RIGHT[type];
  if (right) return right();
  if (optional) return undefined;
  if (/ => /.test(type)) return () => {};
  if (interfaces.has(type))
    return Object.fromEntries(required(type).map((member) => [member.name, rightFor(type, member)]));
  if (aliases.has(type)) return rightFor(callable, { name, type: aliases.get(type)!, optional });
  throw new Error(`${callable}(${name}): no example of ${type} (expected one in arguments.ts)`);
}

/** Each wrong value with how it is shown. */
function* wrongFor(callable: string, { name, type, optional }: Parameter, deep = true): Generator<[string, unknown]> {
  const own = WRONG[`${callable}(${name})`] ?? WRONG[type];
  if (own) {
    for (const value of own) if (!(optional && value === undefined)) yield [show(value), value];
    return;
  }
  if (/^".*"$/.test(type) || /^\(typeof /.test(type) || /^"[^"]*"( \| "[^"]*")+$/.test(type)) {
    yield* wrongFor(callable, { name, type: "name", optional });
    return;
  }
  if (aliases.has(type)) return yield* wrongFor(callable, { name, type: aliases.get(type)!, optional }, deep);
  if (!interfaces.has(type)) {
    const kind = / => /.test(type) ? "function" : /\[\]$|^Iterable</.test(type) ? "list" : "object";
    return yield* wrongFor(callable, { name, type: kind, optional });
  }
  for (const value of [undefined, null, 42, "x", Number.NaN, [3]]) {
    if (!(optional && value === undefined)) yield [show(value), value];
  }
  if (!deep) return;
  const right = () => rightFor(callable, { name, type, optional: false }) as object;
  // An object of a class is taken for what it is.
  if (Object.getPrototypeOf(right()) !== Object.prototype) return;
  if (!OPEN.has(type)) yield ["{nonsense: 1}", { ...right(), nonsense: 1 }];
  for (const member of membersOf(type)) {
    for (const [shown, value] of wrongFor(type, member, false)) {
      yield [`{${member.name}: ${shown}}`, { ...right(), [member.name]: value }];
    }
  }
}

function show(value: unknown): string {
  if (typeof value === "function") return "a function";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function membersOf(name: string): Parameter[] {
  const { members, parents } = interfaces.get(name)!;
  return [...parents.flatMap((parent) => (interfaces.has(parent) ? membersOf(parent) : [])), ...members];
}

function required(name: string): Parameter[] {
  return membersOf(name).filter(({ optional }) => !optional);
}

function readInterface() {
  const text = readFileSync(new URL("../api.md", import.meta.url), "utf8");
  const code = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1]).join("\n");
  const file = ts.createSourceFile("api.d.ts", code, ts.ScriptTarget.ES2022, true);
  const callables: Callable[] = [];
  const interfaces = new Map<string, { members: Parameter[]; parents: string[] }>();
  const aliases = new Map<string, string>();
  const typeText = (type: ts.TypeNode | undefined) =>
    (type?.getText(file) ?? "unknown")
      .replace(/ \| undefined$/, "")
      .replace(/\s+/g, " ")
      .replace(INTERSECTION, "");
  const read = (parameters: readonly ts.ParameterDeclaration[]): Parameter[] =>
    parameters.map((parameter) => ({
      name: parameter.name.getText(file),
      type: typeText(parameter.type),
      optional: parameter.questionToken !== undefined || / \| undefined$|&/.test(parameter.type?.getText(file) ?? ""),
    }));
  for (const statement of file.statements) {
    if (ts.isFunctionDeclaration(statement)) {
      callables.push({ name: statement.name!.text, parameters: read(statement.parameters) });
    } else if (ts.isClassDeclaration(statement)) {
      const owner = statement.name!.text;
      if (typeof EXPORTS[owner] !== "function") continue;
      callables.push({ name: `new ${owner}`, parameters: [] });
      for (const member of statement.members) {
        if (ts.isConstructorDeclaration(member)) callables.at(-1)!.parameters = read(member.parameters);
      }
      for (const member of statement.members) {
        if (!ts.isMethodDeclaration(member) || member.name.getText(file).startsWith("[")) continue;
        callables.push({ name: `${owner}.${member.name.getText(file)}`, parameters: read(member.parameters) });
      }
    } else if (ts.isInterfaceDeclaration(statement)) {
      const members = statement.members.flatMap((member) =>
        ts.isPropertySignature(member)
          ? [
              {
                name: member.name.getText(file),
                type: typeText(member.type),
                optional: member.questionToken !== undefined,
              },
            ]
          : [],
      );
      const parents = statement.heritageClauses?.flatMap(({ types }) => types.map((type) => type.getText(file))) ?? [];
      interfaces.set(statement.name.text, { members, parents });
    } else if (ts.isTypeAliasDeclaration(statement)) aliases.set(statement.name.text, typeText(statement.type));
  }
  // Of overloads, those without options come last.
  for (const [i, { name, parameters }] of callables.entries())
    if (callables[i - 1]?.name === name) for (const one of parameters) one.optional ||= one.name === "options";
  return { callables, interfaces, aliases };
}
