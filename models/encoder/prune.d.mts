export function piecesOf(tokenizer: string, words: Iterable<string>): { numbers: number[]; vocabulary: string[] };
