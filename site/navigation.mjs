import { readdirSync } from "node:fs";

/** The languages of models, by their packages, but for English. */
const LANGUAGES = readdirSync(new URL("../packages", import.meta.url))
  .flatMap((folder) => /^model-([a-z]{2,3})$/.exec(folder)?.[1] ?? [])
  .filter((code) => code !== "en");
const NAMES = new Intl.DisplayNames(["en"], { type: "language" });
const cardOf = (/** @type {string} */ code) => `packages/model-${code}/README.md`;

/**
 * The pages of the menu, by the paths of docs/README.md; a page has one place, that of its first reader. Files that do
 * not exist are passed over, and pages of docs/ that are not here come last.
 */
export const SECTIONS = [
  { title: "Start", files: ["README.md", "docs/README.md", "docs/commands.md", "examples/README.md"] },
  {
    title: "Learn",
    files: [
      "docs/introduction.md",
      "docs/studio.md",
      "docs/transition-systems.md",
      "docs/oracles.md",
      "docs/derivations.md",
      "docs/pseudo-projective.md",
    ],
  },
  {
    title: "Use",
    files: [
      "docs/library.md",
      "docs/coming-from.md",
      "docs/names.md",
      "docs/frameworks.md",
      "docs/parsing.md",
      "docs/server.md",
      "docs/corpora.md",
      "docs/reliability.md",
      "docs/licences.md",
      "packages/model-en/README.md",
      "packages/model-en-small/README.md",
      "packages/model-en-large/README.md",
      "packages/model-en-roles/README.md",
      ...LANGUAGES.map(cardOf),
    ],
  },
  {
    title: "Train and study",
    files: [
      "docs/training.md",
      "docs/choosing.md",
      "docs/evaluation.md",
      "docs/networks.md",
      "docs/encoders.md",
      "docs/beam-search.md",
      "docs/graph-parsing.md",
      "docs/pointers.md",
      "docs/tags.md",
      "docs/languages.md",
      "docs/segmentation.md",
      "docs/tagging.md",
      "docs/joint-morphology.md",
      "docs/disfluencies.md",
      "docs/semantic-roles.md",
    ],
  },
  {
    title: "Annotate",
    files: ["docs/search.md", "docs/constraints.md", "docs/formats.md", "docs/drawing.md"],
  },
  {
    title: "Research",
    files: [
      "docs/experiments/README.md",
      "docs/measurements.md",
      "docs/experiments/comparison.md",
      "docs/experiments/errors.md",
      "docs/experiments/beam.md",
      "docs/experiments/exact.md",
      "docs/experiments/oracles.md",
      "docs/experiments/systems.md",
    ],
  },
  {
    title: "Contribute",
    files: [
      "CONTRIBUTING.md",
      "docs/architecture.md",
      "docs/model-file.md",
      "bench/README.md",
      "docs/mutation-testing.md",
      "docs/releasing.md",
      "CHANGELOG.md",
      "SECURITY.md",
    ],
  },
];

/** Shorter titles for the menu than those of the pages. */
export const TITLES = {
  "README.md": "Overview",
  "docs/README.md": "Where to begin",
  "docs/coming-from.md": "Coming from spaCy, wink, …",
  "docs/derivations.md": "Derivations",
  "docs/evaluation.md": "Evaluation",
  "docs/languages.md": "Languages",
  "docs/segmentation.md": "Segmentation",
  "docs/joint-morphology.md": "Joint morphology",
  "docs/experiments/beam.md": "Beam search, measured",
  "docs/experiments/exact.md": "Exact search, measured",
  "docs/experiments/oracles.md": "Oracles, measured",
  "docs/experiments/comparison.md": "Errors of parsers",
  "docs/experiments/errors.md": "Errors of the English models",
  "packages/model-en/README.md": "English model",
  "packages/model-en-small/README.md": "English model, small",
  "packages/model-en-large/README.md": "English model, large",
  "packages/model-en-roles/README.md": "English model with roles",
  ...Object.fromEntries(LANGUAGES.map((code) => [cardOf(code), `${NAMES.of(code)} model`])),
};
