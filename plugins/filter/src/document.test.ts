import { inBothLanguages } from "@parley/core";
import { describe, expect, test } from "vitest";
import { EMPTY_DOCUMENT, parseDocument, rulesOf, withChanged, withoutRule, withRules } from "./document.ts";
import { placeOf, type Rule, sessionKeyOf } from "./rule.ts";
import { ruleOf } from "./test-setup.ts";

describe("the file", () => {
  test("is read with what it leaves out, and older names of its parts", () => {
    const document = parseDocument({
      global: [{ id: "rule_a", pattern: " word " }],
      groups: { imA_group: [ruleOf("x", { id: "rule_b" })] },
      channels: { imA: [ruleOf("y", { id: "rule_c" })] },
    });
    expect(document).not.toHaveProperty("groups");
    expect(rulesOf(document).rules).toMatchObject([
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
  ])("is refused with %s", (_what, json) => {
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
  ])("holds a rule with %s: it is never applied, and kept", (_what, wrong, problem, chinese) => {
    const rule = { ...ruleOf("word"), note: "mine", ...wrong };
    const document = parseDocument({ global: [rule], comment: "ours" });
    expect(rulesOf(document).rules).toEqual([]);
    const { invalid } = rulesOf(document);
    expect(invalid).toMatchObject([{ problem: expect.stringContaining(problem) }]);
    expect(invalid.map((one) => inBothLanguages(one.problem, one.detail).zh)).toMatchObject([
      expect.stringContaining(chinese),
    ]);
    const added = withRules(document, placeOf({}), [ruleOf("next", { id: "rule_n" }) as Rule]);
    expect(added).toMatchObject({ comment: "ours", global: [rule, { id: "rule_n" }] });
  });

  test("holds the same id twice: the first one counts", () => {
    const document = parseDocument({ global: [ruleOf("a", { id: "rule_a" }), ruleOf("b", { id: "rule_a" })] });
    expect(rulesOf(document).rules).toMatchObject([{ rule: { pattern: "a" } }]);
    expect(rulesOf(document).invalid).toHaveLength(1);
  });

  test("holds names that are not plain ones", () => {
    const document = parseDocument(JSON.parse('{"channels":{"__proto__":[{"id":"rule_a","pattern":"x"}]}}'));
    expect(rulesOf(document).rules).toMatchObject([{ channel: "__proto__" }]);
    const [placed] = rulesOf(document).rules;
    expect(Object.keys(withoutRule(document, placed as never).channels)).toEqual([]);
    expect(({} as { id?: unknown }).id).toBeUndefined();
  });

  test("keeps what we do not know of a rule that is changed, and loses a channel's list with its last rule", () => {
    const document = parseDocument({ channels: { web: [{ ...ruleOf("a", { id: "rule_a" }), note: "mine" }] } });
    const [placed] = rulesOf(document).rules;
    if (!placed) throw new Error("no rule");
    const changed = withChanged(document, placed, { ...placed.rule, pattern: "b" });
    expect(changed.channels).toMatchObject({ web: [{ pattern: "b", note: "mine" }] });
    expect(withoutRule(document, placed).channels).toEqual({});
  });

  test("takes no more than its limits", () => {
    const many = Array.from({ length: 2_000 }, (_, index) => ruleOf(`a${index}`, { type: "regex" }) as Rule);
    const full = withRules(EMPTY_DOCUMENT, placeOf({}), many);
    const one = [ruleOf("x", { type: "regex" }) as Rule];
    expect(() => withRules(full, placeOf({}), one)).toThrow("2000 regular expressions");
    expect(rulesOf(withRules(full, placeOf({}), [ruleOf("x") as Rule])).rules).toHaveLength(2_001);
  });
});

describe("a place", () => {
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
    expect(placeOf(draft)).toMatchObject({ channel, session_id });
  });

  test.each([
    { channel: "imA_group_1_user" },
    { channel: "imA:group:1" },
    { session_scope: "specific", session_id: "x" },
    { channel: "web", session_scope: "specific" },
    { channel: "imA", session_scope: "specific", session_id: "42" },
    { channel: "imB", session_scope: "specific", session_id: "imA:group:1" },
  ] as const)("%j is refused", (draft) => {
    expect(() => placeOf(draft)).toThrow(expect.objectContaining({ code: "bad_request" }));
  });

  test("a key of a session belongs to one channel", () => {
    expect(sessionKeyOf("web:a", "web")).toBe("web:a");
    expect(() => sessionKeyOf("web:", "web")).toThrow();
  });
});
