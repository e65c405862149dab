import { testTurn } from "@parley/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expandMacros, type MacroValues, toMacroValues } from "./macros.ts";

const values: MacroValues = {
  user: "Ann",
  char: "Mira",
  seed: "gw_1",
  conversation: "sess_1",
  at: Date.UTC(2026, 0, 6, 23, 5),
  timeZone: "Asia/Shanghai",
  persona: "A knight.",
  lastUserMessage: "hi",
  lastCharMessage: "well",
  idleMs: 4 * 3_600_000 + 5,
};
const put = (text: string, more: Partial<MacroValues> = {}) => expandMacros(text, { ...values, ...more });

test.each([
  ["{{user}} meets {{CHAR}}, { {user} } and {{ user }}", "Ann meets Mira, { {user} } and Ann"],
  ["{{time}} on {{weekday}} {{date}}", "07:05 on Wednesday 2026-01-07"],
  ["a{{// nobody {{user}} sees this}}b", "ab"],
  ["a{{newline}}b", "a\nb"],
  ["{{{user}}} and {{{{char}}}}", "{Ann} and {{Mira}}"],
  ["{{unknown}} {{user::x}} {{7*7}} {user.name}", "{{unknown}} {{user::x}} {{7*7}} {user.name}"],
  ["{{unknown::{{user}}}}", "{{unknown::Ann}}"],
  ["{{random::{{user}}::{{user}}}}", "Ann"],
  ["{{random}} {{pick}}", "{{random}} {{pick}}"],
  ["open {{user", "open {{user"],
  ["open {{user {{char}}", "open {{user Mira"],
  ["close }} {{user}}", "close }} Ann"],
  ["{{constructor}} {{toString}}", "{{constructor}} {{toString}}"],
  ["a::b {{user}}::c", "a::b Ann::c"],
  ["<USER> meets <bot> and <Char>", "Ann meets Mira and Mira"],
  ["<user>as a tag</user>", "<user>as a tag</user>"],
  ["<users> < <user", "<users> < <user"],
  ["{{isodate}} {{isotime}} {{time_UTC+2}} {{time_UTC-11}}", "2026-01-07 07:05 01:05 12:05"],
  ["{{reverse:Hello}} {{reverse::a:b}}", "olleH b:a"],
  ["a{{comment: seen by nobody}}b{{hidden_key:x}}c{{noop}}d", "abcd"],
  ["a\n\n{{trim}}\n\nb\n{{trim}}c", "abc"],
  ["{{group}} {{charIfNotGroup}}", "Mira Mira"],
  ["{{persona}}", "A knight."],
  ["{{lastMessage}} {{lastUserMessage}} {{lastCharMessage}}", "hi hi well"],
  ["{{idle_duration}}", "4 hours"],
  ["{{roll:1d1}} {{roll:d1}} {{roll:1}} {{roll 3d1+2}} {{roll::2d1-1}}", "1 1 1 5 1"],
  ["{{roll}} {{roll:x}} {{roll:d0}} {{roll:999d6}}", "{{roll}} {{roll:x}} {{roll:d0}} {{roll:999d6}}"],
  ["{{random:a\\,b}}", "a,b"],
])("the macro %s becomes %s", (text, wanted) => {
  expect(put(text)).toBe(wanted);
});

test("macros in a name are not expanded", () => {
  expect(put("{{user}} and {{random::{{user}}}}", { user: "{{char}}{{random::x}}" })).toBe(
    "{{char}}{{random::x}} and {{char}}{{random::x}}",
  );
});

describe("dice", () => {
  const dice = "{{random::a::b::c::d}}{{random:a,b,c,d}}{{random::a::b::c::d}}{{random::a::b::c::d}}";
  test("give the same result for the same message, each its own, and another one for another message", () => {
    expect(put(dice)).toBe(put(dice));
    const found = new Set(Array.from({ length: 50 }, (_, index) => put(dice, { seed: `gw_${index}` })));
    expect(found.size).toBeGreaterThan(20);
    expect([...found].some((text) => new Set(text).size > 1)).toBe(true);
  });

  test("that pick an item give the same result for the whole conversation", () => {
    const picked = "{{pick::a::b::c::d::e::f}}";
    const inOne = new Set(Array.from({ length: 20 }, (_, index) => put(picked, { seed: `gw_${index}` })));
    const inMany = new Set(Array.from({ length: 50 }, (_, index) => put(picked, { conversation: `sess_${index}` })));
    expect(inOne.size).toBe(1);
    expect(inMany.size).toBeGreaterThan(3);
  });
});

test.each([
  [0, "a few seconds"],
  [60_000, "1 minute"],
  [3_600_000, "1 hour"],
  [49 * 3_600_000, "2 days"],
])("an idle time of %i ms is %s", (idleMs, wanted) => {
  expect(put("{{idle_duration}}", { idleMs })).toBe(wanted);
});

test("dice fall within their sides, and differ within one text", () => {
  const rolls = Array.from({ length: 200 }, (_, index) => Number(put("{{roll:2d6+1}}", { seed: `gw_${index}` })));
  expect(Math.min(...rolls)).toBeGreaterThanOrEqual(3);
  expect(Math.max(...rolls)).toBeLessThanOrEqual(13);
  expect(new Set(put("{{roll:d999}} {{roll:d999}}").split(" ")).size).toBe(2);
});

test("macros that are nested too deep stay as they are", () => {
  const nested = (depth: number) => `${"{{random::".repeat(depth)}x${"}}".repeat(depth)}`;
  expect(put(nested(8))).toBe("x");
  expect(put(nested(12))).toContain("{{random::");
});

test("any text is accepted, and one without macros stays as it is", () => {
  const piece = fc.constantFrom("{{", "}}", "::", "{", "}", "user", "random", "a", ":", "//", "\n");
  fc.assert(fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => typeof put(pieces.join("")) === "string"));
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!text.includes("{{"));
      expect(put(text)).toBe(text);
    }),
  );
});

test("a text that contains only braces is handled quickly", () => {
  const begun = performance.now();
  for (const text of ["{{".repeat(10_000), "{{random::".repeat(2_000), "}}".repeat(10_000), "{".repeat(20_000)])
    put(text);
  expect(performance.now() - begun).toBeLessThan(1_000);
});

test("the values of macros come from the turn: its people, dice and time", () => {
  const turn = testTurn({
    inbound: { sender: { id: "1", name: "Ann\nB", isAdmin: false } },
    session: { sender_name: "Mira" },
  });
  expect(toMacroValues(turn, "UTC")).toMatchObject({
    user: "Ann B",
    char: "Mira",
    seed: turn.traceId,
    at: Date.UTC(2026, 0, 6, 10, 15, 0),
  });
});
