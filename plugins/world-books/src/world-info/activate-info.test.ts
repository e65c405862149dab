import { describe, expect, test } from "vitest";
import { activate, constant, entry, type FileEntry, recall, type Scene } from "./test-setup.ts";

type Row = readonly [
  what: string,
  entries: readonly FileEntry[],
  talk: string | readonly string[],
  activated: readonly string[],
  scene?: Scene,
];

const inn = entry("inn", "inn");
const both = (logic: number, more: FileEntry = {}) =>
  entry("x", "door", { keysecondary: ["red", "old"], selective: true, selectiveLogic: logic, ...more });

const KEYWORDS: readonly Row[] = [
  ["a keyword in the new message", [inn], "to the inn", ["inn"]],
  ["none of them", [inn], "to the shop", []],
  ["any of several", [entry("x", "king,queen")], "the queen", ["x"]],
  ["another case", [inn], "THE INN", ["inn"]],
  ["a keyword in capitals", [entry("x", "INN")], "the inn", ["x"]],
  ["another case where it counts", [entry("x", "Inn", { caseSensitive: true })], "the inn", []],
  ["the same case where it counts", [entry("x", "Inn", { caseSensitive: true })], "the Inn", ["x"]],
  ["without a setting for it, case is ignored", [entry("x", "Inn", { caseSensitive: null })], "the inn", ["x"]],
  ["a part of a word", [entry("x", "king")], "to my liking", []],
  ["a whole word", [entry("x", "king")], "long live the king", ["x"]],
  ["a part where parts count", [entry("x", "king", { matchWholeWords: false })], "to my liking", ["x"]],
  ["whole words not said", [entry("x", "king", { matchWholeWords: null })], "to my liking", []],
  ["a keyword of two words within a longer text", [entry("x", "old king")], "the old kingdom", ["x"]],
  ["a keyword with a sign after it", [entry("x", "king")], "the king!", ["x"]],
  ["a keyword in quotes", [entry("x", "king")], 'the "king"', ["x"]],
  ["Chinese, which has no spaces", [entry("x", "龙")], "神龙在此", ["x"]],
  ["Japanese, which has no spaces", [entry("x", "ドラゴン")], "大きなドラゴンだ", ["x"]],
  ["spaces around a keyword", [entry("x", " inn ")], "the inn", ["x"]],
  ["a composed letter in a decomposed text", [entry("x", "café")], "the cafe\u0301 here", ["x"]],
  ["a decomposed letter in a composed text", [entry("x", "cafe\u0301")], "the café here", ["x"]],
  ["a blank keyword", [entry("x", " ")], "anything", []],
  ["an emoji", [entry("x", "🐉")], "a 🐉 flies", ["x"]],
  ["the name of the person who writes", [entry("x", "Ann")], "hello", ["x"]],
  ["the name of the character who wrote", [entry("x", "Mira")], ["hello", "hi"], ["x"]],
  ["the name of a character who has not written", [entry("x", "Mira")], "hello", []],
  ["a switched-off entry", [entry("x", "inn", { disable: true })], "inn", []],
  ["an entry without keywords", [entry("x")], "inn", []],
  ["a constant one", [constant("x")], "anything", ["x"]],
  ["a switched-off constant one", [constant("x", { disable: true })], "anything", []],
  ["one that is found twice", [inn], "inn, inn", ["inn"]],
];

