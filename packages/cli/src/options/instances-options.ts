import { ownSettings, ROOT_POSITIONS, type RootPosition, systemNames } from "@stemma/core/systems";
import { Instances, TemplateError } from "@stemma/core/training";
import { SCHEMES, type Scheme } from "@stemma/core/treebank";
import { type Command, Option } from "commander";
import { FileError } from "../files/io.js";
import { addFeaturesOption, featuresOf } from "./features-option.js";
import { checkOptions } from "./option-rules.js";
import { addSettingOptions, settingRules } from "./system-options.js";

/** Settings that determine the instances of a treebank. */
export interface InstancesOptions {
  system: string;
  root: RootPosition;
  features?: string;
  projectivize?: Scheme;
}

/** Adds the options that determine the instances of a treebank, for commands that write or use them. */
export function addInstancesOptions(command: Command): Command {
  command
    .addOption(new Option("--system <name>", "transition system").choices(systemNames()).default("arc-standard"))
    .addOption(new Option("--root <position>", "position of the root node").choices(ROOT_POSITIONS).default("last"));
  return addFeaturesOption(addSettingOptions(command)).addOption(
    new Option("--projectivize <scheme>", "make non-projective trees projective").choices(SCHEMES),
  );
}

/** The instances of these options, none yet; options that have no effect are rejected. */
export async function instancesOf(options: InstancesOptions, command: Command): Promise<Instances> {
  checkOptions(settingRules(), options, (name) => command.getOptionValueSource(name) === "cli");
  const { system, root, features, projectivize } = options;
  const templates = await featuresOf(system, features);
  try {
    const systemSettings = ownSettings(system, { ...options });
    return new Instances({ system, root, systemSettings, templates, templatesSource: features, projectivize });
  } catch (error) {
    if (error instanceof TemplateError || error instanceof RangeError) throw new FileError(error.message);
    throw error;
  }
}

/** "12 trees". */
export function trees(count: number): string {
  return `${count} ${count === 1 ? "tree" : "trees"}`;
}
