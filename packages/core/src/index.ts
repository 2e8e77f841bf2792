export const NONE = -1;
