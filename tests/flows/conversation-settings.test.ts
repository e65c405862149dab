import { CONVERSATION_SETTING_KEYS, resolveConversationSettings, type Session } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";

const PATH = `/api/sessions/${encodeURIComponent("fake:group:team")}`;

let fake: FakeChannel;
let parley: Parley;
let api: Client;

beforeAll(async () => {
  fake = createFakeChannel();
  parley = await startParley({ plugins: [fake.plugin] });
  api = await parley.signIn();
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
  await fake.say("team", "hello");
  await eventually(() => api.get(PATH));
});
afterAll(() => parley[Symbol.asyncDispose]());

const refuse = async (path: string, body: object) => (await api.send("PUT", path, { body })).json;
const session = () => api.get<Session>(PATH);

describe("the settings of a conversation", () => {
  test("are empty while neither the channel nor the conversation sets one", async () => {
    const all = await session();
    const others = CONVERSATION_SETTING_KEYS.filter((key) => key !== "burst");
    expect(others.map((key) => all[key])).toEqual(others.map(() => null));
    // The channel of the tests begins with this one.
    expect(all).toMatchObject({ burst: "off", from_channel: ["burst"] });
  });

  test("are those of its channel, until the conversation has its own", async () => {
    await api.put("/api/channels/fake", {
      config: { burst: "off", quiet_hours: "22:00-07:00", timezone: "Asia/Tokyo" },
    });
    expect(await session()).toMatchObject({
      burst: "off",
      quiet_hours: "22:00-07:00",
      from_channel: ["quiet_hours", "burst"],
    });
    await api.put(PATH, { burst: "wait" });
    expect(await session()).toMatchObject({ burst: "wait", from_channel: ["quiet_hours"] });
    await api.put(PATH, { burst: null });
    expect(await session()).toMatchObject({ burst: "off", from_channel: ["quiet_hours", "burst"] });
    await api.put("/api/channels/fake", { config: { quiet_hours: null } });
    expect(await session()).toMatchObject({ quiet_hours: null, from_channel: ["burst"] });
  });

  test.each([
    { burst: "later" },
    { burst_ms: 299 },
    { burst_ms: 10_001 },
    { group_probability: 1.1 },
    { group_cooldown_s: 3_601 },
    { group_hourly_limit: 101 },
    { quiet_hours: "22-7" },
    { quiet_hours: "24:00-07:00" },
    { reply_style: "verses" },
    { reset_after_idle_h: 721 },
    { reset_daily_at: "4:00" },
    { group_trigger: "sometimes" },
  ])("%j is refused by the channel and by the conversation", async (wrong) => {
    const [field = ""] = Object.keys(wrong);
    expect(await refuse("/api/channels/fake", { config: wrong })).toMatchObject({ code: "bad_request" });
    const refused = await refuse(PATH, wrong);
    expect(refused).toMatchObject({ code: "bad_request" });
    expect(refused?.error).toContain(field);
  });

  test("an unknown time zone is refused", async () => {
    const change = { config: { timezone: "Mars/Olympus" } };
    expect(await refuse("/api/channels/fake", change)).toMatchObject({ code: "bad_request" });
  });

  test.each([
    ["imB", false, "interrupt"],
    ["imB", true, "wait"],
    ["web", false, "off"],
    ["generic", true, "off"],
  ])("quick messages on %s (group: %s): %s, unless something else is set", (channelType, isGroup, burst) => {
    const kind = { channelType, isGroup };
    expect(resolveConversationSettings({}, kind)).toMatchObject({
      burst,
      group_trigger: "mention",
      group_hourly_limit: 6,
    });
    expect(resolveConversationSettings({ burst: "off" }, kind).burst).toBe("off");
    expect(resolveConversationSettings({ burst: null }, kind).burst).toBe(burst);
  });
});
