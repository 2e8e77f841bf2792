import { describeSystem, type SystemSettings } from "@stemma/core/systems";

/** A box to tick, or a list of numbers. */
export interface SettingControl {
  name: string;
  title: string;
  value: number | boolean;
  numbers: number[];
}

/** Numbers of a setting that the list goes up to. */
const MOST_LISTED = 6;

/** The controls for the settings that a system has, as its description names them. */
export function settingControls(system: string, chosen: SystemSettings): SettingControl[] {
  return describeSystem(system).settings.map(({ name, title, values, from, upTo }) => {
    const value = chosen[name] ?? values[0]!;
    const numbers = typeof value === "boolean" ? [] : values.map(Number);
    while (from !== undefined && numbers[0]! > from) numbers.unshift(numbers[0]! - 1);
    while (upTo !== undefined && numbers.at(-1)! < Math.max(Math.min(MOST_LISTED, upTo), Number(value)))
      numbers.push(numbers.at(-1)! + 1);
    return { name, title, value, numbers };
  });
}
