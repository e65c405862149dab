import { deflateSync } from "node:zlib";
import { type ArchiveFile, writeArchive } from "@parley/core/archive";
import { type CharacterFields, compilePrompt, findCardSizeProblem } from "@parley/core/characters";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObject } from "./card-json.ts";
import { findCards } from "./containers.ts";
import { type ReadCard, readCard } from "./read-card.ts";
import { createCardChunk, createPngOfSize, createV1Card, createV2Card, createV3Card } from "./sample-cards.ts";
import { type OutgoingCard, toBundleZip, toCardJson, toCardPng, toCardZip } from "./write-card.ts";

const EMPTY = {
  name: "",
  description: "",
  avatar: "",
  portrait: "",
  tags: [],
  basic_info: "",
  personality: "",
  scenario: "",
  example_dialogues: "",
  response_format: "",
  first_message: "",
  alternate_greetings: [],
  rules: [],
  initial_state: {},
  system_prompt: "",
  system_prompt_mode: "auto",
  post_history_instructions: "",
  creator: "",
  character_version: "",
  creator_notes: "",
  world_book_ids: [],
  card_spec: "native",
  extensions: {},
  card_extra: {},
  favorite: false,
} as const satisfies CharacterFields;

/** Returns the card as it is stored: with all fields, and the prompt that is generated from them. */
function stored({ fields, lorebook }: ReadCard): OutgoingCard {
  const whole: CharacterFields = { ...EMPTY, ...fields };
  const system_prompt = whole.system_prompt_mode === "auto" ? compilePrompt(whole) : whole.system_prompt;
  return { fields: { ...whole, system_prompt }, lorebook };
}
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const onlyCard = async (bytes: Uint8Array) => {
  const { container, cards } = await findCards(bytes);
  const [first] = await Promise.all(cards.map((read) => read()));
  if (!first) throw new Error("no card");
  return { ...first, container };
};
const dataOf = (card: unknown) => (card as { readonly data: Readonly<Record<string, unknown>> }).data;
const code = (wanted: string) => expect.objectContaining({ code: wanted });

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom("", " \n\t ", "{{user}} 你好", "<b>x</b>"),
);
const anything = fc.jsonValue({ maxDepth: 3 });
const odd = fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: anything });
const listOfTexts = fc.oneof(
  { weight: 4, arbitrary: fc.array(text, { maxLength: 4 }) },
  { weight: 1, arbitrary: anything },
);
const extraKeys = fc.dictionary(
  fc.string({ maxLength: 12 }).filter((name) => !["__proto__", "constructor", "prototype"].includes(name)),
  anything,
  { maxKeys: 3 },
);
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, item) => (STEERING.has(key) ? undefined : item)));
const STEERING = new Set(["__proto__", "constructor", "prototype"]);
const cardData = fc
  .tuple(
    fc.record({
      name: fc.string({ minLength: 1, maxLength: 20 }).filter((name) => /[\p{L}\p{N}]/u.test(name)),
      description: odd,
      personality: odd,
      scenario: odd,
      first_mes: odd,
      mes_example: odd,
      creator_notes: odd,
      system_prompt: odd,
      post_history_instructions: odd,
      alternate_greetings: listOfTexts,
      tags: listOfTexts,
      creator: odd,
      character_version: odd,
      extensions: fc.oneof(fc.dictionary(fc.string({ maxLength: 8 }), anything, { maxKeys: 3 }), anything),
    }),
    extraKeys,
    fc.option(fc.dictionary(fc.string({ maxLength: 8 }), anything, { maxKeys: 3 }), { nil: undefined }),
    fc.option(
      fc.record(
        { basic_info: odd, rules: listOfTexts, initial_state: anything, unknown: anything },
        { requiredKeys: [] },
      ),
      {
        nil: undefined,
      },
    ),
  )
  .map(([standard, extra, character_book, parley]) => {
    const extensions =
      parley && isObject(standard.extensions) ? { ...Object(standard.extensions), parley } : standard.extensions;
    return plain({ ...extra, ...standard, extensions, ...(character_book && { character_book }) }) as Record<
      string,
      unknown
    >;
  });

const PIA = { name: "Pia", description: "A baker", first_mes: "Bread?" };

