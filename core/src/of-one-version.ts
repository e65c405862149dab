import type { Logger } from "./services/logger.ts";
import type { Nodes } from "./services/nodes.ts";

/**
 * Runs work that leaves what nodes of other versions do not understand: at once where there are none, else when the last of them
 * has gone. Returns the end of the waiting.
 */
export async function onceOfOneVersion(
  nodes: Pick<Nodes, "id" | "list" | "onGone"> | undefined,
  log: Pick<Logger, "warn">,
  work: () => Promise<void>,
): Promise<() => void> {
  if (!nodes || (await areOfOneVersion(nodes))) {
    await work();
    return () => {};
  }
  let last: Promise<unknown> = Promise.resolve();
  let isDone = false;
  const attempt = async () => {
    if (isDone || !(await areOfOneVersion(nodes))) return;
    isDone = true;
    await work();
  };
  const end = nodes.onGone(() => {
    last = last.then(attempt).catch((error: unknown) => {
      isDone = false;
      log.warn("what waits for nodes of other versions to go could not be done", { error });
    });
  });
  return () => {
    isDone = true;
    end();
  };
}

async function areOfOneVersion({ id, list }: Pick<Nodes, "id" | "list">): Promise<boolean> {
  const all = await list();
  const own = all.find((node) => node.id === id)?.version;
  return all.every(({ version }) => version === own || version === "");
}
