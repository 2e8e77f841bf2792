import type { Geometry } from "./layout/arcs.js";
import { LAYOUTS, layout, nextZoom, zoom } from "./zoom.js";

interface Props {
  place: Geometry;
  scale: number;
  /** Arcs that are not there yet are not given away. */
  shows(dependent: number): boolean;
  /** Can words also stand in several lines? */
  shapes: boolean;
  /** The part in sight, from 0 to 1. */
  from: number;
  to: number;
  /** Brings a place, as a part of the whole, into the middle. */
  onGo(at: number): void;
}

/** The whole of a wide tree at a glance, with what is in sight, and how large it is drawn. */
export function Overview({ place, scale, shows, shapes, from, to, onGo }: Props) {
  const go = (event: PointerEvent) => {
    if (event.type === "pointermove" && event.buttons === 0) return;
    const box = (event.currentTarget as Element).getBoundingClientRect();
    onGo((event.clientX - box.left) / box.width);
  };
  return (
    <div class="overview">
      {(from > 0.001 || to < 0.999) && (
        <svg
          class="overview-map"
          viewBox={`0 0 ${place.width} ${place.height}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          onPointerDown={go}
          onPointerMove={go}
        >
          {place
            .order(0)
            .filter(shows)
            .map((d) => (
              <path key={d} d={place.line(0, d)} />
            ))}
          <rect x={from * place.width} y={0} width={(to - from) * place.width} height={place.height} />
        </svg>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame that does not belong here */}
      <div class="zoom" role="group" aria-label="Size">
        {shapes && (
          <select
            aria-label="Layout"
            value={layout.value}
            onChange={(event) => (layout.value = event.currentTarget.value as keyof typeof LAYOUTS)}
          >
            {Object.entries(LAYOUTS).map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        )}
        <button type="button" class="small" aria-label="Smaller" onClick={() => (zoom.value = nextZoom(scale, -1))}>
          −
        </button>
        <button type="button" class="small" title="Actual size" onClick={() => (zoom.value = 1)}>
          {Math.round(100 * scale)} %<span class="unseen">, actual size</span>
        </button>
        <button type="button" class="small" aria-label="Larger" onClick={() => (zoom.value = nextZoom(scale, 1))}>
          +
        </button>
        <button
          type="button"
          class="small"
          aria-pressed={zoom.value === "fit"}
          onClick={() => (zoom.value = zoom.value === "fit" ? "auto" : "fit")}
        >
          Fit to width
        </button>
      </div>
    </div>
  );
}
