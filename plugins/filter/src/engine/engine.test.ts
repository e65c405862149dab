import { foldText } from "@parley/core/text-match";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { createRule, createTestEngine } from "../test-setup.ts";

const web = { target: "user", channelId: "web", sessionId: "sess_1", hasAttachments: false } as const;

function createEngine(json: object) {
  const engine = createTestEngine(json);
  onTestFinished(() => engine[Symbol.asyncDispose]());
  return engine;
}

const withGlobal = (...global: readonly object[]) => createEngine({ global });

describe("a filtered message", () => {
  test("loses the words of a strip rule, wherever and however they are written", async () => {
    const engine = withGlobal(createRule("bad"));
    expect(await engine.apply({ ...web, text: "a BaD and bad day" })).toMatchObject({
      text: "a  and  day",
      filtered: true,
      blocked: false,
    });
  });

  test("keeps words that contain another one when the rule matches whole words", async () => {
    const engine = withGlobal(createRule("ass", { whole_word: true }), createRule("中文", { whole_word: true }));
    const left = async (text: string) => (await engine.apply({ ...web, text })).text;
    for (const text of ["a class of its own", "assess", "Maßassé", "ass_1", "asś"]) expect(await left(text)).toBe(text);
    expect(await left("you ass, ASS!")).toBe("you , !");
    expect(await left("这是中文字")).toBe("这是字");
    // Without the option a keyword is also found inside words.
    expect((await withGlobal(createRule("ass")).apply({ ...web, text: "class" })).text).toBe("cl");
    const rule = { pattern: "ass", type: "keyword", action: "strip", replacement: "", whole_word: true } as const;
    expect((await createEngine({}).tryRules({ text: "class", target: "user", rule })).filtered).toBe(false);
  });

  test("gets the replacement of a rule, and later rules do not match the replacement", async () => {
    const engine = withGlobal(
      createRule("bad", { action: "replace", replacement: "***" }),
      createRule("evil", { id: "rule_e", action: "replace", replacement: "evil twin, bad" }),
      createRule("gone", { id: "rule_g" }),
    );
    const filterText = async (text: string) => (await engine.apply({ ...web, text })).text;
    expect(await filterText("a BaD and evil day, gone")).toBe("a *** and evil twin, bad day,");
    expect(await filterText("badbad")).toBe("***");
    // A keyword that results from a removal is found too.
    expect(await filterText("bgonead")).toBe("***");
    expect(await filterText("b\u{fdd0}ad \u{fdd1}x bad")).toBe("*** x ***");
  });

  test("is blocked when replacements would exceed the length limit", async () => {
    const words = Array.from({ length: 40 }, (_, at) => `word${String(at).padStart(2, "0")}`);
    const engine = withGlobal(
      ...words.map((word, at) => createRule(word, { id: `rule_${at}`, action: "replace", replacement: `<${at}>` })),
    );
    const { text } = await engine.apply({ ...web, text: words.join(" ") });
    expect(text).not.toMatch(/word|[\u{fdd0}-\u{fdef}]/u);
    expect(text).toContain("<0> <1>");
  });

  test("is blocked as a whole by a recall rule, and every matching rule is listed", async () => {
    const engine = createEngine({
      global: [createRule("bad", { id: "rule_g", action: "recall" })],
      channels: {
        web: [
          createRule("bad", { id: "rule_c" }),
          createRule("bad", { id: "rule_s", session_scope: "specific", session_id: "web:sess_1" }),
          createRule("other", { id: "rule_o" }),
        ],
      },
    });
    expect(await engine.apply({ ...web, text: "bad" })).toMatchObject({
      text: "",
      blocked: true,
      rules: ["rule_s", "rule_c", "rule_g"],
    });
  });

  test.each([
    ["user", "user", true],
    ["user", "ai", false],
    ["ai", "user", false],
    ["ai", "ai", true],
    ["both", "user", true],
    ["both", "ai", true],
  ] as const)("matches a rule for %s with a text of %s: %s", async (filter_target, target, applies) => {
    const engine = withGlobal(createRule("bad", { filter_target }));
    expect((await engine.apply({ ...web, target, text: "bad day" })).filtered).toBe(applies);
    expect(engine.hasRulesFor(target, "web", "sess_1")).toBe(applies);
  });

  test.each([
    ["imA_group", "imA:group:42", true],
    ["imA_private", "imA:group:42", true],
    ["imA", "imA:group:42", true],
    ["imA", "imA:group:43", false],
    ["web", "imA:group:42", false],
    ["imB", "imA:group:42", false],
  ])("of channel %s, session %s matches a rule of imA for imA:group:42: %s", async (channelId, sessionId, applies) => {
    const rule = createRule("bad", { session_scope: "specific", session_id: "imA_group_42_user" });
    const engine = createEngine({ channels: { imA: [rule] } });
    expect((await engine.apply({ ...web, channelId, sessionId, text: "bad day" })).filtered).toBe(applies);
  });

  test("is unchanged by disabled rules, and by all rules when the filter is off", async () => {
    const engine = withGlobal(createRule("bad", { enabled: false }));
    expect(await engine.apply({ ...web, text: " bad " })).toMatchObject({ text: " bad ", filtered: false });
    engine.file.edit({ enabled: false, global: [createRule("bad")] });
    expect(await engine.apply({ ...web, text: " bad " })).toMatchObject({ text: " bad ", filtered: false });
  });

  test("without remaining text is blocked, but sent when it has attachments", async () => {
    const engine = withGlobal(createRule("bad"));
    expect(await engine.apply({ ...web, text: " bad bad " })).toMatchObject({ text: "", blocked: true });
    expect(await engine.apply({ ...web, text: "bad", hasAttachments: true })).toMatchObject({
      text: "",
      blocked: false,
    });
  });

  test("is filtered again when a removal creates a new match, and may be blocked", async () => {
    const strip = withGlobal(createRule("ab"));
    expect(await strip.apply({ ...web, text: "x aabb y" })).toMatchObject({ text: "x  y" });
    const recall = withGlobal(createRule("ab"), createRule("secret", { action: "recall" }));
    expect(await recall.apply({ ...web, text: "secabret" })).toMatchObject({ blocked: true });
    const deep = `${"a".repeat(40)}${"b".repeat(40)}`;
    expect(await strip.apply({ ...web, text: `x ${deep} y` })).toMatchObject({ blocked: true, text: "" });
  });

  test("is filtered by changed rules at once", async () => {
    const engine = withGlobal(createRule("bad"));
    expect((await engine.apply({ ...web, text: "good" })).filtered).toBe(false);
    engine.file.edit({ global: [createRule("good")] });
    expect((await engine.apply({ ...web, text: "good day" })).text).toBe("day");
  });

  test("counts once for each rule, and not in a preview", async () => {
    const engine = withGlobal(createRule("bad", { id: "rule_1" }), createRule("day", { id: "rule_2" }));
    await engine.apply({ ...web, text: "bad bad day x", isPreview: true });
    expect(engine.counted).toEqual([]);
    const { text } = await engine.apply({ ...web, text: "bad bad day x" });
    await engine.apply({ ...web, text });
    expect(engine.counted).toEqual(["rule_1", "rule_2"]);
  });
});

