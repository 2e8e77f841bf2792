import { LinearModel, type ModelHeader, ParserModel } from "@stemma/core";

/** A model whose weights are in memory that threads share. */
export interface SharedModel {
  header: ModelHeader;
  marks: Uint16Array;
  places: Int32Array;
  rows: Int32Array;
}

/** Copies the weights of a model, once, to memory that can be given to any number of workers. */
export function shared({ header, linear }: ParserModel): SharedModel {
  return {
    header,
    marks: new Uint16Array(copy(linear.marks)),
    places: new Int32Array(copy(linear.places)),
    rows: new Int32Array(copy(linear.rows)),
  };
}

/** The model in a worker; nothing is copied. */
export function attached({ header, marks, places, rows }: SharedModel): ParserModel {
  return new ParserModel(header, new LinearModel(marks, places, rows));
}

function copy(array: Uint16Array | Int32Array): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(array.byteLength);
  new Uint8Array(memory).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return memory;
}
