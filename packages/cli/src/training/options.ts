import {
  type CompleteSettings,
  completeSettings,
  type Given,
  type Setting,
  trainingSettings,
} from "@stemma/core/training";
import { type Command, InvalidArgumentError, Option } from "commander";
import { FileError } from "../files/io.js";
import { flagOf, inFlags, noEffect } from "../options/option-rules.js";
import { type ThreadCount, threadCount } from "../options/threads.js";
import { commandSchema, commandSettings, type RunSettings, systemOptions } from "./schema.js";

/** The options of `stemma train`, with defaults, preset and configuration put in. */
export interface TrainingOptions extends Omit<RunSettings, "model" | "threads"> {
  model: string;
  dev?: string;
  silver?: string;
  vectors?: string;
  encoder?: string;
  threads?: ThreadCount;
  settings: CompleteSettings;
}

/** Adds the options of `stemma train` to a command. */
export function addTrainingOptions(command: Command): Command {
  for (const [name, setting] of commandSettings()) command.addOption(optionOf(name, setting));
  return command;
}

/** The option of a setting; defaults are put in when all options are known. */
function optionOf(name: string, setting: Setting): Option {
  const { kind, choices, expected, accepts } = setting;
  const option = new Option(termOf(name, setting), helpOf(setting));
  if (kind === "flag") return option;
  if (choices) return option.choices(choices);
  if (name === "threads") return option.argParser(threadCount);
  return option.argParser((text) => {
    const value = setting.read(text);
    if (kind !== "file" && !accepts(value)) throw new InvalidArgumentError(`expected ${expected}`);
    return value;
  });
}

/** How a setting is written on the command line, with what follows it. */
export function termOf(name: string, { kind, placeholder, default: value }: Setting): string {
  return kind === "flag" ? flagOf(name, value !== true) : `${flagOf(name)} <${placeholder}>`;
}

/** The help of a setting, with its default. */
export function helpOf({ help, byDefault, default: value, kind }: Setting): string {
  const words = byDefault ?? (typeof value === "function" || kind === "flag" ? undefined : value);
  return inFlags(words === undefined || help.includes("(default:") ? help : `${help} (default: ${words})`);
}

/** The options given on the command line. */
export function givenOptions(command: Command): Given {
  const isGiven = (name: string) => command.getOptionValueSource(name) === "cli";
  return Object.fromEntries(Object.entries(command.opts()).filter(([name]) => isGiven(name)));
}

/** The options with everything put in that was not given; those that would have no effect are refused. */
export function completeOptions(given: Given, command: Command): TrainingOptions {
  if (given.model === undefined) command.error("error: required option '--model <file>' not specified");
  const refuse = (name: string, needs: string): never => {
    throw new FileError(noEffect(name, given[name], inFlags(needs)));
  };
  const complete = completeSettings(given, refuse, commandSchema());
  return { ...(complete as unknown as TrainingOptions), settings: settingsOf(complete) };
}

/** The settings of a training: those of the system that are not as they are anyway have a place of their own. */
export function settingsOf(complete: CompleteSettings & Given): CompleteSettings {
  const ofSystem = Object.entries(systemOptions()).flatMap(([name, setting]) =>
    complete[name] === undefined || complete[name] === setting.default ? [] : [[name, complete[name]]],
  );
  const systemSettings = ofSystem.length > 0 ? Object.fromEntries(ofSystem) : undefined;
  return trainingSettings({ ...complete, systemSettings });
}
