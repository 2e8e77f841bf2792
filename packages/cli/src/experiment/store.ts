import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileError } from "../files/io.js";
import type { Cell, CellResult } from "./cell.js";

/** The folder with one file for each finished cell, named by what determines its result. */
export class Store {
  private constructor(
    readonly folder: string,
    private readonly names: Set<string>,
    private readonly newest: Map<string, string>,
    private readonly anyBuild: boolean,
  ) {}

  /** With `anyBuild`, results of other builds of the program are as good, the newest first. */
  static async open(folder: string, anyBuild: boolean): Promise<Store> {
    const found = existsSync(folder)
      ? await readdir(folder).catch((error) => {
          throw fileError("read the folder of the results", folder, error);
        })
      : [];
    const names = found.filter((name) => name.endsWith(".json"));
    const newest = new Map<string, string>();
    const times = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).mtimeMs));
    const order = names.map((_, i) => i).sort((a, b) => times[a]! - times[b]!);
    for (const i of order) newest.set(hashPart(names[i]!), names[i]!);
    return new Store(folder, new Set(names), newest, anyBuild);
  }

  /** Makes the folder, before results go there. */
  async create(): Promise<void> {
    try {
      await mkdir(this.folder, { recursive: true });
    } catch (error) {
      throw fileError("make the folder of the results", this.folder, error);
    }
  }

  pathOf(cell: Cell): string {
    return join(this.folder, `${cell.id}.json`);
  }

  checkpointOf(cell: Cell): string {
    return join(this.folder, `${cell.id}.checkpoint`);
  }

  /** The result of a cell, undefined if it is not there or not whole. */
  async load(cell: Cell): Promise<CellResult | undefined> {
    const own = `${cell.id}.json`;
    const name = this.names.has(own) ? own : this.anyBuild ? this.newest.get(hashPart(own)) : undefined;
    return name === undefined ? undefined : this.read(name, cell);
  }

  /** How many of the cells have results of other builds only, which are not taken. */
  otherBuilds(cells: readonly Cell[]): number {
    if (this.anyBuild) return 0;
    return cells.filter(({ id }) => !this.names.has(`${id}.json`) && this.newest.has(hashPart(id))).length;
  }

  /** The result that a worker has just written. */
  loadNew(cell: Cell): Promise<CellResult | undefined> {
    return this.read(`${cell.id}.json`, cell);
  }

  private async read(name: string, cell: Cell): Promise<CellResult | undefined> {
    try {
      const result = JSON.parse(await readFile(join(this.folder, name), "utf8")) as CellResult;
      const isWhole = JSON.stringify(result.key) === JSON.stringify(cell.key) && Array.isArray(result.last?.wordLas);
      return isWhole ? result : undefined;
    } catch {
      return undefined;
    }
  }
}

function hashPart(name: string): string {
  return name.slice(0, name.indexOf("-"));
}
