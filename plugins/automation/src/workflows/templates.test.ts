import { describe, expect, test } from "vitest";
import { toTruncatedJson } from "../runs/truncate.ts";
import { type Condition, isConditionMet } from "./conditions.ts";
import { fillText, fillValue, isPath, type Variables } from "./templates.ts";

const variables: Variables = {
  values: new Map<string, unknown>([
    ["text", "hello {{number}}"],
    ["number", 7],
    ["list", [{ name: "Ada" }, "two"]],
    ["made", JSON.parse('{"__proto__": {"x": 1}, "a": {"b": null}}')],
    ["nothing", null],
  ]),
  declared: new Set(["later"]),
};

describe("workflow templates", () => {
  test.each([
    ["{{text}}", "hello {{number}}"],
    ["{{ number }}{{number}}", "77"],
    ["{{list[0].name}} and {{list[1]}}", "Ada and two"],
    ["{{list}}", '[{"name":"Ada"},"two"]'],
    ["<{{list[9].name}}{{later}}{{later.x}}{{nothing}}{{made.a.b}}>", "<>"],
    ["{{text.length}}{{list.length}}{{made.constructor}}", "2"],
    ["{{7*7}} {{}} {{a b}} {number}", "{{7*7}} {{}} {{a b}} {number}"],
  ])("%s becomes %s", (text, filled) => {
    expect(fillText(variables, text)).toBe(filled);
  });

  test("fail at a name without a value", () => {
    expect(() => fillText(variables, "{{who}}")).toThrow("{{who}} is not valid: no step provides 'who'");
  });

  test("preserve the type of a value that is the whole text, anywhere in JSON", () => {
    const value = { a: ["{{number}}", "{{number}} "], b: { c: "{{list}}" }, d: 1, e: null, f: "{{later}}" };
    expect(fillValue(variables, value)).toEqual({
      a: [7, "7 "],
      b: { c: [{ name: "Ada" }, "two"] },
      d: 1,
      e: null,
      f: "",
    });
  });
});

test.each<[Condition, boolean]>([
  [{ var: "number", op: "eq", value: "7" }, true],
  [{ var: "number", op: "ne", value: 7 }, false],
  [{ var: "text", op: "contains", value: "HELLO" }, true],
  [{ var: "list", op: "contains", value: "two" }, true],
  [{ var: "later", op: "empty" }, true],
  [{ var: "list", op: "not_empty" }, true],
  [{ var: "number", op: "gt", value: "6.5" }, true],
  [{ var: "text", op: "lt", value: 1 }, false],
  [{ var: "nothing", op: "gt", value: -1 }, false],
])("turn %j into %s", (condition, outcome) => {
  expect(isConditionMet(variables, condition)).toBe(outcome);
});

test("have conditions that name one variable", () => {
  expect(["a", "a.b", "a[0].b-c"].every(isPath)).toBe(true);
  expect(["", "a.", "a[x]", "a()", "a || b", ".a", "1a", "a[0"].some(isPath)).toBe(false);
});

test("are cut to valid JSON that fits, without splitting a character", () => {
  expect(toTruncatedJson({ a: 1 }, 100)).toBe('{"a":1}');
  for (const long of ["😀".repeat(5_000), '\u0001\n"'.repeat(5_000), { many: "x".repeat(9_000) }]) {
    const text = toTruncatedJson(long, 1_000);
    expect(text.length).toBeLessThanOrEqual(1_040);
    expect(JSON.parse(text)).toMatch(/… \[cut: \d+ characters\]$/);
    expect(JSON.parse(text).isWellFormed()).toBe(true);
  }
});
