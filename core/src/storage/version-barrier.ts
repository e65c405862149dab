import type { Logger } from "../services/operations/logger.ts";
import type { Nodes } from "../services/operations/nodes.ts";

/**
 * Runs work that earlier versions do not understand: at once when there are no nodes of other versions, else when the
 * last one has ended. Returns the function that stops waiting.
 */
export async function runOnceVersionsMatch(
  nodes: Pick<Nodes, "id" | "list" | "onGone"> | undefined,
  log: Pick<Logger, "warn">,
  work: () => Promise<void>,
): Promise<() => void> {
  if (!nodes || (await haveSameVersion(nodes))) {
    await work();
    return () => {};
  }
  let last: Promise<unknown> = Promise.resolve();
  let isDone = false;
  const attempt = async () => {
    if (isDone || !(await haveSameVersion(nodes))) return;
    isDone = true;
    await work();
  };
  const end = nodes.onGone(() => {
    last = last.then(attempt).catch((error: unknown) => {
      isDone = false;
      log.warn("work that waits for nodes of other versions could not be done", { error });
    });
  });
  return () => {
    isDone = true;
    end();
  };
}

async function haveSameVersion({ id, list }: Pick<Nodes, "id" | "list">): Promise<boolean> {
  const all = await list();
  const own = all.find((node) => node.id === id)?.version;
  return all.every(({ version }) => version === own || version === "");
}
