// A setting is described once: from that come its type, its checks and their messages, its option on the command line,
// the fields of files with settings, help and tables. In the words, {oracle dynamic} stands for a setting, or for a
// setting with a value, which is --oracle dynamic on the command line and oracle dynamic in code.
import { type Expectation, number, oneOf, STRING, TRUE_OR_FALSE, wholeNumber } from "./options.js";

/** Settings by name, as far as they are known. */
// biome-ignore lint/suspicious/noExplicitAny: each reads those that it knows, by their types
export type Given = Readonly<Record<string, any>>;

/** The conditions under which a setting has an effect. */
export interface Need {
  works(given: Given): boolean;
  /** As the end of "it needs …". */
  readonly needs: string;
  /** Whether a default that does not meet it counts all the same. */
  readonly isOfGiven?: true;
}

/** The needs of settings, told by what they do not know of. */
export interface Rule extends Need {
  readonly settings: readonly string[];
}

/** The documentation of a setting, besides its values. */
export interface About<Value> {
  /** A sentence, or the part of one that follows "sets". */
  readonly help: string;
  /** The heading that it is listed under. */
  readonly topic: string;
  /** Whether it is among the few that everybody should know. */
  readonly isCommon?: boolean;
  /** The value if none is given, if the setting has an effect; undefined if there is none. */
  readonly default?: Value | ((given: Given) => Value | undefined);
  /** The default in words, where it depends on other settings. */
  readonly byDefault?: string;
  /** When it has an effect; always if not given. */
  readonly needs?: Need | readonly Need[];
}

/** A setting: what it may be, and what is said of it. */
export interface Setting<Value = unknown> extends Expectation, About<Value> {
  /** A file is one on the command line alone; objects are for code alone. */
  readonly kind: "choice" | "number" | "flag" | "text" | "file" | "object";
  /** The name of a value in help: "n"; none for a flag. */
  readonly placeholder?: string;
  /** The values, if they are listed. */
  readonly choices?: readonly string[];
  /** The value that a text stands for; what it may be has yet to be checked. */
  read(text: string): unknown;
}

/** Settings that belong together. */
export interface SettingGroup {
  readonly settings: Readonly<Record<string, Setting>>;
  /** Conditions that this group adds to the settings of others. */
  readonly rules?: readonly Rule[];
  /** Defaults that settings of other groups have because of this one. */
  defaults?(given: Given): Given;
}

/** The values that settings may have. */
export type Values<Settings> = {
  [Name in keyof Settings]?: (Settings[Name] extends Setting<infer Value> ? Value : never) | undefined;
};

const asIs = (text: string) => text;
const asNumber = (text: string) => (text.trim() === "" ? Number.NaN : Number(text));

/** One of several words. */
export function choice<const Value extends string>(
  values: readonly Value[],
  about: About<Value> & { readonly placeholder?: string },
): Setting<Value> {
  return { placeholder: "name", ...about, ...oneOf(...values), kind: "choice", choices: values, read: asIs };
}

/** Numbers that are expected to be something. */
export function numeric<Value = number>(
  expected: Expectation,
  about: About<Value> & { readonly placeholder?: string },
): Setting<Value> {
  return { placeholder: "n", ...about, ...expected, kind: "number", read: asNumber };
}

/** A whole number from another one on. */
export function whole(least: number, about: About<number> & { readonly placeholder?: string }): Setting<number> {
  return numeric(wholeNumber(least), about);
}

/** A number, a probability for example, within bounds. */
export function between(
  least: number,
  most: number,
  about: About<number> & { readonly placeholder?: string },
): Setting<number> {
  return numeric(number(least, most), { placeholder: "x", ...about });
}

/** Something that is done or not. */
export function flag(about: About<boolean>): Setting<boolean> {
  return { ...about, ...TRUE_OR_FALSE, kind: "flag", read: (text) => text === "true" };
}

/** Any text. */
export function text(about: About<string> & { readonly placeholder?: string }): Setting<string> {
  return { placeholder: "text", ...about, ...STRING, kind: "text", read: asIs };
}

/** A value that stands in a file; in code it is given as it is read. */
export function file<Value>(
  expected: Expectation,
  about: About<Value> & { readonly placeholder?: string },
): Setting<Value> {
  return { placeholder: "file", ...about, ...expected, kind: "file", read: asIs };
}

/** An object that is given in code. */
export function object<Value>(expected: Expectation, about: About<Value>): Setting<Value> {
  return { ...about, ...expected, kind: "object", read: asIs };
}

/** The words with their settings written in another way. */
export function inWords(words: string, write: (name: string, value?: string) => string): string {
  return words.replace(/\{(\w+)(?: ([^}]+))?\}/g, (_, name: string, value?: string) => write(name, value));
}

/** As in code: {lossBound 5} is lossBound 5. */
export function inCode(words: string): string {
  return inWords(words, (name, value) => (value === undefined ? name : `${name} ${value}`));
}

const isThere = (value: unknown) => value !== undefined;

/** A default that may depend on other settings. */
const resolved = (byDefault: unknown, given: Given) => (typeof byDefault === "function" ? byDefault(given) : byDefault);

/** Settings, put together from groups, and what they need. */
export class Schema {
  readonly settings: Readonly<Record<string, Setting>>;

  constructor(readonly groups: readonly SettingGroup[]) {
    this.settings = Object.assign({}, ...groups.map(({ settings }) => settings));
  }

  /** The condition that a setting lacks to have an effect, undefined if it has one. */
  lack(name: string, given: Given, isDefault = false): Need | undefined {
    const rules = this.groups.flatMap(({ rules = [] }) => rules.filter(({ settings }) => settings.includes(name)));
    return [...rules, ...[this.settings[name]!.needs ?? []].flat()].find(
      ({ works, isOfGiven }) => !(isDefault && isOfGiven) && !works(given),
    );
  }

  /**
   * The settings that have an effect: those given, and defaults for the others, or what a preset has instead; a default
   * may depend on settings that are listed before.
   */
  complete(given: Given, preset: Given = {}): Given {
    const settings: Record<string, unknown> = Object.fromEntries(
      Object.entries(given).filter(([, value]) => isThere(value)),
    );
    for (const [name, setting] of Object.entries(this.settings)) {
      if (settings[name] !== undefined) continue;
      const ofGroup = () => this.groups.map(({ defaults }) => defaults?.(settings)[name]).find(isThere);
      const value = resolved(preset[name], settings) ?? ofGroup() ?? resolved(setting.default, settings);
      if (isThere(value) && !this.lack(name, { ...settings, [name]: value }, true)) settings[name] = value;
    }
    // Nothing need be said of steps that are not taken.
    for (const [name, { default: byDefault }] of Object.entries(this.settings)) {
      if (settings[name] === false && byDefault !== true) delete settings[name];
    }
    return settings;
  }
}
