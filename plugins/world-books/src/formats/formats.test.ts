import { localizeMessage } from "@parley/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EntryRecord } from "../books/book.ts";
import type { EntryFields } from "../books/entry-fields.ts";
import { LOGICS, SOURCES } from "../books/entry-fields.ts";
import { completeEntry, listWarnings } from "../books/entry-validation.ts";
import type { BookFields } from "../books/schema.ts";
import { createBook, createEntry } from "../test-setup.ts";
import { readPackage } from "./read-package.ts";
import { fromPattern, toPattern } from "./regex-keys.ts";
import { FORMATS, type Format, writePackage } from "./write-package.ts";

type Json = Readonly<Record<string, unknown>>;
const AT = "2026-01-01T00:00:00.000Z";

const word = fc.stringMatching(/^[a-zA-Z一-龥 .*+-]{1,20}$/).filter((text) => text.trim() !== "");
const text = fc.string({ minLength: 1, maxLength: 60, unit: "grapheme" }).map((one) => `x${one.replaceAll("\0", "")}`);
const slashed = fc.constantFrom("/drag(on|oness)/i", "/a.b/", "/x/im", "/ö+/is", "/^inn$/gm");
const keys = fc.array(fc.oneof({ weight: 4, arbitrary: word }, slashed), { maxLength: 4 });
const extra = fc.dictionary(
  fc.stringMatching(/^x_[a-z]{1,8}$/),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
  {
    maxKeys: 3,
  },
);
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const present = (json: Json) => Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));

const cardExtensions = fc
  .record({
    selectiveLogic: optional(fc.integer({ min: 0, max: 3 })),
    position: optional(fc.integer({ min: 0, max: 7 })),
    probability: optional(fc.integer({ min: 0, max: 100 })),
    match_whole_words: optional(fc.constantFrom(true, false, null)),
    group: optional(fc.constantFrom("", "a", "a,b")),
    depth: optional(fc.integer({ min: 0, max: 9 })),
  })
  .chain((known) => extra.map((more) => present({ ...more, ...known })));
const cardEntry = fc
  .record({
    keys,
    content: text,
    extensions: cardExtensions,
    enabled: fc.boolean(),
    insertion_order: fc.integer({ min: -5, max: 200_000 }),
    case_sensitive: optional(fc.constantFrom(true, false, null)),
    use_regex: optional(fc.boolean()),
    name: optional(fc.oneof(text, fc.constant(""))),
    priority: optional(fc.integer({ min: -2_000, max: 2_000 })),
    id: optional(fc.integer({ min: 0 })),
    comment: optional(text),
    selective: optional(fc.boolean()),
    secondary_keys: optional(keys),
    constant: optional(fc.boolean()),
    position: optional(fc.constantFrom("before_char", "after_char")),
  })
  .chain((known) => extra.map((more) => present({ ...more, ...known })));
const cardBook = fc
  .record({
    name: optional(text),
    description: optional(text),
    scan_depth: optional(fc.integer({ min: 0, max: 9 })),
    token_budget: optional(fc.integer({ min: 0, max: 900 })),
    recursive_scanning: optional(fc.boolean()),
    extensions: extra,
    entries: fc.array(cardEntry, { maxLength: 4 }),
  })
  .map(present);
const fileEntry = fc
  .record({
    uid: fc.nat(),
    key: keys,
    keysecondary: keys,
    comment: fc.oneof(text, fc.constant("")),
    content: text,
    constant: fc.boolean(),
    selective: fc.boolean(),
    selectiveLogic: fc.integer({ min: 0, max: 3 }),
    order: fc.integer({ min: 0, max: 1_000 }),
    position: fc.integer({ min: 0, max: 7 }),
    disable: fc.boolean(),
    probability: fc.integer({ min: 0, max: 100 }),
    useProbability: fc.boolean(),
    depth: fc.integer({ min: 0, max: 9 }),
    group: fc.constantFrom("", "a"),
    caseSensitive: fc.constantFrom(true, false, null),
    matchWholeWords: fc.constantFrom(true, false, null),
    priority: optional(fc.integer()),
  })
  .chain((known) => extra.map((more) => present({ ...more, ...known })));
const fileBook = fc
  .uniqueArray(fileEntry, { maxLength: 4, selector: ({ uid }) => uid })
  .map((all) => ({ entries: Object.fromEntries(all.map((entry) => [String(entry.uid), entry])) }));

