import { type ComponentType, type LazyExoticComponent, lazy as ofReact } from "react";

/** Delays between attempts: a restarting or overloaded service is soon available. */
const RETRY_DELAYS_MS = [300, 1_000, 3_000];

/** A file of the console cannot be loaded; only reloading the page can help. */
export class FileMissing extends Error {
  override readonly name = "FileMissing";
}

/** Loads files of the console on demand, with some retries; throws `FileMissing` after that. */
export async function loadChunk<Files>(load: () => Promise<Files>): Promise<Files> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await load();
    } catch (error) {
      const pause = RETRY_DELAYS_MS[tries];
      if (!MODULE_ERROR.test(String(error))) throw error;
      // Of a style there is no second try.
      if (pause === undefined || STYLE_ERROR.test(String(error)))
        throw new FileMissing(String(error), { cause: error });
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** Like React's `lazy`, but loads missing files again. */
export function lazy<Props>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return ofReact(() => loadChunk(load));
}

const STYLE_ERROR = /Unable to preload CSS/;
/** As Chromium, Firefox and Safari say it. */
const MODULE_ERROR = /dynamically imported module|Importing a module script failed|Unable to preload CSS/;
