import { signal } from "@preact/signals";

/** How large trees are drawn: a factor, or as wide as there is room. */
export const zoom = signal<number | "fit">(1);

export const LAYOUTS = { line: "One line", wrapped: "Wrapped", vertical: "Vertical" } as const;
/** Where words stand: in one line, in lines as text, or one below the other. */
export const layout = signal<keyof typeof LAYOUTS>("line");

const STEPS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 2, 3] as const;
/** The factor for a drawing of a width. */
export function scaleFor(width: number, room: number): number {
  return zoom.value === "fit" ? Math.min(1, room / width) : zoom.value;
}

/** The next larger or smaller factor. */
export function nextZoom(scale: number, direction: 1 | -1): number {
  const steps =
    direction > 0 ? STEPS.filter((step) => step > scale + 0.01) : STEPS.filter((step) => step < scale - 0.01);
  return (direction > 0 ? steps[0] : steps.at(-1)) ?? scale;
}
