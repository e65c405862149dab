import { relative, resolve } from "node:path";
import { Databases, type Logger, Paths, type Resolver, Signals } from "@parley/core";
import type { OpenedFiles } from "./json-files.ts";

const TOPIC = "files";

/** Creates the function that tells the other processes of a written file; without it they notice within its check interval. */
export function createFileNotifier(from: Resolver, log: Logger): (path: string) => Promise<void> {
  return async (path) => {
    const { isShared, main } = from.get(Databases);
    if (!isShared) return;
    // The folder may have another path on other nodes.
    const key = relative(from.get(Paths).data, path);
    await main
      .write(from.find(Signals)?.telling([{ topic: TOPIC, key }]) ?? [])
      .catch((error: unknown) => log.debug("other nodes were not told of a file", { file: path, error }));
  };
}

/** Looks again at files that other processes have written; returns a function that stops that. */
export function followFiles(from: Resolver, files: Pick<OpenedFiles, "expire">): () => void {
  const { data } = from.get(Paths);
  const end = from.find(Signals)?.listen(TOPIC, (key) => files.expire(key === undefined ? key : resolve(data, key)));
  return () => end?.();
}
