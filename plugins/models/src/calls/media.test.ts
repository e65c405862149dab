import { ModelCalls } from "@parley/core";
import { type RecordedAnswer, startReplayServer } from "@parley/simulators";
import { describe, expect, it } from "vitest";
import type { ModelView } from "../records/schema.ts";
import { type StartedModels, startModels } from "../test-setup.ts";

const never = new AbortController().signal;

async function add(app: StartedModels, baseUrl: string, more: object = {}): Promise<string> {
  const body = { name: "Scripted", model: "scripted", base_url: baseUrl, retry_count: 0, ...more };
  return (await app.call<ModelView>("POST /api/ai-models", { body })).id;
}

describe("pictures and sound over openai_chat", () => {
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);

  it("a picture is drawn", async () => {
    await using server = await startReplayServer([
      { body: { created: 1, data: [{ b64_json: png.toString("base64") }] } },
    ]);
    await using app = await startModels();
    const id = await add(app, server.address, { purpose: "image_generation" });
    const made = await app.get(ModelCalls).image("a cat", { size: "512x512", signal: never });
    expect(made).toMatchObject({
      images: [{ bytes: new Uint8Array(png), mimeType: "image/png" }],
      model: { modelId: id },
    });
    expect(server.calls[0]?.path).toBe("/images/generations");
    expect(JSON.parse(server.calls[0]?.raw.toString() ?? "")).toMatchObject({ prompt: "a cat", size: "512x512", n: 1 });
  });

  it("a text is spoken in the record's voice, or the one that is asked for", async () => {
    const spoken = { headers: { "content-type": "audio/mpeg" }, body: new Uint8Array([1, 2, 3]) };
    await using server = await startReplayServer([spoken, spoken]);
    await using app = await startModels();
    await add(app, server.address, { purpose: "tts", voice: "nova", speed: 1.5 });
    const made = await app.get(ModelCalls).speech("hello", { signal: never });
    expect(made).toMatchObject({ bytes: new Uint8Array([1, 2, 3]), mimeType: "audio/mpeg" });
    await app.get(ModelCalls).speech("hello", { voice: "onyx", format: "wav", signal: never });
    const [first, second] = server.calls.map(({ raw }) => JSON.parse(raw.toString()));
    expect(server.calls[0]?.path).toBe("/audio/speech");
    expect(first).toMatchObject({ input: "hello", voice: "nova", speed: 1.5, response_format: "mp3" });
    expect(second).toMatchObject({ voice: "onyx", response_format: "wav" });
  });

  it("speech is transcribed", async () => {
    await using server = await startReplayServer([
      { body: { text: "hello there", language: "english", duration: 1.5 } },
    ]);
    await using app = await startModels();
    await add(app, server.address, { purpose: "stt", language: "en" });
    const recording = { bytes: new Uint8Array([1, 2, 3]), mimeType: "audio/wav" };
    expect(await app.get(ModelCalls).transcribe(recording, { signal: never })).toMatchObject({
      text: "hello there",
      durationS: 1.5,
    });
    expect(server.calls[0]?.path).toBe("/audio/transcriptions");
    const form = server.calls[0]?.raw.toString("latin1") ?? "";
    expect(form).toMatch(/name="model"\r\n\r\nscripted/);
    expect(form).toMatch(/name="language"\r\n\r\nen/);
    expect(form).toContain('filename="audio.wav"');
  });

  it.each([
    ["a size that is none", (calls: ModelCalls) => calls.image("x", { size: "big", signal: never })],
    ["no text", (calls: ModelCalls) => calls.speech(" ", { signal: never })],
  ])("%s is a bad request", async (_, run) => {
    await using app = await startModels();
    await expect(run(app.get(ModelCalls))).rejects.toMatchObject({ code: "bad_request" });
  });

  it.each([
    [
      "image_generation",
      { body: { created: 1, data: [{ b64_json: png.toString("base64") }] } },
      "a picture: 7 bytes of image/png",
    ],
    [
      "tts",
      { headers: { "content-type": "audio/mpeg" }, body: new Uint8Array([1, 2]) },
      "speech: 2 bytes of audio/mpeg",
    ],
    ["stt", { body: { text: "" } }, "nothing was heard in a second of a tone"],
    [
      "embedding",
      { body: { object: "list", model: "m", data: [{ index: 0, embedding: [1, 2] }] } },
      "a vector of 2 numbers",
    ],
    [
      "vision",
      {
        body: {
          id: "c",
          created: 0,
          model: "m",
          choices: [{ index: 0, message: { role: "assistant", content: "A red square." }, finish_reason: "stop" }],
        },
      },
      "A red square.",
    ],
  ])("a model of purpose %s is tested as it is used", async (purpose, answer: RecordedAnswer, sample) => {
    await using server = await startReplayServer([answer]);
    await using app = await startModels();
    const id = await add(app, server.address, { purpose, enabled: false });
    expect(await app.call(`POST /api/ai-models/${id}/test`)).toMatchObject({ ok: true, status_code: 200, sample });
    const failed = await app.call(`POST /api/ai-models/${id}/test`);
    expect(failed).toMatchObject({ ok: false, status_code: 500, category: "server_error", sample: "" });
    const { health } = await app.call<{ health: Record<string, object> }>("GET /api/ai-models/failover-status");
    expect(health[id]).toMatchObject({ state: "disabled", consecutive_failures: 0, last_error: null });
  });
});
