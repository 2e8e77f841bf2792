export interface BundleEntry {
  type: number;
  shape: number[];
  shard: number;
  offset: number;
  size: number;
}
export function bundleEntries(index: Buffer): Map<string, BundleEntry>;
export function tensorName(name: string): string | undefined;
export function encoderTensors(index: Buffer, data: Buffer): Map<string, { shape: number[]; bytes: Uint8Array }>;