const PATTERNS: readonly Row[] = [
  ["a pattern", [entry("x", "/dra(ke|gon)/")], "a dragon", ["x"]],
  ["a pattern that minds case", [entry("x", "/dragon/")], "a Dragon", []],
  ["a pattern that ignores case", [entry("x", "/dragon/i")], "a Dragon", ["x"]],
  ["a pattern with a global flag", [entry("x", "/dragon/gi")], "a Dragon", ["x"]],
  ["a pattern with line ends", [entry("x", "/^inn$/m")], "to\ninn\nnow", ["x"]],
  ["a pattern and a word", [entry("x", "/zzz/,king")], "the king", ["x"]],
  ["a slash in a word is no pattern", [entry("x", "and/or")], "this and/or that", ["x"]],
  ["signs in a word are no pattern", [entry("x", "C++")], "in C++ now", ["x"]],
  ["a pattern with the character's name", [entry("x", "/(?:{{char}}|she) sleeps/i")], "Mira sleeps", ["x"]],
  ["a name with signs of patterns", [entry("x", "/{{char}} sleeps/")], "M.ra sleeps", [], { charName: "M*ra" }],
  ["where a message begins", [entry("x", "/\\x01Ann: hello/")], "hello", ["x"]],
  ["what the person wrote alone", [entry("x", "/\\x01{{user}}:[^\\x01]*?hello/")], ["hello", "well"], []],
  ["what the person wrote at any place", [entry("x", "/\\x01{{user}}:[^\\x01]*?hello/")], "oh hello", ["x"]],
  [
    "a pattern as a secondary keyword",
    [entry("x", "/inn/", { keysecondary: ["/burn(s|t)/"], selective: true })],
    "the inn burnt",
    ["x"],
  ],
  ["a pattern in an older message", [entry("x", "/dragon/", { scanDepth: 1 })], ["dragon", "well"], []],
];

const LOGIC: readonly Row[] = [
  ["and any: none", [both(0)], "a door", []],
  ["and any: one", [both(0)], "a red door", ["x"]],
  ["and any: all", [both(0)], "an old red door", ["x"]],
  ["not all: none", [both(1)], "a door", ["x"]],
  ["not all: one", [both(1)], "a red door", ["x"]],
  ["not all: all", [both(1)], "an old red door", []],
  ["not any: none", [both(2)], "a door", ["x"]],
  ["not any: one", [both(2)], "a red door", []],
  ["not any: all", [both(2)], "an old red door", []],
  ["and all: none", [both(3)], "a door", []],
  ["and all: one", [both(3)], "a red door", []],
  ["and all: all", [both(3)], "an old red door", ["x"]],
  ["no logic said is and any", [both(0, { selectiveLogic: undefined })], "a red door", ["x"]],
  ["secondary ones alone", [both(0)], "red and old", []],
  ["secondary ones that are off", [both(0, { selective: false })], "a door", ["x"]],
  ["no secondary ones", [entry("x", "door", { selective: true, keysecondary: [] })], "a door", ["x"]],
  ["and any over two messages", [both(0)], ["something red", "a door"], ["x"]],
  ["and all over two messages", [both(3)], ["red and old", "a door"], ["x"]],
  ["not any over two messages", [both(2)], ["something red", "a door"], []],
  ["a secondary one in a message too old", [both(0)], ["red", "well", "a door"], []],
  ["a secondary one in the name of the author", [both(0, { keysecondary: ["Ann"] })], "a door", ["x"]],
];

const DEPTH: readonly Row[] = [
  ["two messages by default: the last answer", [inn], ["the inn", "well"], ["inn"]],
  ["two messages by default: not the third", [inn], ["the inn", "well", "yes"], []],
  ["the depth of the book", [inn], ["the inn", "well", "yes"], ["inn"], { book: { scan_depth: 3 } }],
  [
    "the depth of the entry before that of the book",
    [entry("x", "inn", { scanDepth: 1 })],
    ["inn", "well"],
    [],
    { book: { scan_depth: 5 } },
  ],
  ["a deeper entry", [entry("x", "inn", { scanDepth: 4 })], ["inn", "a", "b", "c"], ["x"]],
  ["a deeper entry, too deep", [entry("x", "inn", { scanDepth: 3 })], ["inn", "a", "b", "c"], []],
  ["a depth beyond the conversation", [entry("x", "inn", { scanDepth: 100 })], ["inn", "a"], ["x"]],
  ["depth 0: no message", [inn], "inn", [], { book: { scan_depth: 0 } }],
  ["depth 0: a constant one all the same", [constant("x")], "inn", ["x"], { book: { scan_depth: 0 } }],
  [
    "depth 0: the contents of others",
    [constant("a", { content: "see the inn" }), entry("x", "inn", { scanDepth: 0 })],
    "hm",
    ["a", "x"],
  ],
  ["depth 1: the new message", [entry("x", "inn", { scanDepth: 1 })], ["hm", "the inn"], ["x"]],
  ["a long message is read to its end", [inn], `${"word ".repeat(5_000)}inn`, ["inn"]],
];

