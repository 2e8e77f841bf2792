import { detached } from "../../math/detached.js";

/**
 * Remembers for strings the slots where something made from them is kept, as many as there are slots; then the string
 * that came first gives up its slot. Undefined stands for the root, which has no string.
 */
export class SlotCache {
  private readonly slots = new Map<string | undefined, number>();
  private readonly owners: (string | undefined)[] = [];
  private next = 0;

  constructor(private readonly size: number) {}

  /** The slot of a string, -1 if it has none. */
  find(key: string | undefined): number {
    return this.slots.get(key) ?? -1;
  }

  /** A slot for a string that has none. */
  add(key: string | undefined): number {
    const slot = this.next;
    this.next = slot + 1 === this.size ? 0 : slot + 1;
    if (this.owners.length > slot) this.slots.delete(this.owners[slot]);
    const own = key && detached(key);
    this.owners[slot] = own;
    this.slots.set(own, slot);
    return slot;
  }
}
