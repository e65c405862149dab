import {
  type Collection,
  fixedStatement,
  type InboundMessage,
  type NodeStatus,
  type Signals,
  silentLogger,
  type Write,
} from "@parley/core";
import { createTestClock, memoryRecordStore } from "@parley/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRateLimits } from "../accept/rate-limits.ts";
import { createClusterBacklog } from "./cluster-backlog.ts";
import { createClusterSync, type StoredSwitch, WORKER_SWITCH } from "./cluster-sync.ts";

type SyncCallback = (key: string | undefined) => void;

let listeners: { readonly node: number; readonly topic: string; readonly onSignal: SyncCallback }[];
const ends: (() => void)[] = [];
let switches: Collection<StoredSwitch>;
let started: string[];
let sentSignals: { readonly topic: string; readonly key: string }[];
beforeEach(() => {
  listeners = [];
  started = [];
  switches = memoryRecordStore({ kinds: () => [], documents: () => [WORKER_SWITCH as never] }).documents(WORKER_SWITCH);
  sentSignals = [];
});

afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Creates signals that reach the other nodes when they are written. */
function createSignals(node: number) {
  const signals: Signals = {
    isShared: true,
    catchUp: async () => {},
    telling: (all) => all.map((one) => ({ query: fixedStatement(JSON.stringify(one), []) })),
    listen(topic, listener) {
      listeners.push({ node, topic, onSignal: listener });
      return () => {};
    },
  };
  const write = async (writes: readonly Write[]) => {
    for (const { query } of writes) {
      const one = JSON.parse(query.compile().sql) as { readonly topic: string; readonly key: string };
      sentSignals.push(one);
      for (const { node: other, topic, onSignal } of listeners)
        if (other !== node && topic === one.topic) onSignal(one.key);
    }
  };
  return { signals, write };
}

const createMessage = (sender: string) =>
  ({ channelId: "shop", sender: { id: sender }, conversation: { id: sender } }) as unknown as InboundMessage;

function startNode(node: number) {
  const openSwitches = () => switches;
  const nodes = { id: String(node), list: async () => started.map((id) => ({ id }) as NodeStatus) };
  started.push(String(node));
  const others = createClusterSync({ storedSwitch: openSwitches, nodes, ...createSignals(node), log: silentLogger });
  const limits = createRateLimits({
    clock: createTestClock(0),
    getLimits: () => ({ user: 4, conversation: 0, channel: 0 }),
    broadcast: (_channel, key, by) => others.shareCount(key, by),
  });
  const switched: string[] = [];
  ends.push(others.listen({ onCount: limits.addRemote, onSwitch: (how) => switched.push(how) }));
  return { limits, others, switched };
}

test("a rate limit is shared by all nodes, a moment after a message reaches one of them", async () => {
  const [one, other] = [startNode(1), startNode(2)];
  for (let count = 0; count < 4; count += 1) expect(one.limits.findExceeded(createMessage("ann"))).toBeUndefined();
  await vi.waitFor(() => expect(other.limits.findExceeded(createMessage("ann"))).toBe("user"));
  expect(other.limits.findExceeded(createMessage("bob"))).toBeUndefined();
});

test("a reservation that is released at once is not counted on any node", async () => {
  const [one, other] = [startNode(1), startNode(2)];
  for (let count = 0; count < 4; count += 1) {
    one.limits.findExceeded(createMessage("ann"));
    one.limits.refund(createMessage("ann"));
  }
  one.limits.findExceeded(createMessage("bob"));
  await vi.waitFor(() => expect(sentSignals).toHaveLength(1));
  expect(sentSignals[0]?.key).toContain("bob");
  expect(sentSignals[0]?.key).not.toContain("ann");
  expect(other.limits.findExceeded(createMessage("ann"))).toBeUndefined();
});

test("many counts are broadcast together in messages that fit a signal", async () => {
  const [one, other] = [startNode(1), startNode(2)];
  const people = Array.from({ length: 60 }, (_, index) => `somebody with a name of some length ${index}`);
  for (const person of people)
    for (let count = 0; count < 4; count += 1) one.limits.findExceeded(createMessage(person));
  await vi.waitFor(() => expect(sentSignals.length).toBeGreaterThan(1));
  for (const { key } of sentSignals) expect(key.length).toBeLessThanOrEqual(1_000);
  for (const person of people) expect(other.limits.findExceeded(createMessage(person))).toBe("user");
});

test("switching the worker on or off is broadcast at once", () => {
  const [one, other] = [startNode(1), startNode(2)];
  one.others.shareSwitch("stop");
  one.others.shareSwitch("start");
  expect([one.switched, other.switched]).toEqual([[], ["stop", "start"]]);
});

test("the count of waiting messages includes all nodes, as of a second ago", async () => {
  const stored = new Map([
    ["shop", 2],
    ["team", 1],
  ]);
  const clock = createTestClock(0);
  const own = { total: () => 1, ofChannel: (id: string) => (id === "own" ? 1 : 0) };
  const store = { countWaitingByChannel: async () => new Map(stored) };
  const waiting = createClusterBacklog({ store, own, clock, log: silentLogger });
  await vi.waitFor(() => expect(waiting.total()).toBe(3));
  expect([waiting.ofChannel("shop"), waiting.ofChannel("own"), waiting.ofChannel("none")]).toEqual([2, 1, 0]);
  stored.set("shop", 3);
  expect(waiting.ofChannel("shop")).toBe(2);
  clock.advance(1_000);
  await vi.waitFor(() => expect(waiting.ofChannel("shop")).toBe(3));
});

test("a node that joins later follows the worker switch of the others; the first node uses its setting", async () => {
  const one = startNode(1);
  expect(await one.others.isWorkerRunning(false)).toBe(false);
  const other = startNode(2);
  expect(await other.others.isWorkerRunning(true)).toBe(false);
  other.others.shareSwitch("start");
  await vi.waitFor(async () => expect(await startNode(3).others.isWorkerRunning(false)).toBe(true));
  one.others.shareSwitch("force-stop");
  await vi.waitFor(async () => expect(await startNode(4).others.isWorkerRunning(true)).toBe(false));
});
