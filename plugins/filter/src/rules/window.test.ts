import { describe, expect, onTestFinished, test } from "vitest";
import { createRule, createTestEngine } from "../test-setup.ts";
import { isOpen, parseWindow, type RuleWindow, toWallTime } from "./window.ts";

const MINUTE_MS = 60_000;
const night: RuleWindow = { days: ["fri"], start: "22:00", end: "06:00" };

describe("a time window", () => {
  test.each<[RuleWindow, string, boolean]>([
    [{ from: "2026-12-01" }, "2026-11-30T23:59Z", false],
    [{ from: "2026-12-01" }, "2026-12-01T00:00Z", true],
    [{ until: "2026-12-24" }, "2026-12-24T23:59Z", true],
    [{ until: "2026-12-24" }, "2026-12-25T00:00Z", false],
    // 2026-12-25 is a Friday.
    [{ days: ["sat", "sun"] }, "2026-12-25T12:00Z", false],
    [{ days: ["sat", "sun"] }, "2026-12-26T12:00Z", true],
    [{ start: "08:00", end: "18:00" }, "2026-12-25T07:59Z", false],
    [{ start: "08:00", end: "18:00" }, "2026-12-25T08:00Z", true],
    [{ start: "08:00", end: "18:00" }, "2026-12-25T18:00Z", false],
    [night, "2026-12-25T21:59Z", false],
    [night, "2026-12-25T22:00Z", true],
    [night, "2026-12-26T05:59Z", true],
    [night, "2026-12-26T06:00Z", false],
    [night, "2026-12-25T05:00Z", false],
    [{ ...night, until: "2026-12-25" }, "2026-12-26T05:00Z", true],
    [{ ...night, from: "2026-12-26" }, "2026-12-26T05:00Z", false],
    [{ start: "08:00", end: "08:00", days: ["fri"] }, "2026-12-26T07:59Z", true],
  ])("contains %j at %s: %s", (window, instant, open) => {
    expect(isOpen(window, toWallTime(Date.parse(instant), "UTC"))).toBe(open);
  });

  test.each([
    ["what is no object", "mornings"],
    ["nothing in it", {}],
    ["a day that there is not", { from: "2026-02-30" }],
    ["a day written otherwise", { from: "1.12.2026" }],
    ["an end before its beginning", { from: "2026-12-02", until: "2026-12-01" }],
    ["a start without an end", { start: "08:00" }],
    ["a time that there is not", { start: "08:00", end: "24:00" }],
    ["another name of a day", { days: ["monday"] }],
    ["no days", { days: [] }],
    ["a day twice", { days: ["mon", "mon"] }],
    ["a key that nobody knows", { from: "2026-12-02", to: "2026-12-03" }],
  ])("is rejected with %s", (_what, window) => {
    expect(() => parseWindow(window)).toThrow(expect.objectContaining({ code: "bad_request" }));
  });

  test("is missing by default", () => {
    expect([parseWindow(undefined), parseWindow(null)]).toEqual([undefined, undefined]);
  });
});

