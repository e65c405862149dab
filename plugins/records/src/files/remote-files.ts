import { relative, resolve } from "node:path";
import { Databases, type Logger, Paths, type Resolver, Signals } from "@parley/core";
import type { OpenedFiles } from "./json-files.ts";

const TOPIC = "files";

/** Creates the function that notifies other processes of a written file; otherwise they notice it when they check. */
export function createFileNotifier(from: Resolver, log: Logger): (path: string) => Promise<void> {
  return async (path) => {
    const { isShared, main } = from.get(Databases);
    if (!isShared) return;
    // The folder may have another path on other nodes.
    const key = relative(from.get(Paths).data, path);
    await main
      .write(from.find(Signals)?.telling([{ topic: TOPIC, key }]) ?? [])
      .catch((error: unknown) => log.debug("the other nodes could not be notified of a file", { file: path, error }));
  };
}

/** Checks files again that other processes have written; returns an unsubscribe function. */
export function followFiles(from: Resolver, files: Pick<OpenedFiles, "expire">): () => void {
  const { data } = from.get(Paths);
  const end = from.find(Signals)?.listen(TOPIC, (key) => files.expire(key === undefined ? key : resolve(data, key)));
  return () => end?.();
}
