import { type Nodes, type Signals, silentLogger } from "@parley/core";
import { createTestClock } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";
import type { PartitionStore, TakenWork } from "../store/nodes/partitions.ts";
import type { PartitionHandler } from "./partition-handler.ts";
import { createPartitioning } from "./partitioning.ts";

const ignore = () => () => {};
const handler: PartitionHandler = {
  onMessage() {},
  onDeliveries() {},
  pump() {},
  onStopRequested() {},
  getBusyPartitions: () => new Set(),
  onHandoverCancelled() {},
  dropPartitions() {},
  onFenced() {},
};

/** Starts a node that drains; the other node may know that before this one does. */
async function startDrainingNode() {
  const state = { isDraining: true, owned: [] as readonly string[] };
  const notify: { draining: () => void; handedOver: (key: string) => void } = { draining() {}, handedOver() {} };
  const nodes: Nodes = {
    id: "a",
    isCounted: () => true,
    list: async () => [],
    takers: () => ["b"],
    drain: async () => {},
    isDraining: () => state.isDraining,
    onDraining(listener) {
      notify.draining = listener;
      return () => {};
    },
    onGone: ignore,
    onLost: ignore,
  };
  const signals: Signals = {
    isShared: true,
    catchUp: async () => {},
    telling: () => [],
    listen(topic, listener) {
      if (topic === "gateway-homes") notify.handedOver = listener;
      return () => {};
    },
  };
  const partitions: PartitionStore = {
    prepare: async () => {},
    assignPartitions: async () => {},
    claim: async (partition) => state.owned.includes(partition),
    takeOver: async () => [],
    takeWork: async (): Promise<TakenWork> => ({ items: [], deliveries: [], partitions: state.owned }),
    handOver: async () => ({ items: [], deliveries: [] }),
    ownersOf: async () => [],
    listOwners: async () => [],
    listHolders: async () => [],
    listRunning: async () => [],
  };
  const storeSignals = async () => {};
  const node = createPartitioning({
    nodes,
    signals,
    partitions,
    storeSignals,
    channels: () => ["shop"],
    clock: createTestClock(),
    log: silentLogger,
  });
  const session = await node.start(handler);
  onTestFinished(() => session.end());
  return { node, state, notify };
}

test("a channel that returns to a node before it stops draining is connected once draining ends", async () => {
  const { node, state, notify } = await startDrainingNode();
  const connected: string[] = [];
  const claims: Promise<void>[] = [];
  node.onClaimed((channelId) => {
    claims.push(
      node.claim(channelId).then((isOwned) => {
        if (isOwned) connected.push(channelId);
      }),
    );
  });
  state.owned = ["shop"];
  notify.handedOver("a");
  await expect.poll(() => claims.length).toBe(1);
  await Promise.all(claims);
  expect(connected).toEqual([]);

  state.isDraining = false;
  notify.draining();
  await expect.poll(() => connected).toContain("shop");
});
