import { signal } from "@preact/signals";

/** How large trees are drawn: a factor, as wide as there is room, or "auto", where nobody chose. */
export const zoom = signal<number | "fit" | "auto">("auto");

export const LAYOUTS = { line: "One line", wrapped: "Wrapped", vertical: "Vertical" } as const;
/** Where words stand: in one line, in lines as text, or one below the other. */
export const layout = signal<keyof typeof LAYOUTS>("line");

const STEPS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 2, 3] as const;

/** Words that are drawn smaller are hard to read, and larger ones than these only take room. */
export const SMALLEST = 0.62;
const LARGEST = 1.6;

export interface Size {
  width: number;
  height: number;
}

/** The factor for a drawing; `fills`: nobody chose, and it has to fit into its room as far as it can be read then. */
export function scaleFor(drawing: Size, room: Size, fills: boolean): number {
  const [wide, high] = [room.width / drawing.width, room.height / drawing.height];
  if (zoom.value === "fit") return Math.min(1, wide);
  if (zoom.value !== "auto") return zoom.value;
  return fills ? Math.max(SMALLEST, Math.min(LARGEST, 0.999 * wide, high)) : 1;
}

/** The next larger or smaller factor. */
export function nextZoom(scale: number, direction: 1 | -1): number {
  const steps =
    direction > 0 ? STEPS.filter((step) => step > scale + 0.01) : STEPS.filter((step) => step < scale - 0.01);
  return (direction > 0 ? steps[0] : steps.at(-1)) ?? scale;
}
