import { Command } from "commander";
import { writeOut } from "./files/output.js";
import { VERSION } from "./files/version.js";
import { wrapped } from "./terminal/help.js";
import { setQuiet } from "./terminal/messages.js";

/** In the order of the help. */
const COMMANDS: Readonly<Record<string, () => Promise<{ register(program: Command): void }>>> = {
  parse: () => import("./commands/parsing/parse.js"),
  train: () => import("./commands/training/train.js"),
  serve: () => import("./commands/parsing/serve.js"),
  studio: () => import("./commands/parsing/studio.js"),
  models: () => import("./commands/parsing/models.js"),
  info: () => import("./commands/parsing/info.js"),
  evaluate: () => import("./commands/training/evaluate.js"),
  experiment: () => import("./commands/training/experiment.js"),
  instances: () => import("./commands/training/instances.js"),
  import: () => import("./commands/training/import.js"),
  search: () => import("./commands/treebanks/search.js"),
  edit: () => import("./commands/treebanks/edit.js"),
  convert: () => import("./commands/treebanks/convert.js"),
  corpus: () => import("./commands/parsing/corpus.js"),
  stats: () => import("./commands/treebanks/stats.js"),
  validate: () => import("./commands/treebanks/validate.js"),
  draw: () => import("./commands/treebanks/draw.js"),
  trace: () => import("./commands/systems/trace.js"),
  derivations: () => import("./commands/systems/derivations.js"),
  oracle: () => import("./commands/systems/oracle.js"),
  projectivize: () => import("./commands/treebanks/projectivize.js"),
  deprojectivize: () => import("./commands/treebanks/deprojectivize.js"),
  completion: async () => {
    const { register } = await import("./commands/completion.js");
    return { register: (program) => register(program, loadProgram) };
  },
};

function printed(text: string): void {
  try {
    writeOut(text);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}

/**
 * The program with the command that is called, which takes a quarter of the time to start that all of them take; with
 * all if it is none of them, and without any for its version.
 */
export async function loadProgram(command?: string): Promise<Command> {
  const program = new Command("stemma")
    .description(
      "Transition-based dependency parsing: parse text, search and convert treebanks, train and evaluate parsers.",
    )
    .version(VERSION)
    .configureOutput({ writeOut: (text) => printed(wrapped(text, process.stdout.columns || 80)) })
    .showHelpAfterError("(stemma --help lists the commands, stemma COMMAND --help their options)")
    .exitOverride((error) => {
      // Commander exits with 1 on wrong usage; here 1 says that input was skipped, and wrong usage is 2.
      process.exit(error.exitCode === 0 ? 0 : 2);
    });
  const called = Object.keys(COMMANDS).filter((name) => name === command);
  const isVersion = command === "--version" || command === "-V";
  for (const name of called.length > 0 || isVersion ? called : Object.keys(COMMANDS)) {
    const { register } = await COMMANDS[name]!();
    register(program);
  }
  for (const command of program.commands) {
    command.option("-q, --quiet", "print only errors and warnings").hook("preAction", () => {
      if (command.opts().quiet) setQuiet();
    });
  }
  return program;
}
