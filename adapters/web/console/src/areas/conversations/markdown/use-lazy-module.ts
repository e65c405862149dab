import { useEffect, useState } from "react";
import { loadChunk } from "../../../shared/load-chunk.ts";

/** A module loaded on first use. */
export function createLazyModule<Part>(load: () => Promise<Part>): { use(isNeeded: boolean): Part | undefined } {
  let part: Part | undefined;
  let loading: Promise<Part> | undefined;
  return {
    use(isNeeded) {
      const [, show] = useState(0);
      useEffect(() => {
        if (!isNeeded || part) return;
        let isOver = false;
        loading ??= loadChunk(load);
        loading.then(
          (loaded) => {
            part = loaded;
            if (!isOver) show((now) => now + 1);
          },
          // The text stays as it is; the next one that needs it tries again.
          () => {
            loading = undefined;
          },
        );
        return () => {
          isOver = true;
        };
      }, [isNeeded]);
      return isNeeded ? part : undefined;
    },
  };
}