describe("for any rules and text", () => {
  const letters = fc.constantFrom("a", "b", "c", "A", "İ", "ß", "Σ", "中", "😀", "\ud83d", "\ude00", " ");
  const texts = fc.array(letters, { maxLength: 24 }).map((parts) => parts.join(""));
  const patterns = fc.uniqueArray(
    fc
      .array(fc.constantFrom("a", "b", "c", "İ", "σ", "中", "😀"), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join("")),
    { minLength: 1, maxLength: 30 },
  );

  test("no stripped word remains, and filtering again changes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(patterns, texts, async (list, text) => {
        await using engine = createTestEngine({ global: list.map((pattern) => createRule(pattern)) });
        const once = await engine.apply({ ...web, text });
        for (const pattern of list) expect(foldText(once.text)).not.toContain(foldText(pattern));
        engine.file.edit({ global: list.map((pattern) => createRule(pattern)) });
        expect(await engine.apply({ ...web, text: once.text })).toMatchObject({ text: once.text, filtered: false });
      }),
      { numRuns: 300 },
    );
  });

  test("the order of rules that only remove does not change the result", async () => {
    await fc.assert(
      fc.asyncProperty(patterns, texts, fc.boolean(), async (list, text, hasRegex) => {
        const rules = list.map((pattern, index) =>
          createRule(pattern, { id: `rule_${index}`, ...(hasRegex && index % 3 === 0 && { type: "regex" }) }),
        );
        await using forward = createTestEngine({ global: rules });
        await using backward = createTestEngine({ global: rules.toReversed() });
        const [one, other] = [await forward.apply({ ...web, text }), await backward.apply({ ...web, text })];
        expect(one).toEqual({ ...other, rules: one.rules });
        expect([...one.rules].sort()).toEqual([...other.rules].sort());
      }),
      { numRuns: 60 },
    );
  });
});

