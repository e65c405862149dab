import type { FileHandle } from "node:fs/promises";
import type { OpenWorkspaceFile, WorkspaceItem } from "@parley/core";

/** Returns an open file by its handle, so that later changes of its name do not matter. */
export function toOpenFile(item: WorkspaceItem, url: string, handle: FileHandle): OpenWorkspaceFile {
  return {
    item,
    url,
    stream: (range?: { readonly start: number; readonly end: number }) =>
      handle.createReadStream({ start: 0, ...range }),
    async head(most: number) {
      const bytes = Buffer.alloc(Math.min(most, item.size));
      let at = 0;
      for (;;) {
        const { bytesRead } = await handle.read(bytes, at, bytes.length - at, at);
        at += bytesRead;
        if (bytesRead === 0 || at === bytes.length) return bytes.subarray(0, at);
      }
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}
