import { fixedStatement, type Reply, type Write } from "@parley/core";
import { createTestClock, testContext, testTurn } from "@parley/testing";
import { expect, test, vi } from "vitest";
import { createTurnEffects } from "./turn-effects.ts";
import { createTurnProgress } from "./turn-progress.ts";

test("stores the usage of an expensive answer with its draft, because the model is not asked again", async () => {
  const clock = createTestClock();
  const saveDraft = vi.fn(async () => {});
  const effects = createTurnEffects(async () => []);
  const turn = testTurn();
  const progress = createTurnProgress({
    store: { saveDraft },
    failPoint: () => {},
    clock,
    effects,
    observer: { onPhaseDone: () => {} },
    run: {
      traceId: turn.traceId,
      itemId: "item",
      fence: 1,
      message: turn.inbound,
      beforeAnswer: () => undefined,
      draft: undefined,
      isRepeated: false,
      signal: new AbortController().signal,
    },
  });
  const stream = {
    isGuarded: false,
    emit: () => {},
    end: () => {},
    getPartialReply: () => ({ messageId: null, sender: "", text: "" }),
  };
  const usage: Write = { query: fixedStatement("insert into token_usage default values", []) };
  const answer: Reply = { id: "msg_1", kind: "normal", text: "Hello.", attachments: [] };
  await progress.onPhaseDone("context", turn, testContext(), stream);
  effects.record(usage);
  clock.advance(3_000);
  await progress.onPhaseDone("answer", { ...turn, replies: [answer] }, testContext(), stream);
  expect(saveDraft).toHaveBeenCalledWith("item", turn.traceId, 1, expect.anything(), [usage]);
  expect(await effects.take(turn, true)).toEqual([]);
});
