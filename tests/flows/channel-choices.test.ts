import { Gateway, type Session } from "@parley/core";
import { type ModelServer, startModelServer } from "@parley/simulators";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";

interface Findings {
  readonly items: readonly { readonly key: string; readonly parameters?: object }[];
}

let models: ModelServer;
let fake: FakeChannel;
let parley: Parley;
let api: Client;
let usual: string;
let special: string;
let mira: string;
let groups = 0;
let group: string;

beforeAll(async () => {
  models = await startModelServer();
  fake = createFakeChannel();
  parley = await startParley({ plugins: [fake.plugin] });
  api = await parley.signIn();
  const model = async (name: string) => {
    const { id } = await api.post<{ id: string }>("/api/ai-models", { name, model: name, base_url: models.baseUrl });
    return id;
  };
  usual = await model("usual");
  special = await model("special");
  await api.post(`/api/ai-models/${usual}/apply`, {});
  mira = (await api.post<{ id: string }>("/api/characters", { name: "Mira", personality: "counts every ship" })).id;
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
});
beforeEach(() => {
  groups += 1;
  group = `team-${groups}`;
});

const choose = (config: object) => api.put("/api/channels/fake", { config });
/** The channel of the tests has this setting from the beginning. */
const ALWAYS = ["burst"];
const nothing = { model_id: null, character_id: null };
const path = () => `/api/sessions/${encodeURIComponent(`fake:group:${group}`)}`;
const session = () => api.get<Session>(path());
/** Sends a message in the group and returns the model's request. */
const askChannel = async (text = "hello") => {
  const before = fake.sent.length;
  await fake.say(group, text);
  await eventually(() => expect(fake.sent.length).toBe(before + 1));
  return models.requests.at(-1)?.body as { readonly model: string };
};
const findFinding = async (key: string) => {
  const { items } = await api.get<Findings>("/api/system/findings");
  return items.find((one) => one.key === key)?.parameters;
};

describe("a conversation on a channel", () => {
  test("uses the channel's model for its next message, until the channel changes it", async () => {
    await choose(nothing);
    expect((await askChannel()).model).toBe("usual");
    await choose({ model_id: special });
    expect((await askChannel()).model).toBe("special");
    expect(await session()).toMatchObject({ model_id: special, from_channel: ["model_id", "burst"] });
    await choose({ model_id: null });
    expect((await askChannel()).model).toBe("usual");
    expect((await session()).from_channel).toEqual(ALWAYS);
  });

  test("can have its own model, and returns to the channel's when it is removed", async () => {
    await choose({ model_id: special });
    await askChannel();
    await api.put(path(), { model_id: usual });
    expect((await askChannel()).model).toBe("usual");
    expect((await session()).from_channel).toEqual(ALWAYS);
    await api.put(path(), { model_id: null });
    expect((await askChannel()).model).toBe("special");
  });

  test("uses its own temperature and answer length, or the model's", async () => {
    await choose(nothing);
    const usually = (await askChannel()) as { readonly temperature?: number; readonly max_tokens?: number };
    await api.put(path(), { parameters: { temperature: 0.1, max_tokens: 77 } });
    expect(await askChannel()).toMatchObject({ temperature: 0.1, max_tokens: 77 });
    await api.put(path(), { parameters: {} });
    const again = (await askChannel()) as typeof usually;
    expect([again.temperature, again.max_tokens]).toEqual([usually.temperature, usually.max_tokens]);
  });

  test("uses the channel's character, which is not stored with it", async () => {
    await choose({ ...nothing, character_id: mira });
    expect(JSON.stringify(await askChannel())).toContain("counts every ship");
    expect(await session()).toMatchObject({
      character_id: mira,
      sender_name: "Mira",
      from_channel: ["character_id", "burst"],
    });
    const { items } = await api.get<{ items: readonly { sender: string }[] }>(`${path()}/messages`);
    expect(items.at(-1)?.sender).toBe("Mira");
    await choose(nothing);
    expect(await session()).toMatchObject({ character_id: null });
    expect(JSON.stringify(await askChannel())).not.toContain("counts every ship");
  });

  test("can have its own character", async () => {
    await choose({ ...nothing, character_id: mira });
    await askChannel();
    const { id } = await api.post<{ id: string }>("/api/characters", { name: "Bo", personality: "paints boats" });
    await api.put(`${path()}/bind-character`, { character_id: id });
    const question = JSON.stringify(await askChannel());
    expect([question.includes("paints boats"), question.includes("counts every ship")]).toEqual([true, false]);
    expect((await session()).from_channel).toEqual(ALWAYS);
  });

  test("is answered also when the channel's model and character were deleted, which is reported", async () => {
    await choose({ model_id: special, character_id: mira });
    expect([await findFinding("channels.unknown_model"), await findFinding("channels.unknown_character")]).toEqual([
      undefined,
      undefined,
    ]);
    await choose({ model_id: "model_gone", character_id: "char_gone" });
    expect((await askChannel()).model).toBe("usual");
    expect(await session()).toMatchObject({ character_id: null });
    await eventually(async () => {
      expect(await findFinding("channels.unknown_model")).toEqual({ channel: "Fake", id: "model_gone" });
      expect(await findFinding("channels.unknown_character")).toEqual({ channel: "Fake", id: "char_gone" });
    });
    await choose(nothing);
  });

  test("is exported with its model and character, and can be imported elsewhere", async () => {
    await choose({ model_id: special, character_id: mira });
    await askChannel();
    const exported = await api.get<{ sessions: readonly object[] }>(`${path()}/export`);
    expect(exported.sessions[0]).not.toHaveProperty("from_channel");
    expect(await api.post("/api/sessions/import", exported)).toMatchObject({ imported: 1 });
    await choose(nothing);
  });

  test("in a group is answered when it begins with a wake word, and not otherwise", async () => {
    await choose({ ...nothing, wake_words: ["Ada", "小帕"] });
    const talk = async (text: string) => (await fake.say(group, text, { addressed: false })).traceId;
    const outcome = async (traceId: string) =>
      (await parley.host.get(Gateway).outcome(traceId, AbortSignal.timeout(10_000))).state;
    const quiet = await talk("Adam, where are you?");
    await talk("we spoke of Ada yesterday");
    const before = fake.sent.length;
    for (const text of ["ada, what is a fjord?", "小帕你好"]) await talk(text);
    await eventually(() => expect(fake.sent.length).toBe(before + 2));
    expect(models.requests.slice(-2).map(({ body }) => body.messages.at(-1)?.content)).toEqual([
      expect.stringContaining("what is a fjord?"),
      expect.stringContaining("小帕你好"),
    ]);
    expect(await outcome(quiet)).toBe("ignored");
    await choose({ group_trigger: "never" });
    expect(await outcome(await talk("Ada, and now?"))).toBe("ignored");
    await choose({ group_trigger: "mention", wake_words: [] });
  });
});
