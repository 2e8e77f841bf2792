// Round trip of the pseudo-projective transformation on gold trees, per scheme.
//
//   node bench/accuracy/pseudo-projective.mjs [FILE.conllu …]      by default Basque and Dutch in ../shared/treebanks
//
// Heads and labels are encoded, decoded and compared with the original. Sentences that are no trees are left out.

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { deprojectivize, isTree, projectivize, SCHEMES } from "../../packages/core/dist/treebank.js";

const given = process.argv.slice(2);
const files =
  given.length > 0 ? given : ["eu_bdt", "nl_lassysmall"].flatMap((name) => ["train", "dev"].map(standard(name)));

/** @param {string} name */
function standard(name) {
  return (/** @type {string} */ part) =>
    fileURLToPath(new URL(`../../../shared/treebanks/${name}-ud-${part}.conllu`, import.meta.url));
}

const percent = (part, whole) => (whole === 0 ? "-" : `${((100 * part) / whole).toFixed(2)} %`);

for (const file of files) {
  const trees = [];
  let skipped = 0;
  for (const block of readFileSync(file, "utf8").split(/\r?\n\r?\n/)) {
    const heads = [-1];
    const labels = [""];
    for (const line of block.split(/\r?\n/)) {
      const fields = line.split("\t");
      if (!/^\d+$/.test(fields[0])) continue;
      heads.push(Number(fields[6]));
      labels.push(fields[7]);
    }
    const tree = { heads: Int32Array.from(heads), labels };
    if (!isTree(tree.heads)) skipped++;
    else if (heads.length > 1) trees.push(tree);
  }
  const arcs = trees.reduce((sum, tree) => sum + tree.labels.length - 1, 0);
  console.log(
    `${basename(file)}: ${trees.length} trees, ${arcs} arcs; left out: ${skipped} sentences that are no trees`,
  );
  console.log("");
  console.log(
    "| scheme | labels | lifted arcs | heads right | heads and labels right | lifted recovered | trees right | ms |",
  );
  console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  for (const scheme of SCHEMES) {
    const labels = new Set();
    let lifted = 0;
    let heads = 0;
    let labelled = 0;
    let recovered = 0;
    let whole = 0;
    const start = performance.now();
    for (const gold of trees) {
      const encoded = projectivize(gold.heads, gold.labels, scheme);
      const decoded = deprojectivize(encoded.heads, encoded.labels, scheme);
      let right = 0;
      for (let i = 1; i < gold.heads.length; i++) {
        labels.add(encoded.labels[i]);
        if (decoded.heads[i] !== gold.heads[i]) continue;
        right++;
        if (decoded.labels[i] === gold.labels[i]) labelled++;
      }
      heads += right;
      if (right === gold.heads.length - 1) whole++;
      lifted += encoded.lifted.length;
      for (const i of encoded.lifted) if (decoded.heads[i] === gold.heads[i]) recovered++;
    }
    const cells = [
      scheme,
      labels.size,
      `${lifted} (${percent(lifted, arcs)})`,
      percent(heads, arcs),
      percent(labelled, arcs),
      percent(recovered, lifted),
      percent(whole, trees.length),
      Math.round(performance.now() - start),
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
  console.log("");
}
