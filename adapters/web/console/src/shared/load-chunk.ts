import { type ComponentType, type LazyExoticComponent, lazy as reactLazy } from "react";

/** Delays between attempts: a restarting or overloaded service is soon available. */
const RETRY_DELAYS_MS = [300, 1_000, 3_000];

/** A file of the console cannot be loaded; only reloading the page can help. */
export class MissingFileError extends Error {
  override readonly name = "MissingFileError";
}

/** Loads files of the console on demand, with some retries; throws `MissingFileError` after that. */
export async function loadChunk<Files>(load: () => Promise<Files>): Promise<Files> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await load();
    } catch (error) {
      const delayMs = RETRY_DELAYS_MS[attempt];
      if (!MODULE_ERROR.test(String(error))) throw error;
      // Vite does not request a failed style again.
      if (delayMs === undefined || STYLE_ERROR.test(String(error)))
        throw new MissingFileError(String(error), { cause: error });
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }
}

/** Like React's `lazy`, but retries failed loads as `loadChunk` does. */
export function lazy<Props>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  return reactLazy(() => loadChunk(load));
}

const STYLE_ERROR = /Unable to preload CSS/;
/** Messages of Chromium, Firefox and Safari, and of Vite for styles. */
const MODULE_ERROR = /dynamically imported module|Importing a module script failed|Unable to preload CSS/;
