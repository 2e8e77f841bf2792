export interface Source {
  file: string;
  language: string;
  counted: string[];
  kept: string[];
}
export function sourcesIn(folder?: string, wanted?: RegExp, last?: number): Source[];
export function tryProfiles(
  sources: readonly Source[],
  most: number,
): {
  byLanguage: Map<string, { all: number; right: number; unsure: number; surelyWrong: number }>;
  errors: Map<string, number>;
};
