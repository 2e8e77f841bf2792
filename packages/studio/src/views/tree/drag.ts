import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Geometry } from "./layout/arcs.js";

/** An arc on its way to another head: where the pointer is, and the word below it (0 for the root, -1 for none). */
export interface Drag {
  dependent: number;
  x: number;
  y: number;
  over: number;
}

/** How far a pointer moves before it drags. */
const THRESHOLD = 5;
/** The root is at the top of the drawing. */
const ROOT_HEIGHT = 30;

interface Outcome {
  /** The arc into `dependent` was dropped on another head. */
  drop(dependent: number, head: number): void;
  /** The pointer was pressed and released on an arc. */
  click(dependent: number): void;
}

/** Lets arcs be dragged to other words. */
export function useArcDrag(svg: RefObject<SVGSVGElement | null>, place: Geometry, { drop, click }: Outcome) {
  const [drag, setDrag] = useState<Drag | undefined>();
  const pressed = useRef<{ dependent: number; x: number; y: number } | undefined>(undefined);
  const at = (event: PointerEvent) => {
    const box = svg.current!.getBoundingClientRect();
    // The page may be enlarged, too.
    const scale = box.width / place.width;
    return { x: (event.clientX - box.left) / scale, y: (event.clientY - box.top) / scale };
  };
  const press = (dependent: number) => (event: PointerEvent) => {
    if (event.button !== 0) return;
    pressed.current = { dependent, ...at(event) };
    svg.current!.setPointerCapture(event.pointerId);
    event.preventDefault();
  };
  const move = (event: PointerEvent) => {
    const from = pressed.current;
    if (!from) return;
    const { x, y } = at(event);
    if (!drag && Math.hypot(x - from.x, y - from.y) < THRESHOLD) return;
    const word = y <= ROOT_HEIGHT ? 0 : place.wordAt(x, y);
    setDrag({ dependent: from.dependent, x, y, over: word === from.dependent ? -1 : word });
  };
  const release = () => {
    const from = pressed.current;
    pressed.current = undefined;
    setDrag(undefined);
    if (!from) return;
    if (!drag) click(from.dependent);
    else if (drag.over >= 0) drop(drag.dependent, drag.over);
  };
  const cancel = () => {
    pressed.current = undefined;
    setDrag(undefined);
  };
  return { drag, press, handlers: { onPointerMove: move, onPointerUp: release, onPointerCancel: cancel } };
}
