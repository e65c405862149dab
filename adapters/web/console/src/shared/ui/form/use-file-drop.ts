import { useEffect, useRef, useState } from "react";
import { isFolder } from "../../files/files-in-folders.ts";

/** Called with the dropped files, and the folders by name and as entries that can be read. */
export type OnFilesDropped = (
  files: readonly File[],
  folderNames: readonly string[],
  folders: readonly FileSystemDirectoryEntry[],
) => void;

/** Accepts files dropped anywhere on the page; returns true while files are dragged over it. */
export function useFileDrop(onDrop: OnFilesDropped): boolean {
  const [isDragging, setDragging] = useState(false);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    const handleDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Else the browser would leave the page to show the file.
      event.preventDefault();
      setDragging(true);
    };
    const handleDragLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setDragging(false);
    };
    const handleDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setDragging(false);
      latest.current(...readDataTransfer(event.dataTransfer));
    };
    document.addEventListener("dragover", handleDragOver);
    document.addEventListener("dragleave", handleDragLeave);
    document.addEventListener("drop", handleDrop);
    return () => {
      document.removeEventListener("dragover", handleDragOver);
      document.removeEventListener("dragleave", handleDragLeave);
      document.removeEventListener("drop", handleDrop);
    };
  }, []);
  return isDragging;
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}

// A folder also counts as a file, which cannot be read.
function readDataTransfer(data: DataTransfer | null): Parameters<OnFilesDropped> {
  const items = [...(data?.items ?? [])].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const folders = items.flatMap(({ entry }) => (isFolder(entry) ? [entry] : []));
  const files = items.flatMap(({ entry, file }) => (file && !entry?.isDirectory ? [file] : []));
  return [files, folders.map(({ name }) => name), folders];
}
