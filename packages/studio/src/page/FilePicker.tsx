import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

interface Props {
  class: string;
  title?: string | undefined;
  /** What the file is, for tests and assistive technology. */
  name: string;
  onFile(file: File): void;
  children: ComponentChildren;
}

/** A button that asks for a file. */
export function FilePicker({ title, name, onFile, children, ...rest }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class={rest.class} title={title} onClick={() => input.current?.click()}>
        {children}
      </button>
      <input
        ref={input}
        type="file"
        class="hidden"
        tabIndex={-1}
        aria-label={name}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) onFile(file);
          // The same file again is a change, too.
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
