import { FileError } from "../files/io.js";

/** The picture of a sentence; says which one it is if it is too large to be drawn. */
export function drawn(number: number, draw: () => string): string {
  try {
    return draw();
  } catch (error) {
    if (error instanceof RangeError) throw new FileError(`sentence ${number} cannot be drawn: ${error.message}`);
    throw error;
  }
}