describe("a card is exported as it was imported", () => {
  test.each(["v2", "v3"] as const)("%s, whatever its author wrote", async (spec) => {
    await fc.assert(
      fc.property(cardData, (data) => {
        const more = spec === "v3" ? { ...data, group_only_greetings: [] } : data;
        const card = { spec: `chara_card_${spec}`, spec_version: spec === "v3" ? "3.0" : "2.0", data: more };
        const out = toCardJson(stored(readCard(card)), spec);
        expect(JSON.stringify(out)).toBe(JSON.stringify(card));
      }),
      { numRuns: 150 },
    );
  });

  test("over V3 and back to V2, with every value of its data", () => {
    fc.assert(
      fc.property(cardData, (data) => {
        const card = { spec: "chara_card_v2", spec_version: "2.0", data };
        const between = JSON.parse(JSON.stringify(toCardJson(stored(readCard(card)), "v3")));
        expect(dataOf(toCardJson(stored(readCard(between)), "v2"))).toMatchObject(data);
      }),
      { numRuns: 80 },
    );
  });

  test("through a ZIP, a PNG picture and a bundle", async () => {
    const png = createPngOfSize(2, 2);
    await fc.assert(
      fc.asyncProperty(cardData, async (data) => {
        const card = stored(readCard({ spec: "chara_card_v3", spec_version: "3.0", data }));
        const wanted = toCardJson(card, "v3");
        const packed = [
          await toCardZip({ ...card, picture: { bytes: png, extension: "png" } }),
          toCardPng(card, png),
          await toBundleZip([card]),
        ];
        for (const bytes of packed) expect(toCardJson(stored(await onlyCard(bytes)), "v3")).toEqual(wanted);
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ["v2", createV2Card()],
    ["v3", createV3Card()],
  ] as const)("%s with 200 kB of lore", async (spec, card) => {
    const read = await onlyCard(json(card));
    expect(json(read.lorebook).length).toBeGreaterThan(200_000);
    expect(toCardJson(stored(read), spec)).toEqual(card);
    expect(dataOf(toCardJson(stored(read), spec === "v2" ? "v3" : "v2"))).toMatchObject(dataOf(card));
    expect(read.warnings).toEqual([]);
    expect(findCardSizeProblem(read.fields)).toBeUndefined();
  });

  test("of V1 with 200 kB of lore, as data of a newer one", async () => {
    const card = createV1Card();
    const read = await onlyCard(json(card));
    expect(read).toMatchObject({ container: "json", spec: "v1" });
    expect(dataOf(toCardJson(stored(read), "v2"))).toMatchObject(card);
  });

  test("byte for byte in its texts and its picture", async () => {
    const card = createV3Card();
    const picture = createPngOfSize(3, 3);
    const out = toCardPng(stored(readCard(card)), picture);
    const again = await onlyCard(out);
    expect(again).toMatchObject({ container: "png", spec: "v3" });
    expect(JSON.stringify(dataOf(toCardJson(stored(again), "v3")))).toBe(JSON.stringify(dataOf(card)));
    expect(Buffer.from(toCardPng(stored(again), out)).equals(Buffer.from(out))).toBe(true);
  });
});

test("fields that changed since the import are exported changed, and the rest unchanged", () => {
  const card = {
    spec: "chara_card_v2",
    spec_version: "2.0",
    data: {
      name: "Mira",
      description: null,
      tags: "one, two",
      first_mes: "x".repeat(30_000),
      alternate_greetings: Array.from({ length: 60 }, (_, index) => `greeting ${index}`),
      extensions: { other: 1, parley: { basic_info: "a captain", later: true } },
    },
  };
  const read = stored(readCard(card));
  expect(read.fields).toMatchObject({ tags: ["one", "two"], basic_info: "a captain" });
  expect(read.fields.first_message).toHaveLength(20_000);
  expect(read.fields.alternate_greetings).toHaveLength(50);
  expect(dataOf(toCardJson(read, "v2"))).toMatchObject(card.data);
  const next = { ...read.fields, first_message: "hello", basic_info: "a pilot" };
  expect(dataOf(toCardJson({ fields: next }, "v2"))).toMatchObject({
    ...card.data,
    description: "a pilot",
    first_mes: "hello",
    extensions: { other: 1, parley: { basic_info: "a pilot" } },
  });
});

test("fields of our own are exported with the card, and explained to other readers", () => {
  const fields = { ...EMPTY, name: "Mira", basic_info: "a captain", rules: ["never lie"], response_format: "short" };
  const out = toCardJson({ fields }, "v2");
  expect(dataOf(out).description).toBe("a captain\n\n1. never lie\n\nshort");
  const back = readCard(JSON.parse(JSON.stringify(out)));
  expect(back.fields).toMatchObject({ description: "", basic_info: "a captain", rules: ["never lie"] });
  expect(dataOf(toCardJson({ fields: { ...fields, description: "told" } }, "v2")).description).toBe("told");
});

test("our own format is imported in both notations, with its starting state under any name", async () => {
  const card = await onlyCard(
    json({ name: "林", firstMessage: "你好", basicInfo: "船长", initialState: { 好感度: 80, 心情: "开心" }, other: 1 }),
  );
  expect(card).toMatchObject({ container: "json", spec: "native" });
  expect(card.fields).toMatchObject({
    first_message: "你好",
    basic_info: "船长",
    initial_state: { affection: 80, mood: "开心" },
    card_extra: { other: 1 },
  });
});

test("a record read from the API is a card", () => {
  const record = { ...EMPTY, id: "char_1", name: "Mira", personality: "dry", system_prompt: "made", revision: 3 };
  const { fields, warnings } = readCard({ ...record, world_book_ids: ["book_1"] });
  expect(fields).toMatchObject({ name: "Mira", personality: "dry", system_prompt_mode: "auto" });
  expect(fields.card_extra).toEqual({});
  expect(warnings).toMatchObject([{ error: expect.stringContaining("world_book_ids") }]);
});

describe("a card file is recognised", () => {
  test("an archive with a folder and its portrait", async () => {
    const picture = createPngOfSize(1, 1);
    const files = [
      { name: "Mira/character.json", bytes: json(createV2Card()) },
      { name: "Mira/portrait.webp", bytes: picture },
    ];
    const card = await onlyCard(await writeArchive(files));
    expect(card).toMatchObject({ container: "zip", spec: "v2" });
    expect(Buffer.from(card.picture ?? [])).toEqual(picture);
  });

  test("a CHARX with its main icon; other files are reported", async () => {
    const picture = createPngOfSize(1, 1);
    const files: readonly ArchiveFile[] = [
      { name: "card.json", bytes: json(createV3Card()) },
      { name: "assets/icon/images/main.png", bytes: picture },
      { name: "assets/background/images/1.png", bytes: picture },
    ];
    const card = await onlyCard(await writeArchive(files));
    expect(card.container).toBe("charx");
    expect(card.warnings).toMatchObject([{ error: "1 other files of the card were not imported" }]);
    expect(Buffer.from(card.picture ?? [])).toEqual(picture);
  });

  const jpeg = Buffer.concat([Buffer.from("ffd8ffe000104a46494600010100000100010000ffd9", "hex")]);
  const charx = (rename: (name: string) => string, more: readonly ArchiveFile[] = []) =>
    writeArchive([
      { name: rename("card.json"), bytes: json(createV3Card()) },
      { name: rename("assets/icon/images/main.png"), bytes: createPngOfSize(1, 1) },
      ...more,
    ]);
  const fork = { name: "__MACOSX/Mira/._card.json", bytes: Buffer.from("x") };
  const CHARX_FORMS: readonly (readonly [form: string, bytes: () => Promise<Uint8Array>])[] = [
    ["whose card is Card.JSON", () => charx((name) => name.replace("card.json", "Card.JSON"))],
    ["whose card is CARD.JSON and whose assets are in capitals", () => charx((name) => name.toUpperCase())],
    ["in a folder", () => charx((name) => `Mira/${name}`)],
    ["in a folder, as macOS packs it", () => charx((name) => `Mira/${name}`, [fork])],
    ["in a folder within a folder", () => charx((name) => `Cards/Mira/${name}`)],
    ["in a folder with a name in Chinese", () => charx((name) => `米拉/${name}`)],
    ["with a manifest of its own", () => charx(String, [{ name: "manifest.json", bytes: json({ type: "other" }) }])],
    ["behind a JPEG", async () => Buffer.concat([jpeg, await charx(String)])],
    ["behind a PNG without a card", async () => Buffer.concat([createPngOfSize(2, 2), await charx(String)])],
    ["behind a WebP", async () => Buffer.concat([Buffer.from("RIFF\u0004\0\0\0WEBP"), await charx(String)])],
    ["behind a JPEG, in a folder", async () => Buffer.concat([jpeg, await charx((name) => `Mira/${name}`)])],
  ];

  test.each(CHARX_FORMS)("a CHARX %s", async (_form, bytes) => {
    const card = await onlyCard(await bytes());
    expect([card.container, card.fields.name]).toEqual(["charx", stored(readCard(createV3Card())).fields.name]);
    expect(Buffer.from(card.picture ?? [])).toEqual(createPngOfSize(1, 1));
  });

  test("a CHARX behind a JPEG without an icon of its own has the JPEG as its picture", async () => {
    const plain = await writeArchive([{ name: "card.json", bytes: json(createV2Card()) }]);
    expect(Buffer.from((await onlyCard(Buffer.concat([jpeg, plain]))).picture ?? [])).toEqual(jpeg);
  });

  test.each([
    ["an archive without a card", () => writeArchive([{ name: "a.txt", bytes: json(1) }]), "has no card.json"],
    [
      "a JPEG before such an archive",
      async () => Buffer.concat([jpeg, await writeArchive([fork])]),
      "has no card.json",
    ],
    ["a JPEG", async () => jpeg, "no card found in the picture"],
    ["a PNG", async () => createPngOfSize(1, 1), "no card found in the picture"],
    [
      "an archive with two folders of cards",
      () => writeArchive(["a", "b"].map((name) => ({ name: `${name}/card.json`, bytes: json(createV2Card()) }))),
      "several folders with a card.json",
    ],
    [
      "a JPEG before a broken archive",
      async () => Buffer.concat([jpeg, (await charx(String)).subarray(0, -9)]),
      "picture",
    ],
  ])("and the error names what is missing in %s", async (_form, bytes, sentence) => {
    await expect(onlyCard(await bytes())).rejects.toThrow(sentence);
  });

  test("a bundle as archive, as object, as list and as it was answered", async () => {
    const cards = [createV1Card(), createV2Card(), createV3Card()];
    const zip = await toBundleZip(cards.map((card) => stored(readCard(card))));
    const forms = [
      zip,
      json({ type: "role_card_bundle", cards }),
      json(cards),
      json({ success: true, data: { cards } }),
    ];
    for (const form of forms) {
      const found = await findCards(form);
      expect(found.container).toBe("bundle");
      const names = await Promise.all(found.cards.map(async (read) => (await read()).fields.name));
      expect(names).toEqual(["林小雨", "Mira of the Lighthouse", "Mira of the Lighthouse"]);
    }
  });

  test("a picture with two different cards: the newer one counts", async () => {
    const newer = { spec: "chara_card_v3", spec_version: "3.0", data: { name: "New", description: "b" } };
    const older = { spec: "chara_card_v2", spec_version: "2.0", data: { name: "Old", description: "a" } };
    const both = await onlyCard(
      createPngOfSize(1, 1, [createCardChunk("chara", older), createCardChunk("ccv3", newer)]),
    );
    expect(both.fields.name).toBe("New");
    expect(both.warnings).toMatchObject([{ error: expect.stringContaining("two different cards") }]);
    expect((await onlyCard(createPngOfSize(1, 1, [createCardChunk("chara", older)]))).fields.name).toBe("Old");
  });

  test("a picture with a compressed or international text chunk", async () => {
    const text = Buffer.from(json(createV1Card()).toString("base64"));
    const packed = createPngOfSize(1, 1, [["zTXt", Buffer.concat([Buffer.from("chara\0\0"), deflateSync(text)])]]);
    const international = createPngOfSize(1, 1, [
      ["iTXt", Buffer.concat([Buffer.from("chara\0\u0001\0en\0name\0"), deflateSync(text)])],
    ]);
    for (const picture of [packed, international]) expect((await onlyCard(picture)).fields.name).toBe("林小雨");
  });
});

test.each([
  ["UTF-8", Buffer.concat([Buffer.from("\ufeff"), json(createV1Card())])],
  ["UTF-16", Buffer.from(`\ufeff${json(createV1Card()).toString()}`, "utf16le")],
])("a card with the byte order mark of %s is read", async (_, bytes) => {
  expect((await onlyCard(bytes)).fields).toEqual((await onlyCard(json(createV1Card()))).fields);
});

test.each([
  [
    "of a program that came before V1",
    () => json({ char_name: "Pia", char_persona: "A baker", char_greeting: "Bread?" }),
  ],
  [
    "under a name in capitals",
    () => createPngOfSize(1, 1, [["tEXt", Buffer.from(`Chara\0${json(PIA).toString("base64")}`)]]),
  ],
  ["as JSON in a picture", () => createPngOfSize(1, 1, [["tEXt", Buffer.from(`chara\0${JSON.stringify(PIA)}`)]])],
])("a card %s is read", async (_form, bytes) => {
  const { cards } = await findCards(bytes());
  expect((await cards[0]?.())?.fields).toMatchObject({ name: "Pia", description: "A baker", first_message: "Bread?" });
});

describe("an invalid card is rejected", () => {
  const good = createPngOfSize(1, 1, [createCardChunk("chara", createV1Card())]);
  const broken = Buffer.from(good);
  broken.writeUInt8(broken.readUInt8(60) ^ 1, 60);
  const bomb = Buffer.concat([Buffer.from("chara\0\0"), deflateSync(Buffer.alloc(30_000_000, "A"))]);
  test.each([
    ["a text", Buffer.from("hello"), "bad_request"],
    ["a card without a name", json({ spec: "chara_card_v2", data: { name: " ", description: "x" } }), "bad_request"],
    ["something else", json({ hello: 1 }), "bad_request"],
    ["a number", json(7), "bad_request"],
    ["bytes that are no text", Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe])]), "bad_request"],
    ["a picture without a card", createPngOfSize(1, 1), "bad_request"],
    ["a picture without an end", good.subarray(0, good.length - 12), "bad_request"],
    ["a picture with a wrong check sum", broken, "bad_request"],
    ["a picture whose card is no base64", createPngOfSize(1, 1, [["tEXt", Buffer.from("chara\0{}!")]]), "bad_request"],
    ["a picture whose card is a bomb", createPngOfSize(1, 1, [["zTXt", bomb]]), "bad_request"],
    ["a card of 6 MB", json({ name: "x", first_mes: "y".repeat(6_000_000) }), "too_large"],
    [
      "a card nested 10,000 deep",
      Buffer.from(`{"name":"x","first_mes":${"[".repeat(1e4)}${"]".repeat(1e4)}}`),
      "bad_request",
    ],
    ["a million entries", Buffer.from(`{"name":"x","first_mes":"","l":[${"{},".repeat(999_999)}{}]}`), "too_large"],
  ])("%s", async (_, bytes, wanted) => {
    await expect(onlyCard(bytes)).rejects.toThrow(code(wanted));
  });

  test("an archive without a card, with one in an archive, and one that leads out", async () => {
    const inside = await writeArchive([{ name: "character.json", bytes: json(createV1Card()) }]);
    for (const files of [
      [{ name: "readme.txt", bytes: Buffer.from("x") }],
      [{ name: "character.zip", bytes: inside }],
      [{ name: "../character.json", bytes: json(createV1Card()) }],
      [{ name: "manifest.json", bytes: json({ type: "other", cards: [] }) }],
    ]) {
      await expect(onlyCard(await writeArchive(files))).rejects.toThrow(code("bad_request"));
    }
  });
});

