import { Channels, Files, Gateway, type Message, ModelCalls } from "@parley/core";
import {
  createGate,
  IMC_APP,
  type ImbServer,
  type ImcServer,
  type ModelServer,
  startImbServer,
  startImcServer,
  startModelServer,
} from "@parley/simulators";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createRecording, startVoiceServer, type VoiceServer } from "../harness/servers/voice-server.ts";

const CAN_SEND = { capabilities: { supports_file_send: true } };
const MODELS = ["tts", "stt"] as const;

let models: ModelServer;
let voice: VoiceServer;
let imb: ImbServer;
let imc: ImcServer;
let parley: Parley;
let api: Client;
const ids: Record<string, string> = {};

beforeAll(async () => {
  models = await startModelServer();
  voice = await startVoiceServer();
  imb = await startImbServer();
  imc = await startImcServer();
  parley = await startParley({
    config: "[plugin.voice]\ntranscribe_timeout_s = 1\n",
    env: {
      IMB_BOT_TOKEN: "42:secret",
      IMB_WEBHOOK_SECRET: "imb-secret",
      IMC_APP_SECRET: IMC_APP.secret,
      IMC_ENCRYPT_KEY: "key",
      IMC_VERIFICATION_TOKEN: "vt",
    },
  });
  api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "m", model: "m", base_url: models.baseUrl });
  await api.post(`/api/ai-models/${id}/apply`, {});
  for (const purpose of MODELS) {
    const fields = { name: purpose, model: purpose, purpose, base_url: voice.baseUrl, retry_count: 0 };
    ids[purpose] = (await api.post<{ id: string }>("/api/ai-models", fields)).id;
  }
  await api.post("/api/channels/presets/imB", { config: { api_base: imb.address, paced: false }, ...CAN_SEND });
  await api.post("/api/channels/presets/imC", { config: { app_id: IMC_APP.id, api_base: imc.address }, ...CAN_SEND });
  for (const one of ["imB", "imC"]) await eventually(() => expect(parley.host.get(Channels).link(one)).toBeDefined());
  imb.useWebhook({ url: `${parley.address}/api/channels/imB/imB/webhook`, secret_token: "imb-secret" });
  const url = `${parley.address}/api/channels/imC/imC/webhook`;
  imc.useWebhook({ url, encryptKey: "key", verificationToken: "vt" });
  // Loads the client libraries, which happens with their first call.
  await parley.host
    .get(ModelCalls)
    .transcribe({ bytes: createRecording("warm"), mimeType: "audio/wav" }, { signal: new AbortController().signal });
}, 60_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  for (const one of [imb, imc, models, voice]) await one[Symbol.asyncDispose]();
});
beforeEach(() =>
  settings({ features: { tts: true }, voice: { transcribe: true, answer_in_kind: false, channels: [] } }),
);
afterEach(() => voice.setFault(undefined));

const settings = (change: object) => api.put<void>("/api/settings", change);
const waitUntilIdle = () => parley.host.get(Gateway).idle();
const history = async (id: string) =>
  (await api.get<{ items: readonly Message[] }>(`/api/sessions/${id}/messages`)).items;
const session = async (tts_config?: object) => {
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "Voice" });
  if (tts_config) await api.put(`/api/sessions/${id}`, { tts_config });
  return id;
};
const sound = async (words: string, kind: "wav" | "ogg" = "ogg") => {
  const { url } = await parley.host.get(Files).put(createRecording(words, kind), { name: `voice.${kind}` });
  return { type: "audio", url };
};
/** Returns the last user text that a model received. */
const lastContentSince = (from: number) =>
  JSON.stringify(models.requests.slice(from).at(-1)?.body.messages.at(-1)?.content);

