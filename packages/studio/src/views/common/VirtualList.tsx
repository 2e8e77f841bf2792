import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface Props {
  count: number;
  /** How far it is scrolled at first, in pixels; a new value scrolls it. */
  start: number;
  /** Of a row, in pixels. */
  height: number;
  row(index: number): ComponentChildren;
  onRange(from: number, to: number): void;
  onScroll(top: number): void;
}

/** Browsers cannot scroll over more pixels than about this; beyond it, a pixel stands for more than one. */
const TALLEST = 8_000_000;
const SPARE_ROWS = 6;

/** A list of which only the rows in sight exist. */
export function VirtualList({ count, start, height, row, onRange, onScroll }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(start);
  const [room, setRoom] = useState(600);
  useEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => setRoom(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    box.current!.scrollTop = start;
    setTop(start);
  }, [count, start]);

  const tall = Math.min(count * height, TALLEST);
  const scale = count === 0 ? 1 : (count * height - room) / Math.max(1, tall - room);
  const first = Math.max(0, Math.floor((Math.max(1, scale) * top) / height) - SPARE_ROWS);
  const last = Math.min(count, first + Math.ceil(room / height) + 2 * SPARE_ROWS);
  // Rows are placed relative to what is scrolled, so that they stand right at any scale.
  const offset = scale > 1 ? top - Math.min(SPARE_ROWS, Math.floor((scale * top) / height)) * height : first * height;
  useEffect(() => onRange(first, last), [first, last, count]);

  const rows = [];
  for (let i = first; i < last; i++) {
    rows.push(
      <li key={i} style={{ height: `${height}px` }} aria-setsize={count} aria-posinset={i + 1}>
        {row(i)}
      </li>,
    );
  }
  return (
    <div
      ref={box}
      class="virtual"
      onScroll={(event) => {
        setTop(event.currentTarget.scrollTop);
        onScroll(event.currentTarget.scrollTop);
      }}
    >
      <div style={{ height: `${tall}px` }}>
        <ul style={{ transform: `translateY(${Math.max(0, offset)}px)` }}>{rows}</ul>
      </div>
    </div>
  );
}
