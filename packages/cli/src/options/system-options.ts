// The options that set up a transition system, the same for every command that takes one: made from the descriptions of
// the systems.
import {
  createSystem,
  ownSettings,
  type RootPosition,
  systemSettings,
  type TransitionSystem,
} from "@stemma/core/systems";
import { type Command, InvalidArgumentError, Option } from "commander";
import { FileError } from "../files/io.js";
import { flagOf, type OptionRule } from "./option-rules.js";

/**
 * Adds an option for each setting that some system has: `--degree <n>`, `--lazy`, or `--no-monotonic` where true is the
 * default.
 */
export function addSettingOptions(command: Command, settings = systemSettings()): Command {
  for (const { name, values, help, accepts, expected } of settings) {
    const option = new Option(typeof values[0] === "number" ? `${flagOf(name)} <n>` : switchOf(name, !values[0]), help);
    if (typeof values[0] === "number") {
      option.argParser((text) => {
        const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
        if (!accepts(number)) throw new InvalidArgumentError(`expected ${expected}`);
        return number;
      });
    }
    command.addOption(option);
  }
  return command;
}

/** How a switch is given. */
function switchOf(name: string, value: boolean): string {
  return value ? flagOf(name) : flagOf(name).replace("--", "--no-");
}

/** Which systems an option needs. */
export function settingRules(): OptionRule<{ system?: string | undefined }>[] {
  return systemSettings().map(({ name, systems }) => ({
    option: name,
    works: ({ system }) => system === undefined || systems.includes(system),
    needs: `--system ${systems.join(" or ")}`,
  }));
}

/** The system that a command is asked for, with those of the settings that it has. */
export function systemOf(
  name: string,
  options: { readonly root: RootPosition; readonly singleRoot?: boolean | undefined },
): TransitionSystem {
  const { root, singleRoot } = options;
  try {
    return createSystem(name, { root, singleRoot, ...ownSettings(name, { ...options }) });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new FileError(withFlags(error.message));
  }
}

/** A message with settings as they are given on the command line: `--no-monotonic`, not `monotonic: false`. */
function withFlags(message: string): string {
  return systemSettings().reduce(
    (text, { name }) =>
      text.replaceAll(new RegExp(`\\b${name}: (true|false)`, "g"), (_, value) => switchOf(name, value === "true")),
    message,
  );
}
