// The enhanced graph, tags that a model filled in, and derivations as frames and animations.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 as reference } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { GifWriter } from "../../../src/views/export/gif.js";
import { crc32, zip } from "../../../src/views/export/zip.js";
import { accessibilityProblems, at, CHROMIUM, GOLD, hasModel, ready, row, Studio } from "../../harness.js";

/** “Anna drinks tea and Paul coffee”: the second verb is an empty node. */
const ELLIPSIS =
  "1\tAnna\tAnna\tPROPN\t_\t_\t2\tnsubj\t2:nsubj\t_\n" +
  "2\tdrinks\tdrink\tVERB\t_\t_\t0\troot\t0:root\t_\n" +
  "3\ttea\ttea\tNOUN\t_\t_\t2\tobj\t2:obj\t_\n" +
  "4\tand\tand\tCCONJ\t_\t_\t5\tcc\t5.1:cc\t_\n" +
  "5\tPaul\tPaul\tPROPN\t_\t_\t2\tconj\t5.1:nsubj\t_\n" +
  "5.1\tdrinks\tdrink\tVERB\t_\t_\t_\t_\t2:conj:and\t_\n" +
  "6\tcoffee\tcoffee\tNOUN\t_\t_\t5\torphan\t5.1:obj\t_\n";

/** The entries of a ZIP archive, by its central directory. */
function unzipped(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const files = new Map<string, string>();
  let p = bytes.readUInt32LE(end + 16);
  for (let i = 0; i < bytes.readUInt16LE(end + 10); i++) {
    expect(bytes.readUInt32LE(p)).toBe(0x02014b50);
    const [size, nameLength, offset] = [
      bytes.readUInt32LE(p + 24),
      bytes.readUInt16LE(p + 28),
      bytes.readUInt32LE(p + 42),
    ];
    const name = bytes.subarray(p + 46, p + 46 + nameLength).toString();
    const from = offset + 30 + bytes.readUInt16LE(offset + 26);
    const content = bytes.subarray(from, from + size);
    expect(bytes.readUInt32LE(p + 16), name).toBe(crc32(content));
    files.set(name, content.toString());
    p += 46 + nameLength;
  }
  return files;
}

test("an archive has the files that were put in", () => {
  const files = [
    ["a.svg", "<svg/>"],
    ["ä b.txt", "ü".repeat(1000)],
  ] as const;
  expect(unzipped(Buffer.from(zip(files)))).toEqual(new Map(files));
  if (reference) expect(crc32(Buffer.from("a text"))).toBe(reference(Buffer.from("a text")));
});

