import { setImmediate } from "node:timers/promises";
import { type RegexRunner, silentLogger } from "@parley/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EntryFields } from "../books/entry-fields.ts";
import type { BookFields } from "../books/schema.ts";
import { createBook, createEntry, createTestLibrary } from "../test-setup.ts";
import { createChance } from "./activation.ts";
import { createPartnerFilter } from "./lore-activator.ts";
import { createLoreLibrary } from "./lore-library.ts";
import type { ChatMessage } from "./scan-texts.ts";

type Draft = Partial<EntryFields>;

/** Creates a library with one book of these entries, which are activated by their names. */
const createLibrary = (entries: readonly Draft[], book: Partial<BookFields> = {}) =>
  createTestLibrary(
    [createBook({ ...book, id: "book_1" })],
    entries.map((entry) => createEntry(entry)),
  );
const listActivated = async (
  entries: readonly Draft[],
  ...how: Parameters<Awaited<ReturnType<typeof createLibrary>>["recall"]>
) =>
  (await (await createLibrary(entries)).recall(...how))
    .filter(({ text }) => text !== undefined)
    .map(({ lore }) => lore.name);
async function* eachOf<One>(all: readonly One[], after?: Promise<void>): AsyncGenerator<One> {
  await after;
  yield* all;
}
const createMessage = (role: ChatMessage["role"], content: string): ChatMessage => ({ role, content });

