/**
 * The pages of the menu, by section; files that do not exist are passed over, and pages of docs/ that are not here come
 * last.
 */
export const SECTIONS = [
  {
    title: "Start",
    files: [
      "README.md",
      "docs/library.md",
      "docs/parsing.md",
      "docs/search.md",
      "docs/studio.md",
      "examples/README.md",
    ],
  },
  {
    title: "Guides",
    files: [
      "docs/training.md",
      "docs/choosing.md",
      "docs/server.md",
      "docs/formats.md",
      "docs/drawing.md",
      "docs/evaluation.md",
      "docs/constraints.md",
      "docs/segmentation.md",
      "docs/tagging.md",
      "docs/joint-morphology.md",
      "docs/semantic-roles.md",
      "packages/model-en/README.md",
      "packages/model-en-large/README.md",
      "packages/model-en-small/README.md",
      "packages/model-en-roles/README.md",
    ],
  },
  {
    title: "Background",
    files: [
      "docs/transition-systems.md",
      "docs/oracles.md",
      "docs/derivations.md",
      "docs/pseudo-projective.md",
      "docs/beam-search.md",
      "docs/networks.md",
      "docs/graph-parsing.md",
      "docs/encoders.md",
      "docs/experiments/README.md",
    ],
  },
  {
    title: "Project",
    files: [
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "docs/architecture.md",
      "docs/model-file.md",
      "docs/releasing.md",
      "docs/mutation-testing.md",
      "SECURITY.md",
    ],
  },
];
