import { expect, test, vi } from "vitest";
import { silentLogger } from "../services/operations/logger.ts";
import type { NodeStatus } from "../services/operations/nodes.ts";
import { runOnceVersionsMatch } from "./version-barrier.ts";

/** Returns `Nodes` with these versions by id; `own` is this node. */
function nodesOf(there: Record<string, string>) {
  const listeners = new Set<(ids: readonly string[]) => void>();
  return {
    id: "own",
    list: async () => Object.entries(there).map(([id, version]) => ({ id, version }) as NodeStatus),
    onGone(listener: (ids: readonly string[]) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async leave(id: string) {
      delete there[id];
      for (const listener of listeners) listener([id]);
      await new Promise(setImmediate);
    },
  };
}

test("a step that older versions do not understand runs at once when all nodes have one version", async () => {
  const work = vi.fn(async () => {});
  await runOnceVersionsMatch(undefined, silentLogger, work);
  await runOnceVersionsMatch(nodesOf({ own: "2.0.0", other: "2.0.0", tool: "" }), silentLogger, work);
  expect(work).toHaveBeenCalledTimes(2);
});

test("the step waits for the last node of another version, and runs once", async () => {
  const work = vi.fn(async () => {});
  const nodes = nodesOf({ own: "2.0.0", first: "1.0.0", second: "1.0.0", like: "2.0.0" });
  await runOnceVersionsMatch(nodes, silentLogger, work);
  await nodes.leave("first");
  expect(work).not.toHaveBeenCalled();
  await nodes.leave("second");
  await nodes.leave("like");
  expect(work).toHaveBeenCalledTimes(1);
});

test("the step is retried after a failure, and not after waiting has ended", async () => {
  const nodes = nodesOf({ own: "2.0.0", old: "1.0.0", like: "2.0.0", last: "2.0.0" });
  let tries = 0;
  const end = await runOnceVersionsMatch(nodes, silentLogger, async () => {
    tries += 1;
    throw new Error("no storage");
  });
  await nodes.leave("old");
  await nodes.leave("like");
  expect(tries).toBe(2);
  end();
  await nodes.leave("last");
  expect(tries).toBe(2);
});
