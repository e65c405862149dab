import { describe, expect, test } from "vitest";
import { createChance } from "../activation/activation.ts";
import { parseDecorators } from "./decorators.ts";
import { readInfoTerms } from "./info-terms.ts";
import { activate, constant, entry, type FileEntry, recall, type Scene } from "./test-setup.ts";

type Row = readonly [
  what: string,
  entries: readonly FileEntry[],
  talk: string | readonly string[],
  activated: readonly string[],
  scene?: Scene,
];

const of = (group: string, more: FileEntry = {}) => ({ group, ...more });
const GROUPS: readonly Row[] = [
  [
    "one of a group, by weight: the first share",
    [constant("a", of("g", { groupWeight: 10 })), constant("b", of("g", { groupWeight: 90 }))],
    "hm",
    ["a"],
    { chance: 5 },
  ],
  [
    "one of a group, by weight: the second share",
    [constant("a", of("g", { groupWeight: 10 })), constant("b", of("g", { groupWeight: 90 }))],
    "hm",
    ["b"],
    { chance: 11 },
  ],
  ["equal weights by default", [constant("a", of("g")), constant("b", of("g"))], "hm", ["b"], { chance: 51 }],
  ["no weight is never drawn", [constant("a", of("g", { groupWeight: 0 })), constant("b", of("g"))], "hm", ["b"]],
  [
    "only those that matched take part",
    [entry("a", "inn", of("g")), entry("b", "shop", of("g"))],
    "the inn",
    ["a"],
    { chance: 99 },
  ],
  ["groups of other names", [constant("a", of("g")), constant("b", of("h"))], "hm", ["a", "b"]],
  [
    "an entry of two groups excludes both",
    [constant("a", of("g, h")), constant("b", of("g")), constant("c", of("h"))],
    "hm",
    ["a"],
  ],
  [
    "the highest order, where it is prioritized",
    [
      constant("a", of("g", { order: 1, groupOverride: true })),
      constant("b", of("g", { order: 9, groupOverride: true })),
    ],
    "hm",
    ["b"],
  ],
  [
    "a prioritized one before a drawn one",
    [constant("a", of("g", { order: 9 })), constant("b", of("g", { order: 1, groupOverride: true }))],
    "hm",
    ["b"],
  ],
  [
    "most keywords, where they are scored",
    [
      entry("a", "song,sing,black", of("g", { useGroupScoring: true })),
      entry("b", "song,sing,ghosts", of("g", { useGroupScoring: true })),
    ],
    "sing me a song about ghosts",
    ["b"],
  ],
  [
    "a draw among equal scores",
    [
      entry("a", "song,sing,black", of("g", { useGroupScoring: true })),
      entry("b", "song,sing,ghosts", of("g", { useGroupScoring: true })),
    ],
    "sing me a song",
    ["b"],
    { chance: 60 },
  ],
  [
    "an unscored one stays in the draw",
    [entry("a", "song", of("g")), entry("b", "song,sing", of("g", { useGroupScoring: true }))],
    "sing a song",
    ["a"],
  ],
  [
    "secondary keywords count for and any",
    [
      entry(
        "a",
        "song",
        of("g", { useGroupScoring: true, keysecondary: ["sing", "dance"], selective: true, selectiveLogic: 0 }),
      ),
      entry("b", "song,sing", of("g", { useGroupScoring: true })),
    ],
    "sing and dance a song",
    ["a"],
  ],
  [
    "secondary keywords do not count for not all",
    [
      entry(
        "a",
        "song",
        of("g", { useGroupScoring: true, keysecondary: ["sing", "quiet"], selective: true, selectiveLogic: 1 }),
      ),
      entry("b", "song,sing", of("g", { useGroupScoring: true })),
    ],
    "sing a song",
    ["b"],
  ],
  [
    "a later scan finds the group taken",
    [entry("a", "x1", of("g", { content: "y1" })), entry("b", "y1", of("g"))],
    "x1",
    ["a"],
  ],
  [
    "the drawn one may still fail by chance",
    [constant("a", of("g", { probability: 10, useProbability: true })), constant("b", of("g"))],
    "hm",
    [],
    { chance: { "group g": 0, a: 50 } },
  ],
];

