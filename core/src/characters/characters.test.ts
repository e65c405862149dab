import { expect, test } from "vitest";
import { characterFields } from "./character-fields.ts";
import { compilePrompt } from "./compile-prompt.ts";
import { readState } from "./initial-state.ts";
import { STICKER_CATEGORIES, stickerCategoryOf } from "./moods.ts";

test("starting values are read from nested objects, under Chinese names, and clamped", () => {
  const { values, wrong } = readState({
    state: { 当前心情: " 开心 ", 精力: "120", mood_intensity: 2, scene: { location: "tavern" } },
    initial_relationship: { 好感度: -5, 信任: 61.6, 嫉妒心: "3" },
    familiarity: 40,
  });
  expect(values).toEqual({
    mood: "开心",
    energy: 100,
    mood_intensity: 1,
    scene: { location: "tavern" },
    affection: 0,
    trust: 62,
    jealousy: 3,
    familiarity: 40,
  });
  expect(wrong).toEqual([]);
});

test("invalid values of a state are reported, and the others are used", () => {
  const { values, wrong } = readState({ mood: 7, energy: "much", luck: 1, scene: { a: { b: 1 } }, trust: 10 });
  expect(values).toEqual({ trust: 10 });
  expect(wrong.map((problem) => problem.split(":")[0])).toEqual(["mood", "energy", "luck", "scene"]);
  expect(readState({ state: { state: { mood: "开心" } } }).wrong).toHaveLength(1);
  expect(characterFields.initial_state.validate({ luck: 1 }).error?.message).toContain("luck");
});

test("a prompt has the fields in their order, with numbered rules, and without empty ones", () => {
  const prompt = compilePrompt({
    name: "Mira",
    basic_info: "a captain",
    description: "",
    personality: "dry",
    scenario: "a port",
    response_format: "short",
    rules: ["never lie", "stay calm"],
    example_dialogues: "{{user}}: hi",
  });
  const at = ["Mira", "a captain", "dry", "a port", "short", "1. never lie", "2. stay calm", "{{user}}: hi"].map(
    (part) => prompt.indexOf(part),
  );
  expect(at.every((place) => place >= 0)).toBe(true);
  expect(at).toEqual(at.toSorted((a, b) => a - b));
  expect(prompt).not.toContain("Description");
});

test("each mood of the table has its category, and other moods have none", () => {
  const moods = Object.entries(STICKER_CATEGORIES).flatMap(([category, list]) => list.map((mood) => [mood, category]));
  expect(moods).toHaveLength(28);
  for (const [mood = "", category] of moods) expect(stickerCategoryOf(` ${mood} `)).toBe(category);
  expect(stickerCategoryOf("玩味")).toBeNull();
});

test("only stored files and https addresses are pictures", () => {
  for (const good of ["", "/static/files/a-b.png", "https://example.com/a.png"])
    expect(characterFields.avatar.validate(good).error).toBeUndefined();
  for (const bad of ["http://example.com/a.png", "javascript:alert(1)", "/static/files/../x", "data:image/png,x"])
    expect(characterFields.avatar.validate(bad).error).toBeDefined();
});
