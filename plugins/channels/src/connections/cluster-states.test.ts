import { type Collection, type LiveEvent, silentLogger } from "@parley/core";
import { recordedEvents } from "@parley/testing";
import { expect, test } from "vitest";
import { createClusterStates, type StoredNodeState } from "./cluster-states.ts";
import { createConnectionStates } from "./connection-states.ts";

test("a node reports the state of a remote connection to its watchers once it has received it", async () => {
  let hear: Parameters<Collection<StoredNodeState>["onElsewhere"]>[0] = () => {};
  const stored = {
    list: async () => [],
    put: async () => {},
    onElsewhere(listener: typeof hear) {
      hear = listener;
      return () => {};
    },
  } as unknown as Collection<StoredNodeState>;
  const states = createClusterStates({ collection: () => stored, node: () => "here", log: silentLogger });
  const relayed: LiveEvent[] = [];
  const events = { ...recordedEvents(), relay: (event: LiveEvent) => void relayed.push(event) };
  const slots = createConnectionStates({ events, redaction: { mask: (state) => state }, clusterStates: () => states });
  await states.start(slots.onRemoteStatus);
  const channel = { id: "team", enabled: true, transport: "bridge" };
  const running = { id: "team", node: "there", state: { state: "running", connected: true } } as const;

  hear("team", running);
  expect(relayed).toEqual([]);
  slots.markReleased(slots.getOrCreate("team"));
  hear("team", { ...running, state: { state: "error", connected: false, error: "gone" } });
  expect(slots.getStatus(channel)).toMatchObject({ held_elsewhere: true, state: "error", last_error: "gone" });
  hear("team", running);
  expect(slots.getStatus(channel)).toMatchObject({ held_elsewhere: true, state: "running", connected: true });
  expect(relayed.map(({ type, payload }) => [type, payload.channel_id, payload.state])).toEqual([
    ["channel_status", "team", "error"],
    ["channel_status", "team", "running"],
  ]);
  hear("team", undefined);
  expect(slots.getStatus(channel)).toMatchObject({ state: "stopped", connected: false });
  expect(slots.getStatus(channel)).not.toHaveProperty("held_elsewhere");
});