const CHANCE: readonly Row[] = [
  ["a chance that comes true", [constant("a", { probability: 50, useProbability: true })], "hm", ["a"], { chance: 49 }],
  ["a chance that does not", [constant("a", { probability: 50, useProbability: true })], "hm", [], { chance: 50 }],
  ["always at 100", [constant("a", { probability: 100, useProbability: true })], "hm", ["a"], { chance: 99.9 }],
  ["never at 0", [constant("a", { probability: 0, useProbability: true })], "hm", []],
  ["a chance that is not used", [constant("a", { probability: 0, useProbability: false })], "hm", ["a"]],
  [
    "one that failed calls nobody",
    [constant("a", { probability: 0, useProbability: true, content: "y1" }), entry("b", "y1")],
    "hm",
    [],
  ],
  [
    "a step of recursion by chance",
    [constant("a", { content: "y1" }), entry("b", "y1", { probability: 10, useProbability: true })],
    "hm",
    ["a"],
    { chance: 20 },
  ],
];

const mira = { names: ["Mira", "Mi"], tags: ["elf"] };
const filter = (names: readonly string[], tags: readonly string[] = [], isExclude = false) => ({
  characterFilter: { names, tags, isExclude },
});
const FILTERS: readonly Row[] = [
  ["for this character", [constant("a", filter(["Mira"]))], "hm", ["a"], { character: mira }],
  ["for this character by its other name", [constant("a", filter(["Mi"]))], "hm", ["a"], { character: mira }],
  ["for another character", [constant("a", filter(["Tom"]))], "hm", [], { character: mira }],
  ["for a tag", [constant("a", filter([], ["elf"]))], "hm", ["a"], { character: mira }],
  ["for another tag", [constant("a", filter([], ["orc"]))], "hm", [], { character: mira }],
  ["for a name or a tag", [constant("a", filter(["Tom"], ["elf"]))], "hm", ["a"], { character: mira }],
  ["not for this character", [constant("a", filter(["Mira"], [], true))], "hm", [], { character: mira }],
  ["for all but another character", [constant("a", filter(["Tom"], [], true))], "hm", ["a"], { character: mira }],
  ["an empty filter", [constant("a", filter([]))], "hm", ["a"], { character: mira }],
  ["a filter without a character", [constant("a", filter(["Mira"]))], "hm", []],
  ["for this kind of generation", [constant("a", { triggers: ["normal", "continue"] })], "hm", ["a"]],
  ["for another kind of generation", [constant("a", { triggers: ["regenerate"] })], "hm", []],
  ["for a regeneration", [constant("a", { triggers: ["regenerate"] })], "hm", ["a"], { generation: "regenerate" }],
  ["for any kind", [constant("a", { triggers: [] })], "hm", ["a"]],
];

const SOURCES: readonly Row[] = [
  [
    "the persona",
    [entry("a", "knight", { matchPersonaDescription: true })],
    "hm",
    ["a"],
    { sourceTexts: { persona_description: "A knight." } },
  ],
  [
    "the persona, not asked for",
    [entry("a", "knight")],
    "hm",
    [],
    { sourceTexts: { persona_description: "A knight." } },
  ],
  [
    "the description",
    [entry("a", "elf", { matchCharacterDescription: true })],
    "hm",
    ["a"],
    { sourceTexts: { character_description: "An elf." } },
  ],
  [
    "the personality",
    [entry("a", "shy", { matchCharacterPersonality: true })],
    "hm",
    ["a"],
    { sourceTexts: { character_personality: "shy" } },
  ],
  [
    "the depth prompt",
    [entry("a", "lies", { matchCharacterDepthPrompt: true })],
    "hm",
    ["a"],
    { sourceTexts: { character_depth_prompt: "never lies" } },
  ],
  [
    "the scenario",
    [entry("a", "ship", { matchScenario: true })],
    "hm",
    ["a"],
    { sourceTexts: { scenario: "On a ship." } },
  ],
  [
    "the creator's notes",
    [entry("a", "spoiler", { matchCreatorNotes: true })],
    "hm",
    ["a"],
    { sourceTexts: { creator_notes: "a spoiler" } },
  ],
  [
    "another text than asked for",
    [entry("a", "elf", { matchScenario: true })],
    "hm",
    [],
    { sourceTexts: { character_description: "An elf." } },
  ],
];

