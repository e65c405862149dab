import { Gateway, isGroupSession, Sessions } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const fake = createFakeChannel();
let world: ParleyWithModel;
let api: Client;

beforeAll(async () => {
  world = await startParleyWithModel({ plugins: [fake.plugin] });
  api = world.api;
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
});
afterAll(() => world[Symbol.asyncDispose]());

const waitUntilIdle = () => world.parley.host.get(Gateway).idle();
const isGroup = async (id: string) => isGroupSession(await world.parley.host.get(Sessions).get(id));

test.each([
  ["a recall that names no kind of conversation", { kind: "recall", sender: { id: "", name: "", isAdmin: false } }],
  ["a message whose sender left out that it is a group", { sender: { id: "7", name: "Eve", isAdmin: false } }],
] as const)("a group that begins with %s is a group from its first message on", async (what, first) => {
  const room = `room-${what.length}`;
  const sessionId = `fake:${room}`;
  const here = { sessionId, conversation: { id: room, isGroup: true } };
  await fake.say(room, "", { ...here, ...first, conversation: { id: room, isGroup: false }, text: "one" });
  await waitUntilIdle();
  expect(await isGroup(sessionId)).toBe(false);
  await fake.say(room, "two", here);
  await waitUntilIdle();
  expect(await isGroup(sessionId)).toBe(true);
  // A later message without the group flag changes nothing.
  await fake.say(room, "three", { ...here, conversation: { id: room, isGroup: false } });
  await waitUntilIdle();
  expect(await isGroup(sessionId)).toBe(true);
});
