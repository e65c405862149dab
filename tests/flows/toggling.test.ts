import { Channels, Gateway, type Message } from "@parley/core";
import { expect, onTestFinished, test, vi } from "vitest";
import { startParley } from "../harness/parley.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const TOGGLES = 1_000;
const MESSAGES = 200;

test("a channel that is toggled a thousand times under traffic loses and duplicates nothing, and leaves nothing", async () => {
  const fake = createFakeChannel();
  const parley = await startParley({ plugins: [fake.plugin] });
  onTestFinished(() => parley[Symbol.asyncDispose]());
  const api = await parley.signIn();
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
  const channels = parley.host.get(Channels);
  await vi.waitFor(() => expect(channels.link(fake.id)).toBeDefined());
  const countResources = () => process.getActiveResourcesInfo().filter((name) => name !== "Immediate").length;
  const before = countResources();

  // Like a platform, repeats a message until it is accepted.
  const say = async (number: number): Promise<void> => {
    const id = `m-${number}`;
    for (;;) {
      try {
        await fake.say(String(number % 20), `message ${number}`, { platformMessageId: id, dedupeKey: id });
        return;
      } catch {
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  };
  const talk = (async () => {
    for (let number = 0; number < MESSAGES; number += 1) await say(number);
  })();
  for (let toggle = 0; toggle < TOGGLES; toggle += 1) {
    if (toggle % 2 === 0) await channels.close(fake.id);
    else await channels.open(fake.id);
  }
  await talk;
  expect(channels.status(fake.id)).toMatchObject({ state: "running", connected: true });
  await vi.waitFor(() => expect(fake.sent).toHaveLength(MESSAGES), { timeout: 20_000 });
  await parley.host.get(Gateway).idle();
  expect(new Set(fake.sent.map(({ deliveryId }) => deliveryId)).size).toBe(MESSAGES);
  const names: string[] = [];
  for (let group = 0; group < 20; group += 1) {
    const { items } = await api.get<{ items: readonly Message[] }>(`/api/sessions/fake:group:${group}/messages`);
    names.push(...items.filter(({ role }) => role === "user").map(({ content }) => content));
  }
  expect(names.toSorted()).toEqual(Array.from({ length: MESSAGES }, (_, number) => `message ${number}`).toSorted());
  expect(countResources()).toBeLessThanOrEqual(before + 10);
}, 60_000);
