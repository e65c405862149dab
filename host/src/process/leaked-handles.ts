import type { Logger } from "@parley/core";

export function countResources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** Reports resources that plugins should have released: timers, sockets and workers beyond those before the start. */
export async function reportLeakedHandles(before: ReadonlyMap<string, number>, log: Logger): Promise<void> {
  const listLeaked = () =>
    [...countResources()].flatMap(([kind, count]) => {
      const more = count - (before.get(kind) ?? 0);
      return more > 0 && /^(Timeout|TCPServerWrap|MessagePort|FSEvent|Pipe)/.test(kind) ? [`${more} × ${kind}`] : [];
    });
  let leaked = listLeaked();
  // Recently closed handles are still counted until the event loop has run.
  for (let turns = 0; leaked.length > 0 && turns < 10; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    leaked = listLeaked();
  }
  if (leaked.length > 0) log.warn("resources are still open after the stop", { resources: leaked });
}