describe.skipIf(!CHROMIUM)("pictures", () => {
  const studio = new Studio();
  const open = studio.open.bind(studio);
  const download = (page: Page, name: string) => studio.saved(page, () => page.getByRole("button", { name }).click());

  test("empty nodes and the arcs of the enhanced graph are drawn", async () => {
    const page = await open(at("parse", { t: ELLIPSIS }), {}, studio.withoutModel);
    await ready(page);
    await page.locator(".enhanced summary").click();
    await page.waitForSelector(".enhanced-svg");
    expect(await page.locator(".enhanced-svg .word").count()).toBe(7);
    const empty = page.locator(".enhanced-svg .empty-node");
    expect(await empty.textContent()).toContain("drinks 5.1");
    // Between “Paul” and “coffee”.
    const x = async (id: string) => (await page.locator(`.enhanced-svg [data-node="${id}"]`).boundingBox())!.x;
    expect(await x("5.1")).toBeGreaterThan(await x("5"));
    expect(await x("5.1")).toBeLessThan(await x("6"));
    expect(await page.locator(".enhanced-svg .arc:not(.enhanced-arc)").count()).toBe(3);
    expect(await page.locator(".enhanced-svg .enhanced-label").allTextContents()).toEqual([
      "cc",
      "nsubj",
      "obj",
      "conj:and",
    ]);
    expect(await accessibilityProblems(page)).toEqual([]);
    // A tree that has nothing more has no such graph.
    await page.fill("#text", GOLD);
    await page.waitForSelector('.tree-svg [data-word="6"] >> text=harbour');
    expect(await page.locator(".enhanced").count()).toBe(0);
  });

  test.skipIf(!hasModel)(
    "tags that the model filled in are marked in the card of the word, those of the file are not",
    async () => {
      const text = row(1, "Boats", "_", 2, "nsubj") + row(2, "drift", "VERB", 0, "root");
      const page = await open(at("parse", { t: text }));
      await page.waitForSelector(".model-chip.ready");
      const marked = page.locator(".word-card .chip[data-filled]");
      await expect
        .poll(async () => {
          await page.mouse.move(5, 5);
          await page.hover('[data-word="1"]');
          return marked.first().textContent();
        })
        .toBe("NOUN");
      expect(await page.locator(".word-card").textContent()).toContain("filled in by the model");
      await page.hover('[data-word="2"]');
      await page.waitForSelector(".word-card strong:text-is('drift')");
      expect(await page.locator(".word-card .chip", { hasText: "VERB" }).getAttribute("data-filled")).toBeNull();
    },
  );

  test("a derivation is saved as SVG frames and as an animation", async () => {
    const page = await open(
      at("step", { t: GOLD, by: "static", sys: "arc-eager", root: "first" }),
      {},
      studio.withoutModel,
    );
    await page.locator("summary", { hasText: "All steps" }).click();
    const steps = Number((await page.locator(".player-count").textContent())!.split("/")[1]);
    const archive = await download(page, "SVG frames");
    expect(archive.name).toBe("boats-steps.zip");
    const frames = [...unzipped(archive.bytes).values()];
    expect(frames).toHaveLength(steps + 1);
    expect(frames[0]).toMatch(/^<svg .*Start.*harbour.*<\/svg>\s*$/s);
    expect(frames[0]).not.toContain(">nsubj<");
    expect(frames.at(-1)).toContain(">nsubj<");
    // Every frame can be drawn, and all have the same size.
    const sizes = new Set(frames.map((svg) => /width="\d+" height="\d+"/.exec(svg)![0]));
    expect(sizes.size).toBe(1);

    const animation = await download(page, "GIF animation");
    expect(animation.name).toBe("boats.gif");
    const read = (await page.evaluate(`(async () => {
      const bytes = Uint8Array.from(atob(${JSON.stringify(animation.bytes.toString("base64"))}), (c) => c.charCodeAt(0));
      const decoder = new ImageDecoder({ data: bytes, type: "image/gif" });
      await decoder.tracks.ready;
      const count = decoder.tracks.selectedTrack.frameCount;
      const dark = [];
      for (const frameIndex of [0, count - 1]) {
        const { image } = await decoder.decode({ frameIndex });
        const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
        let pixels = 0;
        for (let i = 0; i < data.length; i += 4) if (data[i] < 200) pixels++;
        dark.push(pixels);
      }
      return { count, dark };
    })()`)) as { count: number; dark: [number, number] };
    expect(read.count).toBe(steps + 1);
    expect(read.dark[0]).toBeGreaterThan(100);
    // The tree has arcs at the end.
    expect(read.dark[1]).not.toBe(read.dark[0]);
  });

  test("an animation gives back the pixels that were put in, however many codes they take", async () => {
    const [width, height] = [97, 61];
    const frames = Array.from({ length: 3 }, (_, f) => {
      const pixels = new Uint8Array(4 * width * height);
      let seed = f + 1;
      for (let i = 0; i < width * height; i++) {
        seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
        // Eight colours without order: the table of codes is filled several times.
        const colour = (seed >>> 16) & 7;
        pixels.set([colour & 1 ? 248 : 0, colour & 2 ? 248 : 0, colour & 4 ? 248 : 0, 255], 4 * i);
      }
      return pixels;
    });
    const gif = new GifWriter(width, height, frames);
    for (const frame of frames) gif.add(frame, 10);
    const file = Buffer.from(gif.end());
    writeFileSync(join(studio.folder, "noise.gif"), file);
    const page = await open("", {}, studio.withoutModel);
    const read = (await page.evaluate(`(async () => {
      const bytes = Uint8Array.from(atob(${JSON.stringify(file.toString("base64"))}), (c) => c.charCodeAt(0));
      const decoder = new ImageDecoder({ data: bytes, type: "image/gif", colorSpaceConversion: "none" });
      await decoder.tracks.ready;
      const all = [];
      for (let frameIndex = 0; frameIndex < 3; frameIndex++) {
        const { image } = await decoder.decode({ frameIndex });
        const canvas = new OffscreenCanvas(${width}, ${height});
        const context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        all.push([...context.getImageData(0, 0, ${width}, ${height}).data]);
      }
      return all;
    })()`)) as number[][];
    expect(read.map((frame) => Buffer.from(frame).equals(Buffer.from(frames[read.indexOf(frame)]!)))).toEqual([
      true,
      true,
      true,
    ]);
  });
});
