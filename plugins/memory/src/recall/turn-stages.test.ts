import { AppError, type Settings, toTraceMessage } from "@parley/core";
import { createTestClock, testContext, testSettings, testTurn } from "@parley/testing";
import { afterEach, expect, test, vi } from "vitest";
import type { MemoryIndex } from "../store/memory-index.ts";
import type { MemoryStore } from "../store/memory-store.ts";
import { memoryTexts } from "../texts.ts";
import { createRecallStage, type TurnStagesDeps } from "./turn-stages.ts";

afterEach(() => void vi.useRealTimers());

function stageOf(search: MemoryIndex["search"]) {
  const parts: Partial<TurnStagesDeps> = {
    store: {
      existence: { isPossible: () => true, check: async () => true, expectRow() {} },
      listMostImportant: async () => [],
      listReplaced: async () => [],
    } as unknown as MemoryStore,
    index: { search } as MemoryIndex,
    models: () => undefined,
    settings: () => testSettings() as Settings,
    people: () => undefined,
    channels: () => undefined,
    clock: createTestClock(),
  };
  return createRecallStage(parts as TurnStagesDeps);
}
const talk = () => testTurn({ session: { session_mode: "character", character_id: null, disabled_prompt_keys: [] } });

test("an answer does not wait for a hanging search, and the trace lists the omitted part", async () => {
  vi.useFakeTimers();
  const trace = vi.fn();
  const turn = talk();
  const recalled = stageOf(() => new Promise(() => {})).run(turn, testContext({ trace }));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await recalled).toBe(turn);
  expect(trace).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ status: "build_request_failed", message: expect.stringContaining("took too long") }),
  );
});

test("a failing search does not affect an answer, except for an internal error", async () => {
  const turn = talk();
  const broken = stageOf(() => Promise.reject(new AppError("unavailable", "the storage is closed")));
  const trace = vi.fn();
  expect(await broken.run(turn, testContext({ trace }))).toBe(turn);
  const why = { en: "the storage is closed", zh: "暂时不可用：the storage is closed" };
  expect(trace).toHaveBeenCalledExactlyOnceWith({
    status: "build_request_failed",
    ...toTraceMessage(memoryTexts.message("trace_left_out", { why })),
  });
  const wrong = stageOf(() => Promise.reject(new TypeError("x is not a function")));
  await expect(wrong.run(turn, testContext())).rejects.toThrow("x is not a function");
});

test("an aborted turn ends with its reason", async () => {
  const stop = new AbortController();
  const recalled = stageOf(() => new Promise(() => {})).run(talk(), testContext({ signal: stop.signal }));
  stop.abort(new Error("stopped by a person"));
  await expect(recalled).rejects.toThrow("stopped by a person");
});
