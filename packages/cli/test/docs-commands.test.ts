// Every command line in README, docs and help is one that the program understands, and every measurement that is named
// is there and starts.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PAGES = ["README.md", "CONTRIBUTING.md", ...pages("docs/")];
const SOURCES = new URL("../src/commands/", import.meta.url);
/** Where each command is in the sources, without extension. */
const COMMANDS = new Map(
  readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
    .filter(
      (path) =>
        path.endsWith(".ts") && /^export function register\(/m.test(readFileSync(new URL(path, SOURCES), "utf8")),
    )
    .map((path) => [path.replace(/^.*\/|\.ts$/g, ""), path.replace(/\.ts$/, "")]),
);

function pages(folder: string): string[] {
  return readdirSync(ROOT + folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => folder + name);
}

/** The command lines of the program in a text: in code, up to a pipe, a redirection or a comment after many spaces. */
function commandLines(text: string): string[] {
  const code = [
    ...text.matchAll(/`([^`\n]+)`/g),
    ...text.matchAll(/^[ \t]*(?:\$ )?((?:npx )?stemma .*?)(?:`[,;])?$/gm),
  ];
  return code
    .map(([, line]) => line!.replace(/^(\$ )?(npx )?/, ""))
    .filter((line) => /^stemma [a-z]+( |$)/.test(line) && !line.includes("…") && !/^stemma (COMMAND|help)/.test(line))
    .map(firstCommand);
}

/** Up to where the shell goes on with something else, which it does not within quotes. */
function firstCommand(line: string): string {
  const quoted: string[] = [];
  const bare = line.replace(/"[^"]*"|'[^']*'/g, (text) => `\ue000${quoted.push(text) - 1}\ue000`);
  const [command] = bare.split(/ \| | > | < | {2,}| # |; | && | 2>/);
  return command!.trim().replace(/\ue000(\d+)\ue000/g, (_, i) => quoted[Number(i)]!);
}

/** The arguments; of alternatives the first, and what is optional as if it were given. */
function argumentsOf(line: string): string[] {
  const words = line.match(/"[^"]*"|'[^']*'|\S+/g)!.slice(1);
  return words.map((word) =>
    /^["']/.test(word) ? word.slice(1, -1) : word.replace(/^\[|\]$/g, "").replace(/^([\w+-]+)\|.*$/, "$1"),
  );
}

const UNSAID = ["helpDisplayed", "help", "missingArgument", "missingMandatoryOptionValue", "optionMissingArgument"].map(
  (name) => `commander.${name}`,
);

/** The program's complaint about the arguments; nothing is run. */
async function problemOf(args: string[]): Promise<string | undefined> {
  const program = new Command("stemma").exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  const name = args[0]!;
  if (!COMMANDS.has(name)) return `unknown command ${name}`;
  const { register } = (await import(new URL(`../dist/commands/${COMMANDS.get(name)}.js`, import.meta.url).href)) as {
    register(program: Command): void;
  };
  register(program);
  for (const command of program.commands) command.option("-q, --quiet").action(() => {});
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    // A page may name a command or an option without what follows, or with a word in capitals for it.
    return UNSAID.includes(code) || /argument '[A-Z]+' is invalid/.test(message) ? undefined : message;
  }
  return undefined;
}

describe("command lines", () => {
  it.each(PAGES)("of %s", async (page) => {
    for (const line of commandLines(readFileSync(ROOT + page, "utf8"))) {
      const problem = await problemOf(argumentsOf(line));
      expect({ line, problem }).toEqual({ line, problem: undefined });
    }
  });

  it.each([...COMMANDS])("of the help of %s", async (_, path) => {
    const help = readFileSync(new URL(`${path}.ts`, SOURCES), "utf8");
    for (const line of commandLines(help)) {
      expect({ line, problem: await problemOf(argumentsOf(line)) }).toEqual({ line, problem: undefined });
    }
    expect(help).toContain("Exit status: 0");
  });
});

const ENDS_AT_WORK = new URL("./ends-at-work.mjs", import.meta.url).href;

/** A measurement that is ended, with all the processes that it has started, once it has looked at its arguments. */
async function begun(file: string): Promise<{ code: number | null; stderr: string }> {
  const args = ["--import", ENDS_AT_WORK, file];
  const child = spawn(process.execPath, args, { cwd: ROOT, detached: true, stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  // Where its work begins with something else, it would go on for minutes.
  const timer = setTimeout(() => process.kill(-child.pid!, "SIGKILL"), 2500);
  const code = await new Promise<number | null>((resolve) => child.on("exit", resolve));
  clearTimeout(timer);
  return { code, stderr };
}

it("measurements import what is there", () => {
  const wanted: [where: string, from: string, name: string][] = [];
  for (const file of readdirSync(`${ROOT}bench`, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".mjs") || file.includes("node_modules")) continue;
    const text = readFileSync(`${ROOT}bench/${file}`, "utf8");
    for (const [, names, from] of text.matchAll(/^import \{([^}]*)\} from "(\.[^"]*\/core\/dist\/[^"]*)";/gm)) {
      for (const name of names!.split(",").map((each) => each.trim().split(" as ")[0]!)) {
        if (name) wanted.push([`bench/${file}`, new URL(from!, `file://${ROOT}bench/${file}`).href, name]);
      }
    }
  }
  expect(wanted.length).toBeGreaterThan(100);
  const script = `const missing = [];
    for (const [where, from, name] of ${JSON.stringify(wanted)}) {
      if (!(name in (await import(from).catch(() => ({}))))) missing.push([where, name].join(": "));
    }
    console.log(JSON.stringify(missing));
    process.exit();`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  expect(JSON.parse(stdout)).toEqual([]);
});

it("measurements that are named are there, and take no arguments where none are named", async () => {
  const named = PAGES.flatMap((page) =>
    [...readFileSync(ROOT + page, "utf8").matchAll(/node (bench\/[\w/-]+\.mjs)( [^`|\n]*)?/g)].map(
      ([, file, args]) => ({
        file: file!,
        hasArguments: args !== undefined && /^ [^\s(]/.test(args),
      }),
    ),
  );
  expect(named.length).toBeGreaterThan(10);
  for (const { file } of named) expect({ file, exists: existsSync(ROOT + file) }).toEqual({ file, exists: true });
  const bare = new Set(named.filter(({ hasArguments }) => !hasArguments).map(({ file }) => file));
  const waiting = [...bare];
  const startNext = async (): Promise<void> => {
    for (let file = waiting.pop(); file; file = waiting.pop()) {
      const { code, stderr } = await begun(file);
      const isUsage = code === 2 || /^usage/im.test(stderr);
      const cannotStart = /ERR_MODULE_NOT_FOUND|SyntaxError/.exec(stderr)?.[0];
      expect({ file, isUsage, cannotStart }).toEqual({ file, isUsage: false, cannotStart: undefined });
    }
  };
  await Promise.all(Array.from({ length: 6 }, startNext));
});