const PLACEHOLDERS: readonly Row[] = [
  ["the character's name as a keyword", [entry("a", "{{char}}")], "dear Mira", ["a"]],
  ["the person's name as a keyword", [entry("a", "{{user}} sleeps")], "Ann sleeps", ["a"]],
  ["a name that does not occur", [entry("a", "{{char}}")], "dear Tom", []],
  ["a name among other keywords", [entry("a", "inn,{{char}}")], "the inn", ["a"]],
  [
    "a name as a secondary keyword",
    [entry("a", "inn", { keysecondary: ["{{char}}"], selective: true })],
    "Mira at the inn",
    ["a"],
  ],
  ["a name in a message too old", [entry("a", "{{char}}", { scanDepth: 1 })], ["well", "Mira", "hm"], []],
];

const decorated = (name: string, lines: string, more: FileEntry = {}) =>
  entry(name, "inn", { content: `${lines}\n${name}`, ...more });
const DECORATORS: readonly Row[] = [
  ["@@activate without a keyword", [decorated("a", "@@activate")], "hm", ["a"]],
  ["@@dont_activate with a keyword", [decorated("a", "@@dont_activate")], "inn", []],
  ["@@activate beats @@dont_activate", [decorated("a", "@@dont_activate\n@@activate")], "hm", ["a"]],
  ["@@constant", [decorated("a", "@@constant")], "hm", ["a"]],
  ["@@scan_depth", [decorated("a", "@@scan_depth 1")], ["inn", "hm"], []],
  ["@@scan_depth beats the entry's", [decorated("a", "@@scan_depth 3", { scanDepth: 1 })], ["inn", "a", "b"], ["a"]],
  ["@@activate_only_after, too early", [decorated("a", "@@activate_only_after 2")], ["a", "b", "inn"], []],
  ["@@activate_only_after, in time", [decorated("a", "@@activate_only_after 2")], ["a", "b", "c", "d", "inn"], ["a"]],
  ["@@activate_only_every, between", [decorated("a", "@@activate_only_every 2")], ["a", "b", "inn"].slice(1), []],
  ["@@activate_only_every, in time", [decorated("a", "@@activate_only_every 2")], ["a", "b", "c", "d", "inn"], ["a"]],
  ["@@additional_keys, missing", [decorated("a", "@@additional_keys red,old")], "the inn", []],
  ["@@additional_keys, one of them", [decorated("a", "@@additional_keys red,old")], "the old inn", ["a"]],
  ["@@exclude_keys, missing", [decorated("a", "@@exclude_keys burnt")], "the inn", ["a"]],
  ["@@exclude_keys, there", [decorated("a", "@@exclude_keys burnt")], "the burnt inn", []],
  [
    "@@exclude_keys in contents",
    [constant("b", { content: "burnt" }), decorated("a", "@@exclude_keys burnt", { delayUntilRecursion: true })],
    "inn",
    ["b"],
  ],
  [
    "@@ignore_on_max_context is left out first",
    [
      constant("b", { content: "abcd".repeat(20) }),
      decorated("a", `@@ignore_on_max_context\n${"abcd".repeat(20)}`, { constant: true, order: 900 }),
    ],
    "hm",
    ["b"],
    { contextTokens: 100 },
  ],
  ["@@keep_activate_after_match, before the first match", [decorated("a", "@@keep_activate_after_match")], "hm", []],
  [
    "@@keep_activate_after_match, after it",
    [decorated("a", "@@keep_activate_after_match")],
    "hm",
    ["a"],
    { earlier: { a: 1 } },
  ],
  [
    "@@dont_activate_after_match, before the first match",
    [decorated("a", "@@dont_activate_after_match")],
    "inn",
    ["a"],
  ],
  [
    "@@dont_activate_after_match, after it",
    [decorated("a", "@@dont_activate_after_match")],
    "inn",
    [],
    { earlier: { a: 1 } },
  ],
  ["an unknown one has no effect", [decorated("a", "@@risu_magic 7")], "inn", ["a"]],
  ["a fallback of an unknown one", [decorated("a", "@@risu_magic 7\n@@@dont_activate")], "inn", []],
  ["no fallback of a known one", [decorated("a", "@@depth 2\n@@@dont_activate")], "inn", ["a"]],
];

