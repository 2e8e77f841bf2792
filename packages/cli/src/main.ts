import { readFileSync } from "node:fs";
import { Command } from "commander";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

const program = new Command("stemma")
  .description("Transition-based dependency parsing: treebanks, transition systems, oracles.")
  .version(version)
  .showHelpAfterError("(stemma --help lists the commands, stemma COMMAND --help their options)")
  .exitOverride((error) => {
    // Commander exits with 1 on wrong usage; here 1 says that input was skipped, and wrong usage is 2.
    process.exit(error.exitCode === 0 ? 0 : 2);
  });

/** In the order of the help; each is a file in commands/. */
const COMMANDS = [
  "parse",
  "train",
  "serve",
  "studio",
  "evaluate",
  "experiment",
  "instances",
  "search",
  "edit",
  "convert",
  "stats",
  "draw",
  "trace",
  "derivations",
  "oracle",
  "projectivize",
  "deprojectivize",
];

// Only the command that is called is loaded, which is a quarter of the start-up; for help and errors all of them.
const called = COMMANDS.filter((name) => name === process.argv[2]);
for (const name of called.length > 0 ? called : COMMANDS) {
  const { register } = (await import(`./commands/${name}.js`)) as { register(program: Command): void };
  register(program);
}

await program.parseAsync();
