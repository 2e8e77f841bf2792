/** From here on the model counts as sure of an arc: where the treebank has another, one of them is probably wrong. */
export const SURE = 0.9;