test.each([
  ["a name alone", { name: "M" }],
  ["a name with tags", { name: "M", tags: ["x"] }],
  ["a package without a description", { name: "left-pad", version: "1.3.0", main: "index.js" }],
  ["a package with one", { name: "left-pad", version: "1.3.0", description: "Pads.", keywords: ["a"] }],
  ["a person of an address book", { id: 4, name: "Ann", email: "ann@example.org", description: "A colleague" }],
  ["a tool", { name: "weather", description: "Tells the weather.", parameters: { type: "object" } }],
  ["a server of tools", { name: "server", version: "1", description: "x", tools: [] }],
])("%s is no card", async (_, file) => {
  await expect(onlyCard(json(file))).rejects.toThrow(code("bad_request"));
});

test.each([
  ["a description", { name: "Mira", description: "A sailor." }],
  ["a personality beside fields that no card has", { name: "Mira", personality: "kind", mood_today: "calm" }],
  ["a description and a creator", { name: "Mira", description: "A sailor.", creator: "Ann", tags: ["sea"] }],
])("a name with %s is a card", async (_, file) => {
  expect((await onlyCard(json(file))).fields).toMatchObject({ name: "Mira" });
});

test("prototype keys are omitted and reported", async () => {
  const card = await onlyCard(
    Buffer.from('{"name":"x","first_mes":"","__proto__":{"polluted":1},"extensions":{"constructor":{"prototype":1}}}'),
  );
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(card.warnings).toMatchObject([
    { error: "the key '__proto__' was not imported" },
    { error: "the key 'constructor' was not imported" },
  ]);
});

test("a value of a wrong type in every field is reported and exported again", () => {
  for (const value of [7, true, null, { a: 1 }, [1, { b: 2 }], ["\ud800", "\u0007"]]) {
    const fields = "description personality scenario first_mes mes_example creator_notes system_prompt tags creator";
    const data: Record<string, unknown> = { name: "x", extensions: value, alternate_greetings: value };
    for (const name of fields.split(" ")) data[name] = value;
    const card = { spec: "chara_card_v2", spec_version: "2.0", data };
    const read = readCard(card);
    expect(dataOf(toCardJson(stored(read), "v2"))).toMatchObject(data);
    if (isObject(value)) expect(read.warnings.length).toBeGreaterThan(5);
  }
});