/** Imports a file and exports it in the same format. */
function importAndExport(given: Json, format: Format, change: Partial<EntryFields> = {}): Json {
  const { fields, entries, errors } = readPackage(given);
  expect(errors).toEqual([]);
  const stored = entries.map((entry, at) => ({
    ...createEntry({}, "book_x"),
    ...completeEntry({ ...entry, ...change }, "book_x"),
    id: `entry_${at}`,
  }));
  const out = writePackage({ ...createBook(), ...fields }, stored, format, AT);
  return JSON.parse(JSON.stringify(out)) as Json;
}

describe("an import is exported with every key unchanged", () => {
  test("lorebooks of cards", () => {
    fc.assert(
      fc.property(cardBook, (book) => {
        const out = importAndExport(book, "v2");
        expect(out).toMatchObject(JSON.parse(JSON.stringify(book)));
        expect(Object.keys(out).filter((name) => !(name in book) && name !== "name")).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test("lorebooks of their own (V3)", () => {
    fc.assert(
      fc.property(cardBook, (data) => {
        const out = importAndExport({ spec: "lorebook_v3", data }, "v3");
        expect(out).toMatchObject({ spec: "lorebook_v3", data: JSON.parse(JSON.stringify(data)) });
      }),
      { numRuns: 100 },
    );
  });

  test("world-info files", () => {
    fc.assert(
      fc.property(fileBook, (file) => {
        const { name: _name, ...out } = importAndExport(file, "worldinfo");
        expect(out).toEqual(JSON.parse(JSON.stringify(file)));
      }),
      { numRuns: 200 },
    );
  });

  test("with changed fields replaced and all else unchanged", () => {
    const entry = {
      keys: ["a"],
      content: "old",
      extensions: { x: 1, selectiveLogic: 2 },
      name: "n",
      enabled: true,
      y: [1],
    };
    const change: Partial<EntryFields> = {
      keywords: ["b"],
      content: "new",
      enabled: false,
      selective_logic: "and_all",
    };
    expect(importAndExport({ entries: [entry], extensions: {} }, "v2", change).entries).toEqual([
      { ...entry, keys: ["b"], content: "new", enabled: false, extensions: { x: 1, selectiveLogic: 3 } },
    ]);
    const file = { uid: 7, key: ["a"], content: "old", comment: "n", disable: false, order: 5, z: { q: 1 } };
    const out = importAndExport({ entries: { "7": file } }, "worldinfo", { ...change, name: "m", insertion_order: 9 });
    expect(out.entries).toEqual({
      "7": { ...file, key: ["b"], content: "new", comment: "m", disable: true, order: 9, selectiveLogic: 3 },
    });
  });
});

const native: fc.Arbitrary<Partial<EntryFields>> = fc.record({
  name: fc.stringMatching(/^[a-zA-Z一-龥]{1,20}$/),
  keywords: fc.uniqueArray(fc.stringMatching(/^[a-z一-龥.+]{1,12}$/), { maxLength: 4 }),
  content: text,
  enabled: fc.boolean(),
  priority: fc.integer({ min: -1_000, max: 1_000 }),
  weight: fc.integer({ min: -9, max: 9 }),
  case_sensitive: fc.boolean(),
  match_mode: fc.constantFrom("any", "all"),
  secondary_keywords: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 3 }),
  selective: fc.boolean(),
  selective_logic: fc.constantFrom(...LOGICS),
  trigger_sources: fc.uniqueArray(fc.constantFrom(...SOURCES), { minLength: 1 }),
  always_on: fc.boolean(),
  state_triggers: fc.constantFrom({}, { place: ["port", "sea"] }),
  cooldown_turns: fc.integer({ min: 0, max: 9 }),
  max_injections_per_session: fc.integer({ min: 0, max: 9 }),
  tags: fc.constantFrom([], ["one"]),
  entry_type: fc.constantFrom("lore", "secret", "npc"),
  insertion_order: fc.integer({ min: 0, max: 900 }),
});

test.each(FORMATS)("and a book of ours is unchanged after export and import as %s", (format) => {
  fc.assert(
    fc.property(fc.array(native, { maxLength: 3 }), (drafts) => {
      const book = createBook({ name: "Mine", description: "of a port" });
      const entries = drafts.map((draft) => createEntry(draft, book.id));
      const read = readPackage(JSON.parse(JSON.stringify(writePackage(book, entries, format, AT))));
      expect(read.errors).toEqual([]);
      expect(read.fields).toMatchObject({ name: "Mine", description: "of a port" } satisfies Partial<BookFields>);
      const plain = ({ card: _card, book_id: _book, ...entry }: Readonly<Record<string, unknown>>) => entry;
      const sent = entries.map(({ id: _id, created_at: _at, updated_at: _up, revision: _rev, ...entry }) => entry);
      expect(read.entries.map((entry) => plain({ ...entry }))).toEqual(sent.map((entry) => plain({ ...entry })));
    }),
    { numRuns: 100 },
  );
});

describe("regular expressions in keywords", () => {
  test.each([
    ["/dragon/i", "dragon", "/dragon/i"],
    ["/dragon/", "(?-i:dragon)", "/dragon/"],
    ["/a.b/", "(?-is:a.b)", "/a.b/"],
    ["/^inn$/im", "(?m:^inn$)", "/^inn$/im"],
  ])("are converted: %s is %s, and back", (key, pattern, back) => {
    expect(toPattern(key)).toBe(pattern);
    expect(fromPattern(pattern).replace("s", "")).toBe(back.replace("s", ""));
    expect(new RegExp(pattern, "is").test("")).toBe(false);
  });

  test("that do not compile are imported as words, disabled, with a warning", () => {
    const { entries, warnings } = readPackage({ entries: [{ keys: ["/(/"], content: "x", extensions: {} }] });
    expect(entries[0]).toMatchObject({ enabled: false, use_regex: false });
    const [{ error = "", detail } = {}] = warnings;
    expect(localizeMessage(error, detail)).toEqual({
      en: expect.stringMatching(/^entry 0 .*: keywords\.0: Invalid .*: Unterminated group; the entry is switched off$/),
      zh: "条目 0（(?-i:()）：keywords.0：不是有效的正则表达式（括号没有闭合），条目已停用",
    });
  });

  test("are distinguished from words; ambiguous ones follow the card's setting", () => {
    const read = (entry: object) => readPackage({ entries: [{ content: "x", extensions: {}, ...entry }] }).entries[0];
    expect(read({ keys: ["/drag(on)?/i", "C++"] })).toMatchObject({
      use_regex: true,
      keywords: ["drag(on)?", "C\\+\\+"],
    });
    expect(read({ keys: ["drag(on)?"], use_regex: true })).toMatchObject({ use_regex: true });
    expect(read({ keys: ["C++"], use_regex: true, extensions: { position: 0 } })).toMatchObject({
      use_regex: false,
      keywords: ["C++"],
      enabled: true,
    });
  });
});

describe("an import with invalid parts", () => {
  test.each([[{}], [[]], [null], [{ entries: 7 }], [{ type: "world_books_bundle", world_books: [] }]])(
    "is rejected when it is no book: %j",
    (given) => {
      expect(() => readPackage(given)).toThrow(/file: is not a world book|entries/);
    },
  );

  test("omits and reports entries without content, and clamps numbers", () => {
    const { entries, errors, warnings } = readPackage({
      entries: [
        { keys: ["a"], content: "", extensions: {} },
        { keys: ["b"], content: "kept", extensions: {}, priority: 5_000 },
        "nothing",
      ],
    });
    expect(entries).toMatchObject([{ keywords: ["b"], priority: 1_000 }]);
    expect(errors.map(({ index }) => index)).toEqual([0, 2]);
    expect(warnings.map(({ error }) => error).join()).toContain("priority 5000 counts as 1000");
  });

  test("warns on the entry about features without an effect", () => {
    const card = { position: 5, sticky: 3, extensions: { automation_id: "x", delay: 0, vectorized: true } };
    const entry = createEntry({ keywords: ["a", "龙马"], card, content: "@@depth 3\nlore" });
    const listErrors = (one: EntryRecord) => listWarnings(one).map(({ error }) => error);
    expect(listErrors(entry)).toEqual([
      "the keyword 'a' is a single character and matches almost every text",
      "'position' 5 is kept but has no effect: the entry stays with the world books",
      "'sticky' is kept but has no effect",
      "'vectorized' is kept but has no effect",
      "'automationId' is kept but has no effect",
      "decorators (@@…) in the content are kept but have no effect",
    ]);
    expect(listErrors(createEntry({}))).toEqual([
      "can never trigger: it has no keywords or scene and is not always active",
    ]);
  });
});
