import { useEffect, useRef, useState } from "react";

/** Files that are dropped anywhere on the page; true while some are held over it. */
export function useFileDrop(take: (files: readonly File[], folders: readonly string[]) => void): boolean {
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
function contentOf(data: DataTransfer | null): readonly [files: readonly File[], folders: readonly string[]] {
  const items = [...(data?.items ?? [])].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const folders = items.flatMap(({ entry }) => (entry?.isDirectory ? [entry.name] : []));
  return [items.flatMap(({ entry, file }) => (file && !entry?.isDirectory ? [file] : [])), folders];
}
