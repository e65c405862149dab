import type { TurnRecord, TurnResult } from "@parley/core";
import { expect, test } from "vitest";
import { createReplayReport } from "./replay-report.ts";

const result: TurnResult = {
  screen: { text: "hello", filtered: false, blocked: false, rules: [] },
  prompt: [
    { key: "global.safety", text: "Be good.\nBe brief." },
    { key: "app.behavior", text: "Plain text." },
  ],
  screenReply: [{ kind: "normal", sender: "Mia", text: "Hi!", attachments: [] }],
  decorate: [{ kind: "normal", sender: "Mia", text: "Hi!", attachments: [] }],
  deliveries: [{ text: "Hi!", attachments: [] }],
  error: null,
};
const record = { traceId: "gw_1", inbound: { channelId: "imB", text: "hello" }, result } as TurnRecord;
const report = (change: Partial<TurnResult>, notes: readonly string[] = []) =>
  createReplayReport(record, { result: { ...result, ...change }, unanswered: [], notes });

test("an unchanged turn is reported in one line per phase", () => {
  expect(report({})).toEqual({
    isEqual: true,
    lines: [
      'gw_1  imB  "hello"',
      "screen        same",
      "prompt        same",
      "screen-reply  same",
      "decorate      same",
      "deliveries    same",
      "equal",
    ],
  });
});

test("a changed part of the prompt is shown with its previous line", () => {
  const prompt = [{ key: "global.safety", text: "Be good.\nBe very brief." }, ...result.prompt.slice(1)];
  const { isEqual, lines } = report({ prompt }, ["prompt layer left out: gone"]);
  expect(isEqual).toBe(false);
  expect(lines.slice(2, 6)).toEqual(["prompt        different", "    Be good.", "  - Be brief.", "  + Be very brief."]);
  expect(lines.slice(-2)).toEqual(["note: prompt layer left out: gone", "different: - as recorded, + as it is now"]);
});

test("a block, a picture and a failure are described in words", () => {
  const screen = { text: "", filtered: true, blocked: true, rules: ["rule_1"] };
  const picture = { type: "sticker", url: "https://x/s.png", name: "smile" } as const;
  const { lines } = report({
    screen,
    deliveries: [{ text: "Hi!", attachments: [picture] }],
    error: { code: "timed_out", error: "too slow" },
  });
  expect(lines).toEqual(expect.arrayContaining(["  + blocked", "  + rules: rule_1", "  + [sticker: smile]"]));
  expect(lines).toContain("  + timed_out: too slow");
});
