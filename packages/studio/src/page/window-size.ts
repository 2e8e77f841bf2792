import { effect } from "@preact/signals";
import { presenting } from "../state/derivation/stage.js";

/** Windows for which everything has its own size, in pixels; in larger ones it is larger. */
const USUAL = [1920, 1000] as const;
/** For an audience: as large as fifteen words permit. */
const STAGE = [900, 600] as const;

/** Lets everything grow with the window, as `zoom` in theme.css, and ends a presentation with the full screen. */
export function followWindow(): void {
  const follow = () => {
    const [width, height] = presenting.value ? STAGE : USUAL;
    const factor = Math.max(1, Math.min(innerWidth / width, innerHeight / height));
    document.documentElement.style.setProperty("--zoom", factor.toFixed(2));
  };
  effect(follow);
  addEventListener("resize", follow);
  document.addEventListener("fullscreenchange", () => {
    if (!document.fullscreenElement) presenting.value = false;
  });
}