describe("an entry is activated by", () => {
  test("a keyword in the new message, ignoring case unless the entry is case-sensitive", async () => {
    const entries = [
      { name: "any", keywords: ["Tavern"] },
      { name: "exact", keywords: ["Tavern"], case_sensitive: true },
      { name: "part", keywords: ["aver"] },
    ];
    expect(await listActivated(entries, { message: "the TAVERN" })).toEqual(["any", "part"]);
    expect(await listActivated(entries, { message: "the Tavern" })).toEqual(["any", "exact", "part"]);
  });

  test("keywords whose length changes by case folding, at their original position", async () => {
    const [found] = await (await createLibrary([{ keywords: ["İstanbul"] }])).recall({ message: "to İSTANBUL!" });
    expect(found?.hits).toEqual([{ place: "user", keyword: "İstanbul", isSecond: false, start: 3, end: 11 }]);
  });

  test("all keywords, where all are needed, and all in one text", async () => {
    const entries: Draft[] = [
      { name: "both", keywords: ["king", "crown"], match_mode: "all", trigger_sources: ["user", "history"] },
    ];
    const before = [createMessage("user", "the crown")];
    expect(await listActivated(entries, { message: "the king", before })).toEqual([]);
    expect(await listActivated(entries, { message: "the crown of the king" })).toEqual(["both"]);
    const [found] = await (await createLibrary(entries)).recall({ message: "the king", before });
    expect(found).toMatchObject({ reason: "match_mode", sources: [] });
  });

  test.each([
    ["and_any", [false, true, true]],
    ["and_all", [false, false, true]],
    ["not_any", [true, false, false]],
    ["not_all", [true, true, false]],
  ] as const)("secondary keywords with %s", async (selective_logic, expected) => {
    const entries: Draft[] = [
      { name: "x", keywords: ["door"], secondary_keywords: ["red", "old"], selective: true, selective_logic },
    ];
    const texts = ["a door", "a red door", "an old red door"];
    const found = [];
    for (const message of texts) found.push((await listActivated(entries, { message })).length === 1);
    expect(found).toEqual(expected);
    const off = entries.map((entry) => ({ ...entry, selective: false }));
    expect(await listActivated(off, { message: "a door" })).toEqual(["x"]);
  });

  test("whole words, if the card requires them; Chinese has no word boundaries", async () => {
    const card = { extensions: { match_whole_words: true } };
    const entries: Draft[] = [
      { name: "cat", keywords: ["cat"], card },
      { name: "龙", keywords: ["龙"], card },
    ];
    expect(await listActivated(entries, { message: "concatenate 神龙在" })).toEqual(["龙"]);
    expect(await listActivated(entries, { message: "concat, cat." })).toEqual(["cat"]);
  });

  test("the scene: a value, or one of a list; and keywords in its text", async () => {
    const entries: Draft[] = [
      { name: "place", state_triggers: { location: ["tavern"] } },
      { name: "word", keywords: ["rain"], trigger_sources: ["scene_state"] },
    ];
    expect(await listActivated(entries, { scene: { location: ["road", "tavern"] } })).toEqual(["place"]);
    expect(await listActivated(entries, { message: "rain", scene: { weather: "heavy rain" } })).toEqual(["word"]);
    expect(await listActivated(entries, { message: "the tavern", scene: { other: "tavern" } })).toEqual([]);
  });

  test("six messages of history, the newest 2,000 characters; or as many as the book requires", async () => {
    const entry: Draft = { name: "x", keywords: ["dragon"], trigger_sources: ["history"] };
    const before = ["a dragon", "b", "c", "d", "e", "f", "g"].map((text) => createMessage("user", text));
    expect(await listActivated([entry], { before })).toEqual([]);
    expect(await listActivated([entry], { before: before.slice(0, 6) })).toEqual(["x"]);
    const long = [createMessage("user", "a dragon"), createMessage("user", "x".repeat(1_999))];
    expect(await listActivated([entry], { before: long })).toEqual([]);
    const deep = await createLibrary([entry], { card: { scan_depth: 7 } });
    expect(await deep.recall({ before })).toHaveLength(1);
    const none = await createLibrary([entry], { card: { scan_depth: 0 } });
    expect(await none.recall({ before: [createMessage("user", "a dragon")] })).toEqual([]);
  });

  test("the last answer, which activates at most three, none with a priority under 20 and no secret", async () => {
    const echo: Draft = { keywords: ["moon"], trigger_sources: ["assistant_recent"], priority: 20 };
    const entries: Draft[] = [
      ...["a", "b", "c", "d"].map((name) => ({ ...echo, name })),
      { ...echo, name: "low", priority: 19 },
      { ...echo, name: "secret", entry_type: "secret" },
    ];
    const before = [createMessage("assistant", "the moon"), createMessage("user", "yes")];
    expect(await listActivated(entries, { message: "go on", before })).toEqual(["a", "b", "c"]);
    // A keyword that the user also wrote does not count as an echo of the reply.
    const both = entries.map((entry): Draft => ({ ...entry, trigger_sources: ["user", "assistant_recent"] }));
    expect(await listActivated(both, { message: "the moon", before })).toHaveLength(6);
  });

  test("books in scope: global ones, those of the character by id or name, and linked ones", async () => {
    const books = [
      createBook({ id: "all" }),
      createBook({ id: "by-id", character_ids: ["char_1"] }),
      createBook({ id: "by-name", character_ids: ["Mira"] }),
      createBook({ id: "named", character_ids: ["char_9"] }),
      createBook({ id: "off", enabled: false }),
    ];
    const library = await createTestLibrary(
      books,
      books.map(({ id }) => createEntry({ name: id, always_on: true }, id)),
    );
    const names = async (choice = createPartnerFilter(undefined)) =>
      (await library.recall({}, { choice })).map(({ lore }) => lore.name).sort();
    expect(await names()).toEqual(["all"]);
    const mira = { id: "char_1", name: "Mira", bookIds: new Set(["named"]) };
    expect(await names(createPartnerFilter(mira))).toEqual(["all", "by-id", "by-name", "named"]);
  });
});

