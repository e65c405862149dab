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