const RECURSION: readonly Row[] = [
  [
    "contents activate others",
    [entry("a", "bessie", { content: "friend of Rufus" }), entry("b", "rufus")],
    "Bessie",
    ["a", "b"],
  ],
  [
    "not where the book says no",
    [entry("a", "bessie", { content: "friend of Rufus" }), entry("b", "rufus")],
    "Bessie",
    ["a"],
    { book: { recursive_scanning: false } },
  ],
  [
    "over many steps",
    Array.from({ length: 9 }, (_, at) => entry(`n${at}`, `w${at}`, { content: `w${at + 1}`, order: at })),
    "w0",
    ["n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"],
  ],
  [
    "two that call each other, once each",
    [entry("a", "ann1", { content: "bob1" }), entry("b", "bob1", { content: "ann1" })],
    "ann1",
    ["a", "b"],
  ],
  ["one that calls itself, once", [entry("a", "ann1", { content: "ann1" })], "ann1", ["a"]],
  [
    "one that prevents further steps",
    [entry("a", "x1", { content: "y1", preventRecursion: true }), entry("b", "y1")],
    "x1",
    ["a"],
  ],
  [
    "one that contents may not activate",
    [entry("a", "x1", { content: "y1" }), entry("b", "y1", { excludeRecursion: true })],
    "x1",
    ["a"],
  ],
  ["one that contents may not activate, by a message", [entry("b", "y1", { excludeRecursion: true })], "y1", ["b"]],
  ["a delayed one by a message", [entry("b", "y1", { delayUntilRecursion: true })], "y1", []],
  [
    "a delayed one by contents",
    [entry("a", "x1", { content: "y1" }), entry("b", "y1", { delayUntilRecursion: true })],
    "x1",
    ["a", "b"],
  ],
  ["a delayed constant one without any step", [constant("b", { delayUntilRecursion: true })], "y1", []],
  [
    "a delayed constant one with a step",
    [entry("a", "x1"), constant("b", { delayUntilRecursion: true })],
    "x1",
    ["a", "b"],
  ],
  [
    "a message counts in a later step too",
    [entry("a", "x1"), entry("b", "y1", { delayUntilRecursion: true })],
    "x1 y1",
    ["a", "b"],
  ],
  [
    "levels one after the other",
    [
      entry("a", "x1"),
      constant("two", { delayUntilRecursion: 2, order: 102 }),
      constant("one", { delayUntilRecursion: 1, order: 101 }),
    ],
    "x1",
    ["a", "one", "two"],
  ],
  [
    "a later level sees what an earlier one activated",
    [
      entry("a", "x1"),
      entry("not", "x1", { delayUntilRecursion: 2, keysecondary: ["blocked"], selective: true, selectiveLogic: 2 }),
      entry("one", "x1", { delayUntilRecursion: 1, content: "blocked" }),
    ],
    "x1",
    ["a", "one"],
  ],
  ["a secondary keyword in contents", [constant("a", { content: "red" }), both(0)], "door", ["a", "x"]],
  [
    "a case that counts, in contents",
    [constant("a", { content: "the Inn" }), entry("x", "Inn", { caseSensitive: true })],
    "hm",
    ["a", "x"],
  ],
  ["a pattern in contents", [constant("a", { content: "the dragon" }), entry("x", "/drag.n/")], "hm", ["a", "x"]],
  [
    "a name that contents contain as a placeholder",
    [constant("a", { content: "{{user}} is here" }), entry("x", "Zoe", { scanDepth: 0 })],
    "hm",
    ["a", "x"],
    { userName: "Zoe" },
  ],
];

