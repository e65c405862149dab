import type { Redaction, Turn } from "@parley/core";
import { describe, expect, test } from "vitest";
import { createTurnRecordings, type StoredRecord, type TurnRecorder } from "./turn-recordings.ts";

const redaction: Redaction = {
  mask: <T>(value: T) => JSON.parse(JSON.stringify(value).replaceAll("hush-hush", "***")) as T,
  toMaskedJson: (value) => JSON.stringify(value).replaceAll("hush-hush", "***"),
  remember() {},
};

const message = (id: string, content: string) => ({ id, seq: 1, role: "user", content, tool_calls: [], revision: 1 });
const turn = {
  traceId: "gw_1",
  inbound: { kind: "message", addressed: true },
  session: { id: "sess_1", name: "Talk" },
  capabilities: { supports_stream: true },
  text: "hello",
  attachments: [],
  history: [
    { ...message("msg_1", "what was said before it"), revision: 3 },
    { ...message("msg_2", "hello"), metadata: { a: 1 } },
  ],
  userMessage: message("msg_2", "hello"),
  prompt: [{ key: "global.safety", priority: 10, text: "Be good.", isData: false }],
  replies: [],
  filter: { rules: [], filtered: false, blocked: false },
} as unknown as Turn;

/** Returns the row that the end of a turn would store. */
function recordTurn(run: (recorder: TurnRecorder) => void, isContinued = false) {
  const recordings = createTurnRecordings({ redaction, isEnabled: true });
  const recorder = recordings.begin(turn.traceId, isContinued);
  if (!recorder) throw new Error("not recording");
  run(recorder);
  const row = recordings.take(turn.traceId);
  expect(recordings.take(turn.traceId)).toBeUndefined();
  const { record, note } = row ?? {};
  return { record: record ? (JSON.parse(String(record)) as StoredRecord) : undefined, note };
}

describe("the recording of a turn", () => {
  test("contains the conversation before its message, the prompt, and the replies of each phase", () => {
    const { record } = recordTurn((recorder) => {
      recorder.onStarted(turn);
      recorder.onPhaseDone("screen", turn);
      recorder.onPhaseDone("context", turn);
      const reply = { id: "msg_3", kind: "normal", text: "Hi!", attachments: [] } as const;
      recorder.onPhaseDone("screen-reply", { ...turn, replies: [reply] });
      recorder.onPhaseDone("decorate", { ...turn, replies: [{ ...reply, text: "Hi! :)" }] });
    });
    expect(record).toMatchObject({
      version: 1,
      session: { id: "sess_1" },
      result: {
        screen: { text: "hello", blocked: false },
        prompt: [{ key: "global.safety", text: "Be good." }],
        screenReply: [{ text: "Hi!" }],
        decorate: [{ text: "Hi! :)" }],
        error: null,
      },
    });
    expect(record).toMatchObject({ before: [["msg_1", 3]], userMessage: message("msg_2", "hello") });
    expect(JSON.stringify(record)).not.toContain("before it");
  });

  test("contains external answers in order, also failed ones, and no secret", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const recordings = createTurnRecordings({ redaction, isEnabled: true });
    const recorder = recordings.begin(turn.traceId, false);
    recorder?.onStarted(turn);
    await recorder?.external({ kind: "model", name: "chat", ask: async () => ({ text: "the word is hush-hush" }) });
    await recorder?.external({
      kind: "tool",
      name: "buy",
      key: "1f",
      ask: () => recorder.once("tool buy", async () => resolve()),
    });
    await promise;
    await recorder?.once("acme.tell", async () => 7);
    const failing = recorder?.external({ kind: "prompt", name: "p", ask: () => Promise.reject(new Error("gone")) });
    await expect(failing).rejects.toThrow("gone");
    const row = recordings.take(turn.traceId);
    expect(JSON.parse(String(row?.record)).answers).toEqual([
      { call: "model chat", answer: { text: "the word is ***" } },
      { call: "tool buy 1f" },
      { call: "once acme.tell", answer: 7 },
      { call: "prompt p", error: { code: "internal", message: "gone" } },
    ]);
  });

  test("is only a note when the turn resumed after a crash", () => {
    expect(recordTurn((recorder) => recorder.onStarted(turn), true)).toMatchObject({
      record: undefined,
      note: expect.stringContaining("interrupted"),
    });
  });

  test("is missing for an edit, and when recording is off", () => {
    const recordings = createTurnRecordings({ redaction, isEnabled: true });
    recordings.begin("gw_2", false)?.onStarted({ ...turn, inbound: { ...turn.inbound, kind: "edit" } });
    expect(recordings.take("gw_2")).toBeUndefined();
    expect(createTurnRecordings({ redaction, isEnabled: false }).begin("gw_3", false)).toBeUndefined();
  });
});