describe("a voice message", () => {
  test("of the console is transcribed, and its audio remains attached", async () => {
    const id = await session();
    const from = models.requests.length;
    await api.post(`/api/sessions/${id}/chat`, { content: "", attachments: [await sound("where is the key")] });
    const [message] = await history(id);
    expect(message).toMatchObject({
      content: "where is the key",
      attachments: [{ type: "audio", mime_type: "audio/ogg", meta: { transcript: "where is the key" } }],
    });
    expect(lastContentSince(from)).toBe(JSON.stringify("where is the key\n[voice message; its transcript is above]"));
  });

  test("of imB is transcribed before it is filtered", async () => {
    await api.post("/api/message-filter", { pattern: "forbidden ", action: "strip" });
    imb.files.set("v1", createRecording("this is forbidden talk", "ogg"));
    await imb.say("61", "", { text: undefined, voice: { file_id: "v1", mime_type: "audio/ogg" } });
    await waitUntilIdle();
    const [message] = await history("imB:61");
    expect(message?.content.replaceAll(/\s+/g, " ")).toBe("this is talk");
    expect(message?.attachments[0]).toMatchObject({ type: "audio", url: expect.stringMatching(/^\/static\/files\//) });
    expect(imb.shown("61")).toHaveLength(1);
  });

  test("of imC is transcribed", async () => {
    imc.files.set("f1", createRecording("早上好", "ogg"));
    const content = JSON.stringify({ file_key: "f1", duration: 1000 });
    await imc.say("oc_61", "", { message_type: "audio", content });
    await waitUntilIdle();
    expect((await history("imC:oc_61"))[0]).toMatchObject({
      content: "早上好",
      attachments: [{ type: "audio", meta: { transcript: "早上好" } }],
    });
  });

  test.each([
    ["nothing hears it", () => api.post(`/api/ai-models/${ids.stt}/toggle`, { enabled: false })],
    ["the server fails", async () => voice.setFault({ status: 500 })],
    ["the server hangs", async () => voice.setFault("hang")],
    ["it is switched off", () => settings({ voice: { transcribe: false } })],
  ])("is reported when %s, and the turn continues", async (_what, begin) => {
    await api.post("/api/ai-models/failover-reset", {});
    await begin();
    const id = await session();
    const from = models.requests.length;
    await api.post(`/api/sessions/${id}/chat`, { content: "listen", attachments: [await sound("unheard")] });
    await api.post(`/api/ai-models/${ids.stt}/toggle`, { enabled: true });
    await api.post("/api/ai-models/failover-reset", {});
    const [message, answer] = await history(id);
    expect(message).toMatchObject({ content: "listen", attachments: [{ type: "audio", meta: { transcript: null } }] });
    expect(lastContentSince(from)).toBe(JSON.stringify("listen\n[voice message, not transcribed]"));
    expect(answer?.role).toBe("assistant");
  });

  test("that is no audio is not sent to a model", async () => {
    const id = await session();
    const before = voice.transcriptions.length;
    const { url } = await parley.host.get(Files).put(Buffer.from("OggX"), { name: "a.ogg" });
    await api.post(`/api/sessions/${id}/chat`, { content: "", attachments: [{ type: "audio", url }] });
    expect(voice.transcriptions.length).toBe(before);
    expect((await history(id))[1]?.role).toBe("assistant");
  });
});

describe("an answer", () => {
  const waitForAudio = async (id: string) => {
    await eventually(async () => expect((await history(id)).at(-1)?.audio_url).toMatch(/^\/api\/tts\/audio\/tts_/));
    return (await history(id)).at(-1)?.audio_url ?? "";
  };

  test("is spoken if the conversation enables that, with its settings", async () => {
    const id = await session({ enabled: true, voice: "nova", speed: 1.5 });
    await api.post(`/api/sessions/${id}/chat`, { content: "Say this." });
    const headers = { authorization: `Bearer ${api.token}` };
    const answer = await fetch(`${parley.address}${await waitForAudio(id)}`, { headers });
    expect(answer.headers.get("content-type")).toBe("audio/wav");
    expect(voice.speechRequests.at(-1)).toMatchObject({ voice: "nova", speed: 1.5, input: "You said: Say this." });
  });

  test("is not spoken unless it is enabled, and nowhere while voice is off", async () => {
    const silent = await session();
    await api.post(`/api/sessions/${silent}/chat`, { content: "Quiet one." });
    await settings({ features: { tts: false } });
    const off = await session({ enabled: true });
    await api.post(`/api/sessions/${off}/chat`, { content: "Quiet two." });
    await settings({ features: { tts: true } });
    const loud = await session({ enabled: true });
    await api.post(`/api/sessions/${loud}/chat`, { content: "Loud." });
    await waitForAudio(loud);
    expect(voice.speechRequests.map(({ input }) => input)).not.toContainEqual(expect.stringContaining("Quiet"));
    for (const id of [silent, off]) expect((await history(id)).at(-1)?.audio_url).toBeNull();
  });

  test("starts its audio before the text is complete, and is stored as one file", async () => {
    const id = await session({ enabled: true });
    using socket = await openSocket(api);
    await socket.ask({ type: "join_session", session_id: id });
    const gate = createGate();
    const pieces = ["The first sentence is said at once. ", `${"It goes on. ".repeat(20)}`, "It ends."];
    models.script.push({ kind: "held", pieces, gate });
    const answered = api.post(`/api/sessions/${id}/chat`, { content: "Tell me." });
    gate.next();
    gate.next();
    const first = await socket.next(({ type }) => type === "speech");
    expect(first).toMatchObject({ session_id: id, index: 0, audio_url: expect.stringMatching(/^\/api\/tts\//) });
    expect((await history(id)).filter(({ role }) => role === "assistant")).toEqual([]);
    gate.next();
    await answered;
    const url = await waitForAudio(id);
    const spoken = voice.speechRequests
      .map(({ input }) => input)
      .filter((input) => /^The first|^It goes|It ends/.test(input));
    expect(spoken[0]).toBe("The first sentence is said at once.");
    // Each piece was synthesized once, and together they are the whole text.
    expect(spoken.join(" ")).toBe(pieces.join("").trim());
    expect(url).not.toBe(first.audio_url);
  });

  test("is deleted with its conversation, and so is the file", async () => {
    const id = await session({ enabled: true });
    await api.post(`/api/sessions/${id}/chat`, { content: "Say what nobody else says." });
    const filename = (await waitForAudio(id)).split("/").at(-1) ?? "";
    await waitUntilIdle();
    expect(await parley.host.get(Files).find(filename)).toBeDefined();
    await api.send("DELETE", `/api/sessions/${id}`);
    await eventually(async () => expect(await parley.host.get(Files).find(filename)).toBeUndefined());
  });

  test("is sent as audio after its text on a channel with that setting", async () => {
    await settings({ voice: { channels: ["imB"] } });
    await imb.say("71", "Speak to me.");
    const sent = await imb.seen(({ chat, file }) => chat === 71 && file !== undefined);
    expect(sent.file).toMatchObject({ field: "voice", name: "voice.ogg" });
    const [text, sounded] = imb.messages.filter(({ chat }) => chat === 71);
    expect(text?.text).toBe("You said: Speak to me.");
    expect(sounded).toBe(sent);
  });

  test("to a voice message is spoken if that is enabled", async () => {
    await settings({ voice: { answer_in_kind: true } });
    imc.files.set("f2", createRecording("answer me aloud", "ogg"));
    await imc.say("oc_72", "", { message_type: "audio", content: JSON.stringify({ file_key: "f2", duration: 1000 }) });
    await eventually(() =>
      expect(imc.sent.filter(({ chat }) => chat === "oc_72").map(({ file }) => file?.name)).toHaveLength(2),
    );
    expect(
      imc.sent
        .findLast(({ chat }) => chat === "oc_72")
        ?.file?.bytes.subarray(0, 4)
        .toString(),
    ).toBe("OggS");
    await imc.say("oc_73", "written");
    await waitUntilIdle();
    expect(imc.sent.filter(({ chat }) => chat === "oc_73")).toHaveLength(1);
  });

  test("is sent as text where no model can speak it", async () => {
    await settings({ voice: { channels: ["imB"] } });
    voice.setFault({ status: 500 });
    await imb.say("74", "Anyway.");
    await waitUntilIdle();
    expect(imb.shown("74")).toHaveLength(1);
    await api.post("/api/ai-models/failover-reset", {});
  });
});
