import { openModelFile } from "../state/model/load.js";
import { fileOver } from "../state/shown/state.js";
import { openFile } from "../state/treebank/open.js";

/** Files can be dropped anywhere: models are loaded, treebanks opened, other texts parsed. */
export function acceptFiles(): void {
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    fileOver.value = true;
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) fileOver.value = false;
  });
  addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    fileOver.value = false;
    if (!file) return;
    event.preventDefault();
    if (file.name.endsWith(".stemma")) void openModelFile(file);
    else void handleOf(event.dataTransfer?.items[0]).then((handle) => openFile(file, handle));
  });
}

/** Where a file that was dropped can be written again, if the browser has that. */
async function handleOf(item: DataTransferItem | undefined): Promise<FileSystemFileHandle | undefined> {
  const { getAsFileSystemHandle } = (item ?? {}) as { getAsFileSystemHandle?(): Promise<FileSystemHandle | null> };
  const handle = await getAsFileSystemHandle?.call(item).catch(() => null);
  return handle?.kind === "file" ? (handle as FileSystemFileHandle) : undefined;
}
