import { useEffect, useState } from "react";
import { loadChunk } from "../../../shared/load-chunk.ts";

/** Returns an object whose hook `use` loads a module when it is first needed, and returns it once loaded. */
export function createLazyModule<Part>(load: () => Promise<Part>): { use(isNeeded: boolean): Part | undefined } {
  let module: Part | undefined;
  let loading: Promise<Part> | undefined;
  return {
    use(isNeeded) {
      const [, rerender] = useState(0);
      useEffect(() => {
        if (!isNeeded || module) return;
        let isCancelled = false;
        loading ??= loadChunk(load);
        loading.then(
          (loaded) => {
            module = loaded;
            if (!isCancelled) rerender((now) => now + 1);
          },
          // After a failure the caller goes on without the module; the next component that needs it tries again.
          () => {
            loading = undefined;
          },
        );
        return () => {
          isCancelled = true;
        };
      }, [isNeeded]);
      return isNeeded ? module : undefined;
    },
  };
}
