import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

interface Props {
  class: string;
  title?: string | undefined;
  /** A name for tests and assistive technology. */
  name: string;
  /** `handle`: where the file can be written again, if that was asked for and the browser has it. */
  onFile(file: File, handle?: FileSystemFileHandle): void;
  withHandle?: boolean;
  children: ComponentChildren;
}

/** Of the File System Access API, which not all browsers have. */
interface OpenPicker {
  showOpenFilePicker?(): Promise<FileSystemFileHandle[]>;
}

/** A button that asks for a file. */
export function FilePicker({ title, name, onFile, withHandle = false, children, ...rest }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const choose = async () => {
    const { showOpenFilePicker } = window as OpenPicker;
    if (!withHandle || !showOpenFilePicker) return input.current?.click();
    try {
      const [handle] = await showOpenFilePicker.call(window);
      if (handle) onFile(await handle.getFile(), handle);
    } catch (error) {
      // Whoever changes his mind wants nothing; where the picker is forbidden, as in some frames, there is the field.
      if ((error as Error).name !== "AbortError") input.current?.click();
    }
  };
  return (
    <>
      <button type="button" class={rest.class} title={title} onClick={() => void choose()}>
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