const timed = (more: FileEntry) => entry("x", "inn", more);
const talk = (count: number, last: string) => [...Array.from({ length: count - 1 }, () => "hm"), last];
const TIMED: readonly Row[] = [
  ["sticky: without a keyword, one message later", [timed({ sticky: 3 })], talk(3, "hm"), ["x"], { earlier: { x: 2 } }],
  ["sticky: at its last message", [timed({ sticky: 3 })], talk(5, "hm"), ["x"], { earlier: { x: 2 } }],
  ["sticky: over", [timed({ sticky: 3 })], talk(6, "hm"), [], { earlier: { x: 2 } }],
  ["sticky: over, and a keyword again", [timed({ sticky: 3 })], talk(6, "inn"), ["x"], { earlier: { x: 2 } }],
  ["sticky: not before its first activation", [timed({ sticky: 3 })], talk(3, "hm"), []],
  [
    "sticky: whatever the chance",
    [timed({ sticky: 3, probability: 1, useProbability: true })],
    talk(3, "hm"),
    ["x"],
    { earlier: { x: 2 }, chance: 50 },
  ],
  [
    "sticky: keeps its group",
    [timed({ sticky: 3, group: "g" }), constant("y", { group: "g", groupOverride: true })],
    talk(3, "hm"),
    ["x"],
    { earlier: { x: 2 } },
  ],
  [
    "sticky: although it waits for recursion",
    [timed({ sticky: 3, delayUntilRecursion: true })],
    talk(3, "hm"),
    ["x"],
    { earlier: { x: 2 } },
  ],
  [
    "sticky: its content calls others",
    [timed({ sticky: 3, content: "y1" }), entry("y", "y1")],
    talk(3, "hm"),
    ["x", "y"],
    { earlier: { x: 2 } },
  ],
  ["cooldown: a keyword one message later", [timed({ cooldown: 2 })], talk(3, "inn"), [], { earlier: { x: 2 } }],
  ["cooldown: at its last message", [timed({ cooldown: 2 })], talk(4, "inn"), [], { earlier: { x: 2 } }],
  ["cooldown: over", [timed({ cooldown: 2 })], talk(5, "inn"), ["x"], { earlier: { x: 2 } }],
  ["cooldown: also of a constant one", [constant("x", { cooldown: 2 })], talk(4, "hm"), [], { earlier: { x: 2 } }],
  ["cooldown: not before its first activation", [timed({ cooldown: 2 })], talk(4, "inn"), ["x"]],
  ["sticky, then cooldown: sticky", [timed({ sticky: 3, cooldown: 2 })], talk(5, "hm"), ["x"], { earlier: { x: 2 } }],
  [
    "sticky, then cooldown: the first message of the cooldown",
    [timed({ sticky: 3, cooldown: 2 })],
    talk(6, "inn"),
    [],
    { earlier: { x: 2 } },
  ],
  [
    "sticky, then cooldown: the last message of the cooldown",
    [timed({ sticky: 3, cooldown: 2 })],
    talk(7, "inn"),
    [],
    { earlier: { x: 2 } },
  ],
  ["sticky, then cooldown: over", [timed({ sticky: 3, cooldown: 2 })], talk(8, "inn"), ["x"], { earlier: { x: 2 } }],
  ["delay: too few messages", [timed({ delay: 3 })], talk(2, "inn"), []],
  ["delay: enough messages", [timed({ delay: 3 })], talk(3, "inn"), ["x"]],
  ["delay: also of a constant one", [constant("x", { delay: 2 })], "hm", []],
  ["delay 0", [timed({ delay: 0 })], "inn", ["x"]],
];

const TABLES: readonly (readonly [name: string, rows: readonly Row[]])[] = [
  ["inclusion groups", GROUPS],
  ["probability", CHANCE],
  ["filters", FILTERS],
  ["further texts", SOURCES],
  ["placeholders", PLACEHOLDERS],
  ["decorators", DECORATORS],
  ["timed effects", TIMED],
];

describe.each(TABLES)("%s of World Info", (_, rows) => {
  for (const [what, entries, asked, activated, scene] of rows) {
    test(what, async () => expect(await activate(entries, asked, scene)).toEqual(activated));
  }
});

