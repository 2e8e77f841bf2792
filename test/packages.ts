// The plan of the packages: for each the order of its folders, from which test/layout.test.ts knows what may import what.

export interface PackagePlan {
  /** Other packages of this repository that it may import. */
  readonly uses: readonly string[];
  /**
   * The folders of src, each of which imports only from those before it, types included. A folder may be named apart
   * from the one that it is in.
   */
  readonly layers: readonly string[];
  /** Files that import on demand what comes after them. */
  readonly onDemand: readonly string[];
  /** Files at the top of src: entries of the package, which only re-export, or "programs", the last layer. */
  readonly top: "entries" | "programs";
  /** Tests of the package as a whole; all others are in the folder of the sources that they are about. */
  readonly tests: readonly string[];
}

/** Optional parts of the core: a folder each, whose subfolder learning alone imports what learns. */
export const VERTICALS = [
  "encoder",
  "graph",
  "pointers",
  "tags",
  "joint-tagging",
  "exact",
  "stack-graph",
  "roles",
  "enhanced",
] as const;

export const PACKAGES: Readonly<Record<"core" | "server" | "cli" | "studio", PackagePlan>> = {
  core: {
    uses: [],
    layers: [
      ...["math", "checks", "storage", "kernels", "drawing", "treebank", "matching", "evaluation"],
      ...["systems", "disfluencies", "registry", "features", "scoring", "search", "parser", "pipeline"],
      ...["model-file", "workers", "languages", "disfluencies/attachment"],
      ...VERTICALS,
      "combination",
      "learning",
      "disfluencies/learning",
      ...VERTICALS.map((vertical) => `${vertical}/learning`),
      ...["training", "node"],
    ],
    onDemand: ["model-file/load.ts"],
    top: "entries",
    tests: ["api", "arguments", "boundaries", "bundle", "docs"],
  },
  server: {
    uses: ["@stemma/core"],
    layers: ["annotation", "metrics", "http", "pool", "routes", "service"],
    onDemand: [],
    top: "entries",
    tests: [],
  },
  cli: {
    uses: ["@stemma/core", "@stemma/server", "@stemma/studio"],
    layers: [
      ...["terminal", "files", "options", "tables", "documents", "workers", "parsing", "corpus", "searching"],
      ...["training", "experiment", "commands"],
    ],
    onDemand: [],
    top: "programs",
    tests: ["changelog", "docs-commands", "library", "readme"],
  },
  studio: {
    uses: ["@stemma/core"],
    layers: [
      "protocol",
      ...["worker/tasks", "worker/parsing", "worker/derivation", "worker/reasons", "worker/treebank", "worker"],
      ...["state/storage", "state/address", "state/shown", "state/model", "state/derivation", "state/export"],
      ...["state/editing", "state/comparison", "state/treebank", "state/annotation", "state/lessons"],
      ...["views/common", "views/tree/layout", "views/tree", "views/export", "views/input", "views/parse"],
      ...["views/derivation", "views/step", "views/compare", "views/treebank", "views/annotate"],
      ...["views/lessons/texts", "views/lessons", "page"],
    ],
    onDemand: [],
    top: "programs",
    tests: [],
  },
};

/** The code that parses, and knows nothing of the verticals but their interfaces. */
export const TRUNK = [
  ...["systems", "features", "scoring", "search", "parser", "learning", "pipeline", "model-file", "workers"],
] as const;

/** Words of names by which a file of the trunk would name a vertical. */
export const NAMES_OF_VERTICALS =
  /^(graphs?|roles?|predicates?|semantics?|disfluen\w*|removals?|joint|morphology|encoders?|probes?|enhanc\w*|tops)$/;

/**
 * Rules that do not hold yet, to be emptied: imports from folder to folder, files of the trunk that name a vertical,
 * and folders with too many files.
 */
export const NOT_YET: Readonly<Record<"imports" | "names" | "crowded", readonly string[]>> = {
  imports: [],
  names: [],
  crowded: ["core/src/treebank/sentence"],
};

/** The files of the core that name a transition system, and why they may. */
export const SYSTEMS_BY_NAME: Readonly<Record<string, string>> = {
  "registry/system-registry.ts": "where the systems are that are loaded on demand",
  "training/presets.ts": "a preset is a choice of settings, the system among them",
  "training/settings.ts": "the default",
  "disfluencies/attachment/attachment-model.ts": "the program of the vertical is called as its system",
  "disfluencies/attachment/program.ts": "the same",
  "disfluencies/settings.ts": "what the parser is to decide is called as the system that does so",
};
