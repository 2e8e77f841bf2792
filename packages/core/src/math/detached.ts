/**
 * A copy of a string that stands on its own, for whatever is kept longer than the text it was cut from: engines keep
 * all of a text alive for a piece of it. The piece that is returned is one of a copy which is no longer than itself but
 * for a space.
 */
export function detached(text: string): string {
  return ` ${text}`.slice(1);
}
