// The options of `stemma train`: the settings of a training, those of the transition systems by their names, and what
// only the command has, which knows of files.
import { systemSettings } from "@stemma/core/systems";
import {
  file,
  flag,
  type Given,
  numeric,
  type Rule,
  Schema,
  type Setting,
  TRAINING,
  text,
  type Values,
  whole,
} from "@stemma/core/training";

const FILE = { expected: "a file", accepts: (value: unknown) => typeof value === "string" };
const WITH_ENCODER = {
  works: ({ network, encoder }: Given) => network === true && encoder !== undefined,
  needs: "{network}, and {encoder}",
};

const RUN_SETTINGS = {
  model: file<string>(FILE, { help: "where to write the model", topic: "run", isCommon: true }),
  config: file<string>(FILE, {
    help: "read options from a JSON file; options on the command line override them",
    topic: "run",
  }),
  partial: flag({
    help: "accept words without a head (_), for which any head is right",
    topic: "data",
    needs: { works: ({ oracle }) => oracle === "dynamic", needs: "{oracle dynamic}: others need every head" },
  }),
  addTo: file<string>(FILE, {
    help: "with {roles} or {enhanced}: add them to this model instead of training a parser",
    topic: "roles",
    needs: { works: ({ roles, enhanced }) => Boolean(roles || enhanced), needs: "{roles} or {enhanced}" },
  }),
  vectorWords: whole(0, {
    help: "number of vectors to keep in addition to those of words in the training data",
    topic: "network",
    default: 30_000,
    needs: {
      works: ({ network, vectors }) => network === true && vectors !== undefined,
      needs: "{network}, and {vectors}",
    },
  }),
  encoderLayers: whole(1, {
    help: "use only the first layers of the encoder",
    topic: "network",
    byDefault: "all",
    needs: WITH_ENCODER,
  }),
  threads: whole(0, {
    help: "number of training threads, 0 for all cores; the model is the same for any number",
    topic: "network",
    isCommon: true,
    byDefault: "1",
    needs: { works: ({ network }) => network === true, needs: "{network}" },
  }),
  licence: text({ help: "licence of the training data, to be recorded in the model", topic: "run" }),
  language: text({
    help: "language of the training data (a code such as de), to be recorded in the model",
    topic: "run",
    byDefault: "as the name of the treebank begins: de_gsd-ud-train.conllu",
  }),
  resume: flag({ help: "continue an interrupted run from its last checkpoint", topic: "run" }),
  json: flag({ help: "print the result as JSON", topic: "run" }),
  strict: flag({ help: "stop at the first error in a treebank", topic: "run" }),
};

/** Options of the command alone. */
export type RunSettings = Values<typeof RUN_SETTINGS>;

/** Options that --add-to goes with: nothing is trained but what is added. */
const WITH_ADD_TO = ["model", "dev", "config", "roles", "enhanced", "addTo", "partWeights", "seed", "json", "strict"];

/** The settings of the transition systems that are known now, by their names. */
export function systemOptions(): Readonly<Record<string, Setting>> {
  return Object.fromEntries(
    systemSettings().map(({ name, systems, values, help, expected, accepts }) => {
      const needs = {
        works: ({ system }: Given) => systems.includes(system),
        needs: `{system ${systems.join(" or ")}}`,
      };
      const about = { help, topic: "system", default: values[0] as never, needs };
      return [name, typeof values[0] === "number" ? numeric({ expected, accepts }, about) : flag(about)];
    }),
  );
}

/** The settings that have an option, or a field in a file: objects are for code. */
export function commandSettings(): [name: string, setting: Setting][] {
  return Object.entries(commandSchema().settings).filter(([, { kind }]) => kind !== "object");
}

/** All options of `stemma train`. */
export function commandSchema(): Schema {
  const settings = { ...systemOptions(), ...RUN_SETTINGS };
  const onlyToTrain: Rule = {
    settings: Object.keys({ ...TRAINING.settings, ...settings }).filter((name) => !WITH_ADD_TO.includes(name)),
    works: ({ addTo }) => addTo === undefined,
    needs: "a parser to train, without {addTo}",
  };
  return new Schema([...TRAINING.groups, { settings, rules: [onlyToTrain] }]);
}