describe("a rule with a time window", () => {
  const web = { target: "user", channelId: "web", sessionId: "sess_1", hasAttachments: false } as const;
  function engineAt(instant: string, rules: readonly object[], zone = "UTC") {
    let now = Date.parse(instant);
    let inZone = zone;
    const clock = { now: () => now, monotonic: () => performance.now() };
    const engine = createTestEngine({ global: rules }, { clock, zone: () => inZone });
    onTestFinished(() => engine[Symbol.asyncDispose]());
    const filterText = async (text = "a bad day") => (await engine.apply({ ...web, text })).text;
    return {
      engine,
      filter: filterText,
      at(next: string) {
        now = Date.parse(next);
      },
      pass: (minutes: number) => {
        now += minutes * MINUTE_MS;
      },
      move(next: string) {
        inZone = next;
        engine.zoneChanged();
      },
    };
  }
  const office = { start: "08:00", end: "18:00" };

  test("is applied from its first minute to its last, also to a text that was filtered before", async () => {
    const { filter, at } = engineAt("2026-12-25T07:59:59.999Z", [createRule("bad", { window: office })]);
    expect(await filter()).toBe("a bad day");
    at("2026-12-25T08:00:00.000Z");
    expect(await filter()).toBe("a  day");
    at("2026-12-25T18:00:00.000Z");
    expect(await filter()).toBe("a bad day");
  });

  test("prevents streaming only while its window is open, and reports when that changes", () => {
    const { engine, at } = engineAt("2026-12-25T07:00Z", [createRule("bad", { window: office, filter_target: "ai" })]);
    const hasRules = () => engine.hasRulesFor("ai", "web", "sess_1");
    expect({ held: hasRules(), turns: engine.getWindowChangeCount() }).toEqual({ held: false, turns: 0 });
    at("2026-12-25T08:00Z");
    engine.look();
    expect({ held: hasRules(), turns: engine.getWindowChangeCount() }).toEqual({ held: true, turns: 1 });
    at("2026-12-25T09:00Z");
    expect({ held: hasRules(), turns: engine.getWindowChangeCount() }).toEqual({ held: true, turns: 1 });
    at("2026-12-25T18:00Z");
    expect({ held: hasRules(), turns: engine.getWindowChangeCount() }).toEqual({ held: false, turns: 2 });
  });

  test("does not affect the others of its list", async () => {
    const { filter, at } = engineAt("2026-12-25T07:00Z", [
      createRule("day"),
      createRule("b.d", { type: "regex", window: office }),
      createRule("off", { window: office, enabled: false }),
    ]);
    expect(await filter("a bad day off")).toBe("a bad  off");
    at("2026-12-25T12:00Z");
    expect(await filter("a bad day off")).toBe("a   off");
  });

  test("follows the current clock, when it is set forward and back", async () => {
    const { filter, at } = engineAt("2026-12-25T12:00Z", [createRule("bad", { window: office })]);
    for (const [instant, text] of [
      ["2026-12-25T12:00Z", "a  day"],
      ["2031-12-25T19:00Z", "a bad day"],
      ["2026-12-25T12:00Z", "a  day"],
      ["1999-12-25T07:00Z", "a bad day"],
      ["2026-12-25T07:59Z", "a bad day"],
      ["2026-12-25T08:00Z", "a  day"],
    ] as const) {
      at(instant);
      expect(await filter()).toBe(text);
    }
  });

  test("uses the time zone of the settings, from the moment it changes", async () => {
    const { filter, move } = engineAt("2026-12-25T07:00Z", [createRule("bad", { window: office })]);
    expect(await filter()).toBe("a bad day");
    move("Europe/Berlin");
    expect(await filter()).toBe("a  day");
    move("Asia/Shanghai");
    expect(await filter()).toBe("a  day");
    move("America/New_York");
    expect(await filter()).toBe("a bad day");
  });

  test("uses local time when daylight saving time starts and ends", () => {
    // In Berlin, 02:00 becomes 03:00 at 01:00 UTC on 2026-03-29, and 03:00 becomes 02:00 at 01:00 UTC on 2026-10-25.
    const minutesOpen = (from: string, window: RuleWindow) => {
      const { engine, pass } = engineAt(from, [createRule("bad", { window })], "Europe/Berlin");
      let open = 0;
      for (let minute = 0; minute < 24 * 60; minute += 1) {
        if (engine.hasRulesFor("user", "web", "")) open += 1;
        pass(1);
      }
      return open;
    };
    const early = { start: "02:30", end: "03:30" };
    expect(minutesOpen("2026-03-28T23:00Z", early)).toBe(30);
    expect(minutesOpen("2026-10-24T22:00Z", early)).toBe(90);
    expect(minutesOpen("2026-06-01T22:00Z", early)).toBe(60);
    expect(minutesOpen("2026-03-28T12:00Z", { days: ["sun"] })).toBe(13 * 60);
  });

  test("is shown as matching in a preview, and leaves the text unchanged while it is closed", async () => {
    const { engine, at } = engineAt("2026-12-25T07:00Z", [
      createRule("bad", { id: "rule_w", window: office }),
      createRule("day", { id: "rule_d" }),
    ]);
    const attempt = () =>
      engine.tryRules({
        text: "a bad day",
        target: "user",
        rule: { pattern: "a bad", type: "keyword", action: "strip", replacement: "", window: { days: ["mon"] } },
      });
    const shown = ({ content, matches }: Awaited<ReturnType<typeof attempt>>) => ({
      content,
      outside: matches.filter(({ outside_window }) => outside_window).map(({ id }) => id),
    });
    expect(shown(await attempt())).toEqual({ content: "a bad", outside: ["rule_trial", "rule_w"] });
    at("2026-12-28T08:00Z");
    expect(shown(await attempt())).toEqual({ content: "", outside: [] });
  });

  test("costs nothing per message however many there are, because keywords are compiled once", async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => createRule(`<${index}>`, { window: office }));
    const { engine, filter, at } = engineAt("2026-12-25T07:00Z", many);
    expect(engine.hasRulesFor("user", "web", "")).toBe(false);
    at("2026-12-25T08:00Z");
    expect(await filter("a <1999> b")).toBe("a  b");
    at("2026-12-25T18:00Z");
    expect(await filter("a <1999> b")).toBe("a <1999> b");
  });
});
