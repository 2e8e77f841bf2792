export interface TreebankEntry {
  name: string;
  parts: string[];
  licence: string;
  release?: string;
  commit?: string;
  spaces?: false;
  posts?: true;
  weight?: number;
}
export interface Block {
  lines: string[];
  words: number;
}
export class DataError extends Error {}
export function checkLicence(name: string, licence: string): void;
export function readBlocks(path: string): Block[];
export function checkBlocks(source: string, blocks: readonly Block[], entry?: { spaces?: false | undefined }): void;
export function withSpaces(block: Block): Block;
export function goldOf(
  treebanks: readonly TreebankEntry[],
  share: number,
  folders: readonly string[],
): {
  train: { name: string; train: Block[]; weight: number }[];
  held: Block[];
  sources: { file: string; sha256: string; sentences: number; words: number }[];
  leftOut: { file: string; sentences: number }[];
};
