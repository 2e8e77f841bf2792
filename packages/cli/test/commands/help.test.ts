import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadProgram } from "../../src/program.js";
import { STEMMA } from "../stemma.js";

const COMMANDS = new URL("../../src/commands/", import.meta.url);

function stemma(...args: string[]) {
  const { stdout, status } = spawnSync(process.execPath, [STEMMA, ...args], { encoding: "utf8" });
  return { stdout, status };
}

test("--help lists every command", () => {
  const { stdout, status } = stemma("--help");
  expect(status).toBe(0);
  const listed = [...stdout.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map((match) => match[1]);
  const files = readdirSync(COMMANDS).filter((name) => name.endsWith(".ts"));
  expect(listed).toEqual(expect.arrayContaining(files.map((name) => name.slice(0, -3))));
});

test("an unknown command or option has status 2 and says where help is", () => {
  expect(stemma("pares").status).toBe(2);
  const { stderr, status } = spawnSync(process.execPath, [STEMMA, "draw", "--colour"], { encoding: "utf8" });
  expect(stderr).toMatch(/unknown option '--colour'[\s\S]*--help/);
  expect(status).toBe(2);
});

/** The help of `train` on a topic, as a process of its own would print it, before lines are broken. */
async function helpOn(topic: string): Promise<string> {
  const [train] = (await loadProgram("train")).commands;
  let written = "";
  train!.configureOutput({ writeOut: (text) => (written += text) }).setOptionValue("help", topic);
  train!.outputHelp();
  return written;
}

test("train: a screen for newcomers, topics, and everything", async () => {
  const lines = (text: string) => text.trimEnd().split("\n");
  const { stdout: first, status } = stemma("train", "--help");
  expect(status).toBe(0);
  expect(lines(first).length).toBeLessThanOrEqual(45);
  expect(first).not.toMatch(/--(joint|tag-margin|loss-bound)/);
  expect(stemma("help", "train").stdout).toBe(first);
  const topics = [...first.slice(first.indexOf("More:")).matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name!);
  const all = stemma("train", "--help", "all").stdout;
  const flagsOf = (text: string) => [...text.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag!);
  const pages = await Promise.all(topics.map(helpOn));
  const unbroken = (text: string) => text.replaceAll(/\s+/g, " ");
  expect(unbroken(pages[0]!)).toBe(unbroken(stemma("train", "--help", topics[0]!).stdout));
  const inTopics = pages.flatMap(flagsOf);
  // Every option is under one topic.
  expect([...inTopics, "--quiet", "--help"].sort()).toEqual(flagsOf(all).sort());
  expect(stemma("train", "--help", "beams").status).toBe(2);
});

test("experiment: a screen, and topics", () => {
  expect(stemma("experiment", "--help").stdout.split("\n").length).toBeLessThanOrEqual(45);
  expect(stemma("experiment", "--help", "fields").stdout).toMatch(/\blossBound,\s/);
});

test("the tables of settings in docs/training.md are those of the schema (node docs/settings.mjs writes them)", () => {
  const script = fileURLToPath(new URL("../../../../docs/settings.mjs", import.meta.url));
  const { stderr, status } = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
});