const ORDER: readonly Row[] = [
  [
    "lower orders first",
    [constant("c", { order: 30 }), constant("a", { order: 10 }), constant("b", { order: 20 })],
    "hm",
    ["a", "b", "c"],
  ],
  [
    "whatever activated them",
    [entry("c", "inn", { order: 30 }), constant("b", { order: 20 }), entry("a", "inn", { order: 10 })],
    "inn",
    ["a", "b", "c"],
  ],
  ["equal orders as in the file", [constant("a"), constant("b"), constant("c")], "hm", ["a", "b", "c"]],
  [
    "fifteen constant ones",
    Array.from({ length: 15 }, (_, at) => constant(`n${at}`, { order: at })),
    "hm",
    Array.from({ length: 15 }, (_, at) => `n${at}`),
  ],
];

const long = (tokens: number) => "abcd".repeat(tokens);
const BUDGET: readonly Row[] = [
  [
    "a quarter of the context",
    [constant("a", { content: long(20), order: 2 }), constant("b", { content: long(20), order: 1 })],
    "hm",
    ["a"],
    { contextTokens: 120 },
  ],
  [
    "all that fits",
    [constant("a", { content: long(20), order: 2 }), constant("b", { content: long(20), order: 1 })],
    "hm",
    ["b", "a"],
    { contextTokens: 160 },
  ],
  [
    "constant ones before others",
    [entry("a", "inn", { content: long(20), order: 9 }), constant("b", { content: long(20), order: 1 })],
    "inn",
    ["b"],
    { contextTokens: 100 },
  ],
  [
    "higher orders before lower ones",
    [entry("a", "inn", { content: long(20), order: 1 }), entry("b", "inn", { content: long(20), order: 9 })],
    "inn",
    ["b"],
    { contextTokens: 100 },
  ],
  [
    "nothing after the first that does not fit",
    [constant("a", { content: long(40), order: 9 }), constant("b", { content: long(5), order: 1 })],
    "hm",
    [],
    { contextTokens: 100 },
  ],
  [
    "one that ignores it",
    [constant("a", { content: long(40), order: 9 }), constant("b", { content: long(5), order: 1, ignoreBudget: true })],
    "hm",
    ["b"],
    { contextTokens: 100 },
  ],
  [
    "those of messages before those of contents",
    [entry("a", "x1", { content: `y1 ${long(20)}` }), entry("b", "y1", { content: long(20), order: 900 })],
    "x1",
    ["a"],
    { contextTokens: 100 },
  ],
  [
    "the budget of the book",
    [constant("a", { content: long(20), order: 2 }), constant("b", { content: long(20), order: 1 })],
    "hm",
    ["a"],
    { book: { token_budget: 30 } },
  ],
  ["Chinese by its characters", [constant("a", { content: "龙".repeat(30) })], "hm", [], { contextTokens: 100 }],
  ["no text is cut", [constant("a", { content: long(1_500) })], "hm", ["a"]],
];

const TABLES: readonly (readonly [name: string, rows: readonly Row[]])[] = [
  ["keywords", KEYWORDS],
  ["expressions", PATTERNS],
  ["secondary keywords", LOGIC],
  ["scan depth", DEPTH],
  ["recursion", RECURSION],
  ["order", ORDER],
  ["budget", BUDGET],
];

describe.each(TABLES)("%s of World Info", (_, rows) => {
  for (const [what, entries, talk, activated, scene] of rows) {
    test(what, async () => expect(await activate(entries, talk, scene)).toEqual(activated));
  }
});

test("a long content is inserted whole, and one that did not fit is reported", async () => {
  const [whole, left] = await recall(
    [constant("a", { content: long(1_500) }), entry("b", "inn", { content: long(900) })],
    "inn",
  );
  expect(whole?.text).toHaveLength(6_000);
  expect(left).toMatchObject({ reason: "budget", lore: { name: "b" } });
});

test("a thousand entries that each call the next come to an end", async () => {
  const chain = Array.from({ length: 1_000 }, (_, at) => entry(`n${at}`, `w${at}`, { content: `w${at + 1}` }));
  const names = await activate(chain, "w0", { contextTokens: 1_000_000 });
  expect(names).toHaveLength(100);
});