describe("the selection of activated entries", () => {
  test("uses a score of sources, priority and weight, and the order of the contract", async () => {
    const library = await createLibrary([
      { name: "low", keywords: ["x"] },
      {
        name: "all",
        keywords: ["x"],
        trigger_sources: ["user", "history", "assistant_recent", "scene_state"],
        weight: 3,
      },
      { name: "always", keywords: ["x"], always_on: true, priority: -200 },
      { name: "long", keywords: ["x"], content: "longer lore" },
      { name: "npc", keywords: ["x"], entry_type: "npc" },
      { name: "last", keywords: ["x"], insertion_order: 101 },
      { name: "prior", keywords: ["x"], priority: 5, weight: -5 },
    ]);
    const found = await library.recall({ message: "x", before: [createMessage("assistant", "x")], scene: { a: "x" } });
    expect(found.map(({ lore, score }) => `${lore.name} ${score}`)).toEqual([
      "all 148",
      "prior 50",
      "npc 50",
      "low 50",
      "last 50",
      "long 50",
      "always -50",
    ]);
  });

  test("has eight entries, 3,000 characters in all and a budget for each class; a smaller entry may still fit", async () => {
    const many = Array.from({ length: 10 }, (_, at) => ({ name: `n${at}`, keywords: ["x"], content: "a" }));
    expect(await listActivated(many, { message: "x" })).toHaveLength(8);
    const sized = (name: string, length: number, priority: number): Draft => ({
      name,
      keywords: ["x"],
      content: name.repeat(length),
      priority,
    });
    const library = await createLibrary([sized("a", 1_100, 3), sized("b", 200, 2), sized("c", 100, 1)]);
    const found = await library.recall({ message: "x" });
    expect(found.map(({ lore, reason }) => [lore.name, reason])).toEqual([
      ["a", undefined],
      ["b", "budget"],
      ["c", undefined],
    ]);
  });

  test("truncates the first entry of a class at its budget, without splitting a character", async () => {
    const library = await createLibrary([
      { name: "always", always_on: true, content: "😀".repeat(900) },
      { name: "keyword", keywords: ["x"], content: "y".repeat(2_500) },
    ]);
    const texts = (await library.recall({ message: "x" })).map(({ text = "" }) => [...text]);
    expect(texts.map((text) => text.length)).toEqual([800, 1_200]);
    expect(texts.map((text) => text.at(-1))).toEqual(["…", "…"]);
    expect(texts[0]?.[798]).toBe("😀");
  });

  test("uses the token budget of a book instead of the budgets of classes", async () => {
    const content = "y".repeat(300);
    const entries = ["a", "b", "c"].map((name) => ({ name, keywords: ["x"], content }));
    const library = await createLibrary(entries, { card: { token_budget: 150 } });
    const found = await library.recall({ message: "x" });
    expect(found.map(({ reason }) => reason)).toEqual([undefined, undefined, "budget"]);
  });

  test("respects cooldowns and limits", async () => {
    const entries: Draft[] = [{ name: "x", keywords: ["x"], cooldown_turns: 2, max_injections_per_session: 3 }];
    const library = await createLibrary(entries);
    const id = library.index().lore[0]?.id ?? "";
    const at = async (turn: number, last: number, count: number) => {
      const injectionState = { turn, isKnown: true, entries: new Map([[id, { turn: last, count, seq: 0 }]]) };
      return (await library.recall({ message: "x" }, { injectionState }))[0]?.reason;
    };
    expect([await at(2, 1, 1), await at(3, 1, 1), await at(4, 1, 1)]).toEqual(["cooldown", "cooldown", undefined]);
    expect(await at(9, 1, 3)).toBe("max_injections");
  });

  test("takes one entry of each group: the highest weight, else the first", async () => {
    const of = (name: string, groupWeight: number, priority = 0): Draft => ({
      name,
      keywords: ["x"],
      priority,
      card: { group: "g, h", groupWeight },
    });
    expect(await listActivated([of("a", 10, 5), of("b", 90), of("c", 90)], { message: "x" })).toEqual(["b"]);
    expect(await listActivated([of("a", 10), { ...of("b", 10, 9), card: { group: "h" } }], { message: "x" })).toEqual([
      "b",
    ]);
  });

  test("draws the same random entries for the same turn, with the given probability", async () => {
    const entries: Draft[] = [{ name: "x", keywords: ["x"], card: { probability: 30, useProbability: true } }];
    const library = await createLibrary(entries);
    let fired = 0;
    for (let turn = 0; turn < 1_000; turn += 1) {
      const how = () => ({ getChance: createChance(`gw_20260101_000000_${turn.toString(16).padStart(8, "0")}`) });
      const [first] = await library.recall({ message: "x" }, how());
      const [again] = await library.recall({ message: "x" }, how());
      expect(first?.reason).toBe(again?.reason);
      if (!first?.reason) fired += 1;
    }
    expect(fired).toBeGreaterThan(250);
    expect(fired).toBeLessThan(350);
    const never = await createLibrary([{ keywords: ["x"], card: { extensions: { probability: 0 } } }]);
    expect((await never.recall({ message: "x" }))[0]?.reason).toBe("probability");
    const unused = await createLibrary([{ keywords: ["x"], card: { probability: 0, useProbability: false } }]);
    expect((await unused.recall({ message: "x" }))[0]?.reason).toBeUndefined();
  });

  test("lets contents activate other entries if the book allows it: three rounds, eight entries in all", async () => {
    const chain = Array.from({ length: 6 }, (_, at) => ({
      name: `n${at}`,
      keywords: [`word${at}`],
      content: `see word${at + 1}`,
    }));
    const flat = await createLibrary(chain);
    expect(await flat.recall({ message: "word0" })).toHaveLength(1);
    const deep = await createLibrary(chain, { card: { recursive_scanning: true } });
    const found = await deep.recall({ message: "word0" });
    expect(found.map(({ lore }) => lore.name)).toEqual(["n0", "n1", "n2", "n3"]);
    expect(found[1]).toMatchObject({ sources: ["recursion"], hits: [{ place: "recursion", keyword: "word1" }] });
    const closed = await createLibrary(
      chain.map((entry, at) => ({ ...entry, card: at === 1 ? { preventRecursion: true } : {} })),
      { card: { recursive_scanning: true } },
    );
    expect(await closed.recall({ message: "word0" })).toHaveLength(2);
    const excluded = await createLibrary(
      chain.map((entry, at) => ({ ...entry, card: at === 1 ? { extensions: { exclude_recursion: true } } : {} })),
      { card: { recursive_scanning: true } },
    );
    expect(await excluded.recall({ message: "word0" })).toHaveLength(1);
    // Two entries that name each other are activated once each.
    const mutual = [
      { name: "a", keywords: ["ann"], content: "knows bob" },
      { name: "b", keywords: ["bob"], content: "knows ann" },
    ];
    const both = await createLibrary(mutual, { card: { recursive_scanning: true } });
    expect(await both.recall({ message: "ann" })).toHaveLength(2);
  });
});

