import type { Collection, DocumentKind, Logger, Nodes, Signals, Write } from "@parley/core";

const RATES_TOPIC = "gateway-rates";
const WORKER_TOPIC = "gateway-worker";
/** Counts are collected for this time and broadcast together, so other nodes receive them with this delay. */
const BROADCAST_EVERY_MS = 200;
/** Maximum length of a key; a signal has room for 1,000 characters. */
const MAX_KEY_CHARS = 900;

export type WorkerSwitch = "start" | "stop" | "force-stop";

/** Synchronizes shared rate limits and the worker switch between nodes. */
export interface ClusterSync {
  /** Shares one message counted towards a limit; -1 takes one back, unless it was broadcast already. */
  shareCount(key: string, by: 1 | -1): void;
  shareSwitch(state: WorkerSwitch): void;
  /** Returns whether the worker runs on the other nodes; when there are none, stores and returns `initial`. */
  isWorkerRunning(initial: boolean): Promise<boolean>;
  listen(listener: SyncListener): () => void;
}

interface SyncListener {
  onCount(key: string, times: number): void;
  onSwitch(state: WorkerSwitch): void;
}

/** The last state of the worker switch, stored for nodes that start later. */
export interface StoredSwitch {
  readonly id: "worker";
  readonly working: boolean;
}

export const WORKER_SWITCH: DocumentKind<StoredSwitch> = { name: "gateway-worker" };

export interface ClusterSyncDeps {
  readonly storedSwitch: () => Pick<Collection<StoredSwitch>, "get" | "put">;
  readonly nodes: Pick<Nodes, "id" | "list">;
  readonly signals: Signals;
  readonly write: (writes: readonly Write[]) => Promise<unknown>;
  readonly log: Logger;
}

export function createClusterSync({ storedSwitch, nodes, signals, write, log }: ClusterSyncDeps): ClusterSync {
  const counts = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const broadcast = (topic: string, keys: readonly string[]) =>
    write(signals.telling(keys.map((key) => ({ topic, key })))).catch((error: unknown) =>
      log.warn("the other nodes were not notified", { topic, error }),
    );
  const flushCounts = () => {
    timer = undefined;
    const some = [...counts].filter(([, count]) => count > 0);
    counts.clear();
    if (some.length > 0) void broadcast(RATES_TOPIC, packKeys(some));
  };
  return {
    shareCount(key, by) {
      counts.set(key, (counts.get(key) ?? 0) + by);
      if (!isClosed) timer ??= setTimeout(flushCounts, BROADCAST_EVERY_MS);
    },
    shareSwitch(state) {
      const storing = storedSwitch().put({ id: "worker", working: state === "start" });
      storing.catch((error: unknown) =>
        log.warn("the state of the worker could not be stored for later nodes", { error }),
      );
      void broadcast(WORKER_TOPIC, [state]);
    },
    async isWorkerRunning(initial) {
      const isAlone = (await nodes.list()).every(({ id }) => id === nodes.id);
      if (!isAlone) return (await storedSwitch().get("worker"))?.working ?? initial;
      await storedSwitch().put({ id: "worker", working: initial });
      return initial;
    },
    listen(listener) {
      const unsubscribes = [
        signals.listen(RATES_TOPIC, (key) => {
          // A signal without a key means that signals were missed; their counts have expired by now.
          for (const [one, times] of key === undefined ? [] : parseEntries(key)) listener.onCount(one, times);
        }),
        signals.listen(WORKER_TOPIC, (state) => {
          if (state !== undefined) listener.onSwitch(state as WorkerSwitch);
        }),
      ];
      return () => {
        isClosed = true;
        clearTimeout(timer);
        for (const end of unsubscribes) end();
      };
    },
  };
}

/** Packs the counts into as few signals as possible. A count whose key is too long for a signal is dropped. */
function packKeys(counts: readonly (readonly [string, number])[]): readonly string[] {
  const texts: string[] = [];
  let text = "";
  for (const one of counts) {
    const next = JSON.stringify(one);
    if (next.length > MAX_KEY_CHARS) continue;
    if (text.length + next.length > MAX_KEY_CHARS) texts.push(text);
    text = text === "" || text.length + next.length > MAX_KEY_CHARS ? next : `${text},${next}`;
  }
  return text === "" ? texts : [...texts, text];
}

function parseEntries(text: string): readonly (readonly [string, number])[] {
  return JSON.parse(`[${text}]`);
}
