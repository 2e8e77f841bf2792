import { signal } from "@preact/signals";
import { readAddress } from "../address/address.js";

/** Is the derivation alone on the screen, for an audience? */
export const presenting = signal(readAddress(location.hash).present);

/** Is the tree that is aimed at drawn below the words? */
export const goldBeside = signal(false);

/** Fills the screen, where the browser permits it: within another page it may not, and the window has to do. */
export function present(): void {
  presenting.value = true;
  document.documentElement.requestFullscreen?.().catch(() => undefined);
}

export function endPresentation(): void {
  presenting.value = false;
  if (document.fullscreenElement) void document.exitFullscreen();
}