describe("the order of the rules", () => {
  const starred = (pattern: string, replacement: string, more: object = {}) =>
    createRule(pattern, { action: "replace", replacement, ...more });
  const made = async (text: string, json: object) => (await createEngine(json).apply({ ...web, text })).text;

  test.each([
    ["foo bar", "X", [starred("foo bar", "X"), starred("foo", "Y")]],
    ["foo bar", "Y bar", [starred("foo", "Y"), starred("foo bar", "X")]],
    ["badword", "", [createRule("bad"), createRule("badword")]],
    ["badword", "***", [starred("badword", "***"), createRule("bad")]],
    ["badword", "word", [createRule("bad"), starred("badword", "***")]],
    ["badword", "*word", [starred("b.d", "*", { type: "regex" }), createRule("badword")]],
    ["abcd", "1d", [starred("abc", "1"), starred("bcd", "2")]],
    ["abcd", "a2", [starred("bcd", "2"), starred("abc", "1")]],
    ["badevil", "12", [starred("bad", "1"), starred("evil", "2")]],
    // The text after the first rule is searched again.
    ["xaby", "z", [createRule("ab"), starred("xy", "z")]],
  ])("with %j results in %j", async (text, left, global) => {
    expect(await made(text, { global })).toBe(left);
  });

  test("counts within the scope: a conversation before its channel, that before all", async () => {
    const session = starred("a b", "S", { session_scope: "specific", session_id: "web:sess_1" });
    const [channel, everybody] = [starred("a b", "C"), starred("a b", "G")];
    expect(await made("a b", { global: [everybody], channels: { web: [channel, session] } })).toBe("S");
    expect(await made("a b", { global: [everybody], channels: { web: [channel] } })).toBe("C");
  });
});

describe("a regular expression", () => {
  const regex = (pattern: string, more: object = {}) => createRule(pattern, { type: "regex", ...more });

  test.each([
    ["b.d", "x B\nD y", "x  y"],
    ["(?is)b.d", "x b\nd y", "x  y"],
    ["a*", "xaaay", "xy"],
    ["(?<=x)y", "xy z", "x z"],
    ["(\\w)\\1", "x oo y", "x  y"],
    ["(?<twice>z)\\k<twice>", "zz top", "top"],
    ["\\u{1F600}", "x 😀 y", "x  y"],
    ["[😀]", "x 😀 y", "x  y"],
    ["\\-", "a-b", "ab"],
    ["^bad", "bad bad good", "good"],
  ])("%s turns %j into %j", async (pattern, text, left) => {
    const engine = withGlobal(regex(pattern));
    expect((await engine.apply({ ...web, text })).text).toBe(left);
  });

  test("has the same result for the same text again and again", async () => {
    const engine = withGlobal(regex("b.d", { action: "recall" }));
    const answers: boolean[] = [];
    for (let turn = 0; turn < 5; turn += 1) answers.push((await engine.apply({ ...web, text: "x bad" })).blocked);
    expect(answers).toEqual([true, true, true, true, true]);
  });

  test("without strict syntax does not split a character", async () => {
    const engine = withGlobal(regex("\\-|[\\ud83d]"));
    expect((await engine.apply({ ...web, text: "x 😀 - y" })).text).toBe("x   y");
  });

  test("that takes too long is skipped for that text, and the others are applied", async () => {
    const engine = withGlobal(regex("^(\\w+\\s?)*$", { id: "rule_slow" }), regex("se.ret"), createRule("bad"));
    const result = await engine.apply({ ...web, text: `${"a".repeat(60)}! bad secret` });
    expect(result).toMatchObject({ text: `${"a".repeat(60)}!`, skipped: ["rule_slow"] });
    expect((await engine.apply({ ...web, text: "short" })).rules).toEqual(["rule_slow"]);
  });

  test("that takes too long three times is disabled and reported once, until its pattern changes", async () => {
    const engine = withGlobal(regex("(a+)+$", { id: "rule_slow" }));
    for (let turn = 0; turn < 5; turn += 1) await engine.apply({ ...web, text: `${"a".repeat(60 + turn)}!` });
    expect(engine.health.getTimeoutCount()).toBe(3);
    expect(engine.health.listQuarantined()).toEqual(["rule_slow"]);
    expect(engine.events.published).toHaveLength(1);
    expect((await engine.apply({ ...web, text: "aa" })).skipped).toEqual(["rule_slow"]);
    engine.file.edit({ global: [regex("a+$", { id: "rule_slow" })] });
    expect((await engine.apply({ ...web, text: "b aa" })).text).toBe("b");
  });
});

describe("a rule preview", () => {
  test("shows the matches of active rules and of the draft, and counts nothing", async () => {
    const engine = createEngine({
      global: [createRule("bad", { id: "rule_g" })],
      channels: { web: [createRule("day", { id: "rule_c" })] },
    });
    const trial = await engine.tryRules({
      text: "bad bad day",
      target: "user",
      channel: "web",
      rule: { pattern: "d.y", type: "regex", action: "recall", replacement: "" },
    });
    expect(trial).toMatchObject({ content: "", filtered: true, blocked: true, skipped: [] });
    expect(trial.matches.map(({ id, reach, ranges }) => ({ id, reach, ranges }))).toEqual([
      { id: "rule_c", reach: "channel", ranges: [{ start: 8, end: 11 }] },
      {
        id: "rule_g",
        reach: "global",
        ranges: [
          { start: 0, end: 3 },
          { start: 4, end: 7 },
        ],
      },
      { id: "rule_trial", reach: "trial", ranges: [{ start: 8, end: 11 }] },
    ]);
    expect(engine.counted).toEqual([]);
  });
});
