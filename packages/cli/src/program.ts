import { Command } from "commander";
import { wrapped } from "./help.js";
import { setQuiet } from "./messages.js";
import { VERSION } from "./version.js";

/** In the order of the help; each is a file in commands/. */
const COMMANDS = [
  "parse",
  "train",
  "serve",
  "studio",
  "info",
  "evaluate",
  "experiment",
  "instances",
  "import",
  "search",
  "edit",
  "convert",
  "corpus",
  "stats",
  "validate",
  "draw",
  "trace",
  "derivations",
  "oracle",
  "projectivize",
  "deprojectivize",
  "completion",
];

/**
 * The program with the command that is called, which takes a quarter of the time to start that all of them take; with
 * all if it is none of them.
 */
export async function loadProgram(command?: string): Promise<Command> {
  const program = new Command("stemma")
    .description(
      "Transition-based dependency parsing: parse text, search and convert treebanks, train and evaluate parsers.",
    )
    .version(VERSION)
    .configureOutput({ writeOut: (text) => process.stdout.write(wrapped(text, process.stdout.columns || 80)) })
    .showHelpAfterError("(stemma --help lists the commands, stemma COMMAND --help their options)")
    .exitOverride((error) => {
      // Commander exits with 1 on wrong usage; here 1 says that input was skipped, and wrong usage is 2.
      process.exit(error.exitCode === 0 ? 0 : 2);
    });
  const called = COMMANDS.filter((name) => name === command);
  for (const name of called.length > 0 ? called : COMMANDS) {
    const { register } = (await import(`./commands/${name}.js`)) as { register(program: Command): void };
    register(program);
  }
  for (const command of program.commands) {
    command.option("-q, --quiet", "print only errors and warnings").hook("preAction", () => {
      if (command.opts().quiet) setQuiet();
    });
  }
  return program;
}
