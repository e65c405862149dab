import { localizeMessage } from "@parley/core";
import { describe, expect, test } from "vitest";
import { createRule } from "../test-setup.ts";
import { appendRules, EMPTY_DOCUMENT, parseDocument, parseRules, removeRule, replaceRule } from "./document.ts";
import { parsePlace, parseSessionKey, type Rule } from "./rule.ts";

describe("the rules file", () => {
  test("may omit fields and use their older names", () => {
    const document = parseDocument({
      global: [{ id: "rule_a", pattern: " word " }],
      groups: { imA_group: [createRule("x", { id: "rule_b" })] },
      channels: { imA: [createRule("y", { id: "rule_c" })] },
    });
    expect(document).not.toHaveProperty("groups");
    expect(parseRules(document).rules).toMatchObject([
      {
        channel: "global",
        rule: { pattern: "word", type: "keyword", action: "strip", filter_target: "user", enabled: true },
      },
      { channel: "imA", rule: { id: "rule_b" } },
      { channel: "imA", rule: { id: "rule_c" } },
    ]);
  });

  test.each([
    ["no object", []],
    ["a switch that is none", { enabled: "yes" }],
    ["rules that are no list", { global: {} }],
    ["channels that are no object", { channels: [] }],
    ["a channel that is no list", { channels: { web: {} } }],
  ])("is rejected with %s", (_what, json) => {
    expect(() => parseDocument(json)).toThrow();
  });

  test.each([
    ["another type", { type: "glob" }, "type", "“type”只能是"],
    ["another action", { action: "drop" }, "action", "“action”只能是"],
    ["another target", { filter_target: "bot" }, "filter_target", "“filter_target”只能是"],
    ["a blank pattern", { pattern: "  " }, "blank", "不能为空"],
    ["half a character", { pattern: "\ud83d" }, "half", "不完整的字符"],
    [
      "a broken regular expression",
      { type: "regex", pattern: "(" },
      "Unterminated group",
      "不是有效的正则表达式：括号没有闭合",
    ],
    ["no session", { session_scope: "specific" }, "global rule", "全局规则"],
    ["an id of another form", { id: "42" }, "id", "有效的 ID"],
  ])("with an invalid rule (%s) keeps but never applies it", (_what, wrong, problem, chinese) => {
    const rule = { ...createRule("word"), note: "mine", ...wrong };
    const document = parseDocument({ global: [rule], comment: "ours" });
    expect(parseRules(document).rules).toEqual([]);
    const { invalid } = parseRules(document);
    expect(invalid).toMatchObject([{ problem: expect.stringContaining(problem) }]);
    expect(invalid.map((one) => localizeMessage(one.problem, one.detail).zh)).toMatchObject([
      expect.stringContaining(chinese),
    ]);
    const added = appendRules(document, parsePlace({}), [createRule("next", { id: "rule_n" }) as Rule]);
    expect(added).toMatchObject({ comment: "ours", global: [rule, { id: "rule_n" }] });
  });

  test("with a duplicate id uses the first one", () => {
    const document = parseDocument({ global: [createRule("a", { id: "rule_a" }), createRule("b", { id: "rule_a" })] });
    expect(parseRules(document).rules).toMatchObject([{ rule: { pattern: "a" } }]);
    expect(parseRules(document).invalid).toHaveLength(1);
  });

  test("may contain names with special characters", () => {
    const document = parseDocument(JSON.parse('{"channels":{"__proto__":[{"id":"rule_a","pattern":"x"}]}}'));
    expect(parseRules(document).rules).toMatchObject([{ channel: "__proto__" }]);
    const [placed] = parseRules(document).rules;
    expect(Object.keys(removeRule(document, placed as never).channels)).toEqual([]);
    expect(({} as { id?: unknown }).id).toBeUndefined();
  });

  test("keeps unknown fields of a changed rule, and drops a channel's list with its last rule", () => {
    const document = parseDocument({ channels: { web: [{ ...createRule("a", { id: "rule_a" }), note: "mine" }] } });
    const [placed] = parseRules(document).rules;
    if (!placed) throw new Error("no rule");
    const changed = replaceRule(document, placed, { ...placed.rule, pattern: "b" });
    expect(changed.channels).toMatchObject({ web: [{ pattern: "b", note: "mine" }] });
    expect(removeRule(document, placed).channels).toEqual({});
  });

  test("has limits", () => {
    const many = Array.from({ length: 2_000 }, (_, index) => createRule(`a${index}`, { type: "regex" }) as Rule);
    const full = appendRules(EMPTY_DOCUMENT, parsePlace({}), many);
    const one = [createRule("x", { type: "regex" }) as Rule];
    expect(() => appendRules(full, parsePlace({}), one)).toThrow("2000 regular expressions");
    expect(parseRules(appendRules(full, parsePlace({}), [createRule("x") as Rule])).rules).toHaveLength(2_001);
  });
});

describe("the scope of a rule", () => {
  test.each([
    [{}, "global", ""],
    [{ channel: "global" }, "global", ""],
    [{ channel: "imA_group" }, "imA", ""],
    [{ channel: "web", session_id: "sess_1" }, "web", ""],
    [{ channel: "web", session_scope: "specific", session_id: "sess_1" }, "web", "web:sess_1"],
    [{ channel: "web", session_scope: "specific", session_id: "web:sess_1" }, "web", "web:sess_1"],
    [{ channel: "imA", session_scope: "specific", session_id: "imA_group_42_user" }, "imA", "imA:group:42"],
    [{ channel: "imA", session_scope: "specific", session_id: "imA_group:42" }, "imA", "imA:group:42"],
    [{ channel: "imA", session_scope: "specific", session_id: "imA_private_7" }, "imA", "imA:private:7"],
    [{ channel: "imB", session_scope: "specific", session_id: "42" }, "imB", "imB:42"],
  ] as const)("%j is the list %s and the session %j", (draft, channel, session_id) => {
    expect(parsePlace(draft)).toMatchObject({ channel, session_id });
  });

  test.each([
    { channel: "imA_group_1_user" },
    { channel: "imA:group:1" },
    { session_scope: "specific", session_id: "x" },
    { channel: "web", session_scope: "specific" },
    { channel: "imA", session_scope: "specific", session_id: "42" },
    { channel: "imB", session_scope: "specific", session_id: "imA:group:1" },
  ] as const)("%j is rejected", (draft) => {
    expect(() => parsePlace(draft)).toThrow(expect.objectContaining({ code: "bad_request" }));
  });

  test("belongs to one channel by its session key", () => {
    expect(parseSessionKey("web:a", "web")).toBe("web:a");
    expect(() => parseSessionKey("web:", "web")).toThrow();
  });
});
