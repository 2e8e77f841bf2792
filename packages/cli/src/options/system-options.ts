// The options that set up a transition system, the same for every command that takes one.
import {
  describeSystem,
  isSettingValue,
  SETTING_NAMES,
  type SettingName,
  type SystemSetting,
  type SystemSettings,
  settingValues,
  systemNames,
} from "@stemma/core/systems";
import { type Command, InvalidArgumentError, Option } from "commander";

/** Some system's setting of this name, for what it may be. */
export function settingOf(name: SettingName): SystemSetting {
  return systemNames()
    .flatMap((system) => describeSystem(system).settings)
    .find((setting) => setting.name === name)!;
}

const FLAGS: Readonly<Record<SettingName, [flags: string, help: string]>> = {
  degree: ["--degree <n>", "attardi, attardi-auxiliary: how far arcs reach (default: 2)"],
  lazy: ["--lazy", "swap: SWAP, arc-eager: REDUCE, only when it can no longer wait"],
  monotonic: ["--no-monotonic", "arc-eager: LEFT-ARC may replace a head, REDUCE attaches a word that has none"],
  treeConstraint: ["--no-tree-constraint", "arc-eager: REDUCE also words without a head"],
  longest: ["--longest <n>", "disfluencies: the most words that a transition removes (default: 32)"],
  atOnce: ["--at-once", "disfluencies: RP removes only the words read last"],
};

/** Adds an option for each setting that some system has. */
export function addSettingOptions(command: Command, names: readonly SettingName[] = SETTING_NAMES): Command {
  for (const name of names) {
    const option = new Option(...FLAGS[name]);
    if (option.required) option.argParser((text) => numberOf(settingOf(name), text));
    command.addOption(option);
  }
  return command;
}

function numberOf(setting: SystemSetting, text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!isSettingValue(setting, number)) throw new InvalidArgumentError(`expected ${settingValues(setting)}`);
  return number;
}

/** The settings among the options of a command. */
export function settingsOf(options: SystemSettings): SystemSettings {
  return Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const value = options[name];
      return value === undefined || value === settingOf(name).values[0] ? [] : [[name, value]];
    }),
  );
}
