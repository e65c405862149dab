import { useEffect, useRef, useState } from "react";

/** What takes what is dropped: files, and folders by their names and to be read. */
export type TakeDropped = (
  files: readonly File[],
  folders: readonly string[],
  entries: readonly FileSystemDirectoryEntry[],
) => void;

/** Files that are dropped anywhere on the page; true while some are held over it. */
export function useFileDrop(take: TakeDropped): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Else the browser would leave the page to show the file.
      event.preventDefault();
      setOver(true);
    };
    const left = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false);
    };
    const dropped = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      latest.current(...contentOf(event.dataTransfer));
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", left);
    document.addEventListener("drop", dropped);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", left);
      document.removeEventListener("drop", dropped);
    };
  }, []);
  return isOver;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}

// A folder looks like a file that cannot be read.
function contentOf(data: DataTransfer | null): Parameters<TakeDropped> {
  const items = [...(data?.items ?? [])].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const folders = items.flatMap(({ entry }) => (entry?.isDirectory ? [entry as FileSystemDirectoryEntry] : []));
  const files = items.flatMap(({ entry, file }) => (file && !entry?.isDirectory ? [file] : []));
  return [files, folders.map(({ name }) => name), folders];
}
