/** How many states a search may look at before it is worth keeping track of them: most searches end sooner. */
const SMALL = 32;

/** The states that a search has looked at. The first few are not kept, so that a small search pays nothing for the large ones. */
export class Visited {
  private count = 0;
  private keys: Set<string> | undefined;

  /** Was this state here before? (Not known of the first few.) */
  has(state: Int32Array): boolean {
    if (++this.count <= SMALL) return false;
    this.keys ??= new Set();
    const key = String.fromCharCode(...state);
    if (this.keys.has(key)) return true;
    this.keys.add(key);
    return false;
  }
}