test("a draw in a group is the same for the same turn and falls by weight", async () => {
  const entries = [constant("a", of("g", { groupWeight: 25 })), constant("b", of("g", { groupWeight: 75 }))];
  let count = 0;
  for (let turn = 0; turn < 400; turn += 1) {
    const draw = createChance(`gw_20260101_000000_${turn.toString(16).padStart(8, "0")}`);
    const chance = { "group g": draw("group g") };
    const [first] = await activate(entries, "hm", { chance });
    expect(await activate(entries, "hm", { chance })).toEqual([first]);
    if (first === "a") count += 1;
  }
  expect(count).toBeGreaterThan(60);
  expect(count).toBeLessThan(140);
});

test.each([
  [{ position: 0 }, "", "before_char", "system"],
  [{ position: 1 }, "", "after_char", "system"],
  [{ position: 2 }, "", 4, "system"],
  [{ position: 3 }, "", 4, "system"],
  [{ position: 4, depth: 2, role: 1 }, "", 2, "user"],
  [{ position: 4, role: 2 }, "", 4, "assistant"],
  [{ position: 4, depth: 0 }, "", 0, "system"],
  [{ position: 5 }, "", "after_char", "system"],
  [{ position: 6 }, "", "after_char", "system"],
  [{ position: 7, outletName: "x" }, "", "outlet", "system"],
  [{ position: "constructor" }, "", "lore", "system"],
  [{ position: "before_char" }, "", "before_char", "system"],
  [{ extensions: { position: 4, depth: 1, role: 0 } }, "", 1, "system"],
  [{}, "", "lore", "system"],
  [{ position: 0 }, "@@depth 3\n@@role user\n", 3, "user"],
  [{ position: 4, depth: 2 }, "@@position before_desc\n@@depth 1\n", "before_char", "system"],
  [{}, "@@position scenario\n", "after_char", "system"],
  [{}, "@@position nowhere\n@@@depth 5\n", 5, "system"],
  [{}, "@@depth many\n", "lore", "system"],
  [{}, "@@role king\n", "lore", "system"],
] as const)("an entry with %j and %j is placed at %s as %s", (card, content, place, role) => {
  expect(readInfoTerms(card, `${content}Text.`)).toMatchObject({ place, role, content: "Text." });
});

test.each([
  ["no decorator", "Text.", "Text.", {}, []],
  ["blank lines around", "\n@@depth 3\n\n@@role user\n\nText.\n", "Text.", { depth: 3, role: "user" }, []],
  ["the first of a name counts", "@@depth 3\n@@depth 9\nText.", "Text.", { depth: 3 }, []],
  ["a chain of fallbacks", "@@one\n@@@two\n@@@depth 1\n@@@role user\nText.", "Text.", { depth: 1 }, ["one", "two"]],
  ["a list", "@@exclude_keys a, b ,c\nText.", "Text.", { exclude_keys: ["a", "b", "c"] }, []],
  ["an at sign in the text", "Text @@depth 3", "Text @@depth 3", {}, []],
  ["a later line", "Text.\n@@depth 3", "Text.\n@@depth 3", {}, []],
  ["no text", "@@activate", "", { activate: true }, []],
])("decorators are separated from a content: %s", (_what, content, text, decorators, ignored) => {
  expect(parseDecorators(content)).toEqual({ text, decorators, ignored });
});

test("an entry that was skipped says why", async () => {
  const rows: readonly (readonly [FileEntry, string, Scene?])[] = [
    [entry("x", "inn", { delay: 5 }), "delay"],
    [entry("x", "inn", { triggers: ["quiet"] }), "trigger"],
    [entry("x", "inn", filter(["Tom"])), "character"],
    [entry("x", "inn", { delayUntilRecursion: true }), "recursion"],
    [decorated("x", "@@dont_activate"), "decorator"],
    [entry("x", "inn", { keysecondary: ["red"], selective: true }), "secondary_keywords"],
    [entry("x", "inn", { cooldown: 3 }), "cooldown", { earlier: { x: 0 } }],
  ];
  for (const [one, reason, scene] of rows) {
    expect((await recall([one], "inn", scene)).map((result) => result.reason)).toEqual([reason]);
  }
});
