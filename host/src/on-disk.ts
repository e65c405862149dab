import { open } from "node:fs/promises";

/** Resolves when what was written to a file or a folder is on disk for good. */
export async function settled(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** For `catch`: what is not there is nothing, every other failure is one. */
export function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
}