describe("a hostile entry", () => {
  const runnerOf = (answers: (pattern: string) => readonly (readonly [number, number])[] | "timeout") => {
    const asked: string[] = [];
    const runner: RegexRunner = {
      async find(_text, patterns) {
        asked.push(...patterns());
        return patterns().map(answers);
      },
      replace: async (text) => ({ text, timeouts: [], skipped: [], ms: 0 }),
      threads: () => ({ alive: 0, started: 0 }),
      async [Symbol.asyncDispose]() {},
    };
    return { runner, asked };
  };

  test("with a regular expression is searched only in the entry's texts, by its own flags", async () => {
    const library = await createLibrary([
      { name: "any", keywords: ["drag(on|oness)"], use_regex: true },
      { name: "exact", keywords: ["Dragon"], use_regex: true, case_sensitive: true },
    ]);
    const { runner, asked } = runnerOf((pattern) => (pattern.includes("(?-i:") ? [] : [[2, 8]]));
    const found = await library.recall({ message: "a dragon" }, { regexes: { runner, library, limitMs: 1_000 } });
    expect(found.map(({ lore, hits }) => [lore.name, hits[0]?.start])).toEqual([["any", 2]]);
    expect(asked).toEqual(["drag(on|oness)", "(?-i:Dragon)"]);
  });

  test("that exceeds the time limit twice is disabled until it is edited, and no turn waits for all of them", async () => {
    const entry = createEntry({ name: "slow", keywords: ["(a+)+$"], use_regex: true });
    const library = await createTestLibrary([createBook({ id: "book_1" })], [entry]);
    const { runner, asked } = runnerOf(() => "timeout");
    const regexes = { runner, library, limitMs: 1_000 };
    for (let turn = 0; turn < 4; turn += 1) expect(await library.recall({ message: "aaa" }, { regexes })).toEqual([]);
    expect(asked).toHaveLength(2);
    expect(library.isQuarantined(entry.id)).toBe(true);
    await library.put([entry]);
    expect(library.isQuarantined(entry.id)).toBe(false);
    const many = await createLibrary(
      Array.from({ length: 40 }, (_, at) => ({ name: `n${at}`, keywords: [`${at}+`], use_regex: true })),
    );
    const late = { runner, library: many, limitMs: -1 };
    expect(await many.recall({ message: "aaa" }, { regexes: late })).toEqual([]);
    expect(asked).toHaveLength(2);
  });

  test("with one-character or common keywords, or that never matches, costs only its place", async () => {
    const entries = Array.from({ length: 500 }, (_, at) => ({ name: `n${at}`, keywords: ["e"], priority: at }));
    const library = await createLibrary([...entries, { name: "never" }]);
    const found = await library.recall({ message: "e".repeat(5_000) });
    expect(found.filter(({ text }) => text !== undefined).map(({ lore }) => lore.name)).toEqual(
      [499, 498, 497, 496, 495, 494, 493, 492].map((at) => `n${at}`),
    );
    expect(found).toHaveLength(500);
  });
});

