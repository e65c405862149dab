import type { Message } from "@parley/core";
import { testContext, testTurn } from "@parley/testing";
import { expect, test } from "vitest";
import { SCRIPT_STAGES } from "./script-stages.ts";

test("scripts of the prompt end with the turn, whatever is left of the history", async () => {
  const stopping = new AbortController();
  let count = 0;
  const stages = SCRIPT_STAGES.map((create) =>
    create({
      records: {
        async findSpeaker() {
          count += 1;
          stopping.abort(new Error("the turn took too long"));
          return undefined;
        },
      },
      timeZone: () => "UTC",
      runner: () => undefined,
    }),
  );
  const message = { kind: "normal", role: "user", content: "hello" } as Message;
  const turn = testTurn({ history: [message, message, message] });
  const running = stages.find(({ phase }) => phase === "context")?.run(turn, testContext({ signal: stopping.signal }));
  await expect(running).rejects.toThrow("the turn took too long");
  expect(count).toBe(1);
});

test("scripts that take long together end after their time: the newest message first, and the trace says it", async () => {
  const asked: string[] = [];
  const script = { pattern: "a", flags: "", replacement: "b", trim: [], substitution: "none", isPromptOnly: true };
  const scripts = [{ ...script, isForInput: true, isForReply: true, minDepth: 0, maxDepth: 100 }];
  const stage = SCRIPT_STAGES.map((create) =>
    create({
      records: { findSpeaker: async () => ({ scripts }) as never },
      timeZone: () => "UTC",
      runner: () =>
        ({
          async replace(text: string, _all: unknown, { totalMs = 0 }: { totalMs?: number } = {}) {
            if (totalMs === 0) return { text, timeouts: [], skipped: [0], ms: 0 };
            asked.push(text);
            return { text: `${text}!`, timeouts: [], skipped: [], ms: 600 };
          },
        }) as never,
    }),
  ).find(({ phase }) => phase === "context");
  const history = ["one", "two", "three"].map((content) => ({ kind: "normal", role: "user", content }) as Message);
  const traced: object[] = [];
  const context = testContext({ trace: (entry: object) => void traced.push(entry) });
  const turn = await stage?.run(testTurn({ history }), context);
  expect(asked).toEqual(["three", "two"]);
  expect(turn?.history.map(({ content }) => content)).toEqual(["one", "two!", "three!"]);
  expect(traced).toMatchObject([{ message: expect.stringContaining("1 regex script of the character did not run") }]);
});
