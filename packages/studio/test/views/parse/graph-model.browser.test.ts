// A graph-based model in Studio, one that tags, one with pointers: the tree is shown, and that it has no derivation.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeModel } from "@stemma/core";
import { train } from "@stemma/core/training";
import { describe, expect, test } from "vitest";
import { toyTreebank } from "../../../../core/test/toy-pipeline.js";
import { accessibilityProblems, at, CHROMIUM, Studio, tab } from "../../harness.js";

describe.skipIf(!CHROMIUM)("Studio with a model without transitions", () => {
  const studio = new Studio();

  test("shows its tree, and says that there is nothing to step through", async () => {
    const sentences = toyTreebank(60, 1);
    const { model } = await train({ sentences, dev: sentences, system: "graph", epochs: 2, pipeline: true, folds: 2 });
    const file = join(studio.folder, "graph.stemma");
    writeFileSync(file, writeModel(model));
    const page = await studio.open(at("parse", { t: "Mina sells maps." }), {}, studio.withoutModel);
    await page.setInputFiles('[aria-label="Model file"]', file);
    await page.waitForSelector(".model-chip.ready");
    expect(await page.locator(".model-chip").getAttribute("title")).toContain("graph.stemma: graph, eisner, order 2");
    await page.waitForSelector(".arc");
    expect(await page.locator(".arc").count()).toBeGreaterThan(2);
    await tab(page, "Step through");
    await page.waitForSelector("text=This model cannot show a derivation: it is graph-based");
    // The tree of the model is built by the chosen system, with the oracle.
    await page.waitForSelector(".step-main .arc, .step-main svg");
    expect(await page.locator("option[value=model]").first().textContent()).toContain("(graph)");
    await page.locator("details.beam summary").click();
    await page.waitForSelector("text=it is graph-based and looks at all trees at once");
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test.each([
    ["tags", "tags.stemma: tags, two-planes", "it gives each word a tag"],
    ["pointers", "pointers.stemma: pointers", "each word points at its head, from left to right, without a stack"],
  ])("does the same with one of %s", async (system, title, reason) => {
    const sentences = toyTreebank(60, 1);
    const { model } = await train({ sentences, dev: sentences, system, epochs: 2, pipeline: true, folds: 2 });
    const file = join(studio.folder, `${system}.stemma`);
    writeFileSync(file, writeModel(model));
    const page = await studio.open(at("parse", { t: "Mina sells maps." }), {}, studio.withoutModel);
    await page.setInputFiles('[aria-label="Model file"]', file);
    await page.waitForSelector(".model-chip.ready");
    expect(await page.locator(".model-chip").getAttribute("title")).toContain(title);
    await page.waitForSelector(".arc");
    await tab(page, "Step through");
    await page.waitForSelector(`text=This model cannot show a derivation: ${reason}`);
    await page.waitForSelector(".step-main .arc, .step-main svg");
    await page.locator("details.beam summary").click();
    await page.waitForSelector(`details.beam >> text=${reason}`);
    expect(await accessibilityProblems(page)).toEqual([]);
  });
});
