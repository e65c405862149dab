import { Gateway, type InboundMessage, type Message } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

const fake = createFakeChannel();
let world: ParleyWithModel;
beforeAll(async () => {
  world = await startParleyWithModel({ plugins: [fake.plugin] });
  await world.api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
});
afterAll(() => world[Symbol.asyncDispose]());

type Change = readonly [kind: "edit" | "recall", text: string];

test.each<readonly [what: string, changes: readonly Change[], answered: readonly string[]]>([
  ["taken back", [["recall", ""]], []],
  ["edited", [["edit", "new"]], ["new"]],
  [
    "edited twice",
    [
      ["edit", "new"],
      ["edit", "newest"],
    ],
    ["newest"],
  ],
  [
    "edited and taken back",
    [
      ["edit", "new"],
      ["recall", ""],
    ],
    [],
  ],
  [
    "taken back, and edited by a late copy",
    [
      ["recall", ""],
      ["edit", "new"],
    ],
    [],
  ],
])("a message that was %s before it arrived is answered in its current form", async (what, changes, answered) => {
  const room = what.replaceAll(/\W/g, "-");
  const here = { sessionId: `fake:${room}`, conversation: { id: room, isGroup: false } };
  const say = (text: string, more: Partial<InboundMessage>) => fake.say(room, text, { ...here, ...more });
  const before = fake.sent.length;
  for (const [at, [kind, text]] of changes.entries())
    await say(text, { kind, platformMessageId: "1", dedupeKey: `${room} ${at}` });
  await say("old", { platformMessageId: "1", dedupeKey: room });
  await say("other", { platformMessageId: "2", dedupeKey: `${room} other` });
  await world.parley.host.get(Gateway).idle();
  const texts = fake.sent.slice(before).map(({ text }) => text);
  expect(texts).toEqual([...answered, "other"].map((text) => `You said: ${text}`));
  const { items } = await world.api.get<{ items: readonly Message[] }>(`/api/sessions/fake:${room}/messages`);
  expect(items.filter(({ role }) => role === "user").map(({ content }) => content)).toEqual([...answered, "other"]);
});