describe("the library of entries", () => {
  test("applies a few changes at once and many from another thread, with the old state active meanwhile", async () => {
    const library = await createLibrary([{ name: "old", keywords: ["old"] }]);
    const many = Array.from({ length: 1_500 }, (_, at) =>
      createEntry({ name: `n${at}`, keywords: [`word${at}`, `w${at}`] }),
    );
    const putting = library.put(many);
    expect((await library.recall({ message: "old word7 " })).map(({ lore }) => lore.name)).toEqual(["old"]);
    await putting;
    expect((await library.recall({ message: "old word7 " })).map(({ lore }) => lore.name)).toEqual(["old", "n7"]);
    await library.remove(many.map(({ id }) => id));
    expect(await library.recall({ message: "word7 " })).toEqual([]);
    library.removeBook("book_1");
    expect(await library.recall({ message: "old" })).toEqual([]);
  });

  test("lets other turns run while thousands of entries are compiled", async () => {
    const book = createBook({ id: "book_1" });
    const many = Array.from({ length: 3_000 }, (_, at) => createEntry({ name: `n${at}`, keywords: [`word${at}`] }));
    let turns = 0;
    let isReady = false;
    const ready = createTestLibrary([book], many).finally(() => {
      isReady = true;
    });
    while (!isReady) {
      await setImmediate();
      turns += 1;
    }
    expect(turns).toBeGreaterThan(20);
    expect(await (await ready).recall({ message: "word2999" })).toHaveLength(1 + 3);
  });

  test("keeps changes that are made during loading", async () => {
    const [remaining, off, gone] = ["kept", "off", "gone"].map((name) => createEntry({ name, keywords: [name] }));
    if (!remaining || !off || !gone) throw new Error("there are three");
    const changes = Promise.withResolvers<void>();
    const library = createLoreLibrary({
      loadStored: () => ({
        books: eachOf([createBook({ id: "book_1" })]),
        entries: eachOf([remaining, off, gone], changes.promise),
      }),
      log: silentLogger,
    });
    const ready = library.ready();
    await Promise.all([library.put([{ ...off, enabled: false }]), library.remove([gone.id])]);
    changes.resolve();
    await ready;
    expect(library.index().lore.map(({ name }) => name)).toEqual(["kept"]);
  });

  test("finds what a naive keyword search finds, for any keywords and text", async () => {
    const letters = fc.stringMatching(/^[abAB龙İß]{1,4}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(letters, { maxLength: 30 }),
        fc.string({ unit: letters, maxLength: 20 }),
        async (words, message) => {
          const library = await createLibrary(words.map((word, at) => ({ name: String(at), keywords: [word] })));
          const found = (await library.recall({ message })).map(({ lore }) => Number(lore.name)).sort((a, b) => a - b);
          const expected = words.flatMap((word, at) =>
            message.toLowerCase().includes(word.toLowerCase()) ? [at] : [],
          );
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });
});
