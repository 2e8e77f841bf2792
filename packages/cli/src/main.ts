import { readFileSync } from "node:fs";
import { Command } from "commander";
import { register as convert } from "./commands/convert.js";
import { register as deprojectivize } from "./commands/deprojectivize.js";
import { register as derivations } from "./commands/derivations.js";
import { register as draw } from "./commands/draw.js";
import { register as evaluate } from "./commands/evaluate.js";
import { register as experiment } from "./commands/experiment.js";
import { register as instances } from "./commands/instances.js";
import { register as oracle } from "./commands/oracle.js";
import { register as parse } from "./commands/parse.js";
import { register as projectivize } from "./commands/projectivize.js";
import { register as stats } from "./commands/stats.js";
import { register as trace } from "./commands/trace.js";
import { register as train } from "./commands/train.js";

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

for (const register of [
  train,
  convert,
  stats,
  draw,
  trace,
  derivations,
  oracle,
  projectivize,
  deprojectivize,
  evaluate,
  parse,
  instances,
  experiment,
])
  register(program);

await program.parseAsync();
