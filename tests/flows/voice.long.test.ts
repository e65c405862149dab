import { Jobs, Schedules } from "@parley/core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { buildAudioForm } from "../endpoints/calls/voice.ts";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createRecording, createWav, startVoiceServer, type VoiceServer } from "../harness/servers/voice-server.ts";

interface Speech {
  readonly audio_url: string;
  readonly filename: string;
  readonly text: string;
  readonly voice: string;
  readonly speed: number;
  readonly format: string;
  readonly size: number;
  readonly duration_ms: number | null;
  readonly cached: boolean;
  readonly model: string;
}

const FORM = { "content-type": "multipart/form-data; boundary=part" };
let voice: VoiceServer;
let parley: Parley;
let api: Client;

beforeAll(async () => {
  voice = await startVoiceServer();
  // One megabyte, so that a test can exceed it.
  parley = await startParley({ config: "[plugin.voice]\nkeep_mb = 1\n" });
  api = await parley.signIn();
}, 60_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await voice[Symbol.asyncDispose]();
});
afterEach(() => voice.setFault(undefined));

const add = async (purpose: "tts" | "stt", more: object = {}): Promise<string> => {
  const fields = { name: purpose, model: `${purpose}-1`, purpose, base_url: voice.baseUrl, retry_count: 0, ...more };
  return (await api.post<{ id: string }>("/api/ai-models", fields)).id;
};
const say = (text: string, more: object = {}) => api.post<Speech>("/api/tts/synthesize", { text, ...more });
const synthesizeError = async (body: object) => {
  const { status, json } = await api.send("POST", "/api/tts/synthesize", { body });
  return `${status} ${json?.code}`;
};
const hear = (body: Buffer) => api.send("POST", "/api/stt/transcribe", { body, headers: FORM });
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${parley.address}${path}`, { headers: { authorization: `Bearer ${api.token}`, ...headers } });

describe("without models", () => {
  test("names the missing one", async () => {
    expect(await synthesizeError({ text: "hello" })).toBe("503 unavailable");
    expect(await synthesizeError({ text: "hello", model_id: "model_none" })).toBe("404 not_found");
    const transcript = await hear(buildAudioForm(createRecording("hello")));
    expect(transcript).toMatchObject({ status: 503, json: { code: "unavailable" } });
  });
});

describe("text to speech", () => {
  beforeAll(async () => {
    await add("tts", { voice: "alloy", speed: 1.25 });
  });

  test("speaks the text without its markup, in the voice of the model", async () => {
    const spoken = await say("# Hello\n\nSee **[the guide](https://e.org/x)** 🎉");
    const { size, audio_url, filename } = spoken;
    expect(spoken).toMatchObject({ text: "Hello.\nSee the guide", voice: "alloy", speed: 1.25, cached: false });
    expect(spoken).toMatchObject({ format: "wav", model: "tts-1", duration_ms: expect.any(Number) });
    expect(filename).toMatch(/^tts_[0-9a-f]{32}\.wav$/);
    expect(audio_url).toBe(`/api/tts/audio/${filename}`);
    expect(voice.speechRequests.at(-1)).toMatchObject({ input: "Hello.\nSee the guide", voice: "alloy", speed: 1.25 });
    const answer = await get(audio_url);
    expect(answer.headers.get("content-type")).toBe("audio/wav");
    expect((await answer.arrayBuffer()).byteLength).toBe(size);
  });

  test("calls the model once for the same text, also concurrently", async () => {
    const before = voice.speechRequests.length;
    const [one, two] = await Promise.all([say("the same"), say("the same")]);
    expect(one.filename).toBe(two.filename);
    expect(voice.speechRequests.length).toBe(before + 1);
    expect(await say("*the same*")).toEqual({ ...one, cached: true });
    for (const more of [{ voice: "echo" }, { speed: 2 }, { format: "opus" }]) {
      expect(await say("the same", more)).toMatchObject({ cached: false });
    }
    expect(voice.speechRequests.length).toBe(before + 4);
  });

  test("is counted as usage of the model", async () => {
    await say("counted");
    await eventually(async () => {
      const { text } = await api.send("GET", "/api/tokens/export?format=json");
      expect(text).toContain('"tts"');
    });
  });

  test("is sent in parts, and not again to a client that has it", async () => {
    const { audio_url, size } = await say("in parts");
    const part = await get(audio_url, { range: "bytes=0-3" });
    expect([part.status, await part.text()]).toEqual([206, "RIFF"]);
    expect(part.headers.get("content-range")).toBe(`bytes 0-3/${size}`);
    const etag = part.headers.get("etag") ?? "";
    expect((await get(audio_url, { "if-none-match": etag })).status).toBe(304);
    expect((await get(audio_url, { range: `bytes=${size}-` })).status).toBe(416);
  });

  test.each([
    "..%2f..%2fparley.db",
    "tts_0123456789abcdef0123456789abcdef.exe",
    `tts_${"A".repeat(32)}.mp3`,
    `tts_${"0".repeat(32)}.mp3`,
    "tts_.mp3",
    "%00",
    "portrait_0123456789abcdef0123456789abcdef.png",
  ])("has no file %s", async (name) => {
    expect((await get(`/api/tts/audio/${name}`)).status).toBeOneOf([400, 404]);
  });

  test.each([
    ["nothing", { text: "   " }, "400 bad_request"],
    ["only marks", { text: "```\ncode\n```" }, "400 bad_request"],
    ["4001 characters", { text: "a".repeat(4_001) }, "400 bad_request"],
    ["another format", { text: "a", format: "ogg" }, "400 bad_request"],
    ["a speed of nought", { text: "a", speed: 0 }, "400 bad_request"],
    ["a model that is none", { text: "a", model_id: "model_none" }, "404 not_found"],
  ])("rejects %s", async (_what, body, code) => {
    expect(await synthesizeError(body)).toBe(code);
  });

  test("rejects a model with another purpose", async () => {
    const { id } = await api.post<{ id: string }>("/api/ai-models", { name: "chat", model: "c" });
    expect(await synthesizeError({ text: "a", model_id: id })).toBe("404 not_found");
  });

  test.each([
    ["fails", { status: 500 }],
    ["gives a page instead of sound", "noise"],
    ["gives nothing", "empty"],
  ] as const)("reports when the model %s", async (what, fault) => {
    const id = await add("tts", { name: what });
    voice.setFault(fault);
    expect(await synthesizeError({ text: what, model_id: id })).toBe("502 upstream_failed");
    voice.setFault(undefined);
    expect(await say(what, { model_id: id })).toMatchObject({ cached: false });
  });

  test("waits no longer than the model's time limit", async () => {
    const id = await add("tts", { name: "slow", timeout_s: 1 });
    voice.setFault("hang");
    expect(await synthesizeError({ text: "never", model_id: id })).toBe("504 timed_out");
  });

  test("deletes the oldest files beyond its limit", async () => {
    const first = await say("the first of many");
    const long = (at: number) => say(`${at} ${"word ".repeat(700)}`);
    const sizes = (await Promise.all([0, 1, 2, 3, 4].map(long))).map(({ size }) => size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(1024 * 1024);
    const { jobId } = await parley.host.get(Schedules).run("voice.prune");
    await eventually(async () => expect((await parley.host.get(Jobs).get(jobId)).status).toBe("done"));
    expect((await get(first.audio_url)).status).toBe(404);
    expect(await say("the first of many")).toMatchObject({ cached: false, filename: first.filename });
    expect((await get(first.audio_url)).status).toBe(200);
  });
});

describe("speech to text", () => {
  beforeAll(async () => {
    await add("stt");
  });

  test.each(["audio", "file"])("returns the text in the part '%s'", async (name) => {
    const { json } = await hear(buildAudioForm(createRecording("早上好 dear"), { language: "zh-CN" }, name));
    expect(json?.data).toEqual({ text: "早上好 dear", language: expect.any(String), duration_ms: 250, model: "stt-1" });
    expect(voice.transcriptions.at(-1)).toMatchObject({ language: "zh-CN", file: "audio.wav" });
  });

  test("returns nothing for silence", async () => {
    expect((await hear(buildAudioForm(createWav(800)))).json?.data).toMatchObject({ text: "" });
  });

  test.each([
    ["a picture", buildAudioForm(Buffer.from("\x89PNG\r\n\x1a\n", "latin1"))],
    ["an empty file", buildAudioForm(Buffer.alloc(0))],
    ["a page that says it is sound", buildAudioForm(Buffer.from("<html>RIFF WAVE</html>"))],
    ["another part", buildAudioForm(createRecording("a"), {}, "sound")],
    ["a language that is none", buildAudioForm(createRecording("a"), { language: "../../etc" })],
    ["a field that is not known", buildAudioForm(createRecording("a"), { prompt: "x" })],
    ["no part", Buffer.from("--part--\r\n")],
  ])("rejects %s", async (_what, form) => {
    const before = voice.transcriptions.length;
    expect(await hear(form)).toMatchObject({ status: 400, json: { code: "bad_request" } });
    expect(voice.transcriptions.length).toBe(before);
  });

  test("rejects more than 25 MiB", async () => {
    const large = Buffer.concat([createWav(8), Buffer.alloc(25 * 1024 * 1024)]);
    expect(await hear(buildAudioForm(large))).toMatchObject({ status: 413, json: { code: "too_large" } });
  });

  test("uses the requested model, if there is one", async () => {
    expect((await hear(buildAudioForm(createWav(8), { model_id: "model_none" }))).status).toBe(404);
    const id = await add("stt", { model: "stt-2" });
    const { json } = await hear(buildAudioForm(createRecording("by another"), { model_id: id }));
    expect(json?.data).toMatchObject({ text: "by another", model: "stt-2" });
  });

  test("reports a failure of the model", async () => {
    const id = await add("stt", { name: "failing", timeout_s: 1 });
    voice.setFault({ status: 500 });
    expect((await hear(buildAudioForm(createWav(8), { model_id: id }))).status).toBe(502);
    await api.post("/api/ai-models/failover-reset", { model_id: id });
    voice.setFault("hang");
    expect((await hear(buildAudioForm(createWav(8), { model_id: id }))).status).toBe(504);
  });
});
