import {
  type Databases as AllDatabases,
  Clock,
  Databases,
  systemClock,
  type TextEntry,
  TextIndex,
  type TextQuery,
} from "@parley/core";
import { memoryDatabases, type StartedPlugins, startPlugins } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import plugin from "./index.ts";

const AT = Date.UTC(2026, 0, 1);

const databases: AllDatabases = memoryDatabases();
let plugins: StartedPlugins;
let spaces = 0;

beforeAll(async () => {
  plugins = await startPlugins([plugin], {
    services: [
      [Databases, databases],
      [Clock, systemClock],
    ],
  });
});
afterAll(() => plugins[Symbol.asyncDispose]());

/** An index with nothing in it yet. */
function start() {
  spaces += 1;
  const space = plugins.get(TextIndex).space(`notes_${spaces}`);
  let count = 0;
  const write = (writes: Parameters<typeof databases.main.write>[0]) => databases.main.write(writes);
  return {
    space,
    write,
    async put(group: string, texts: readonly (string | Partial<TextEntry>)[]) {
      const entries = texts.map((one, place) => {
        count += 1;
        const given = typeof one === "string" ? { text: one } : one;
        return { id: `e${count}`, place, title: "", text: "", time: AT + count, ...given };
      });
      await write(await space.replacing(group, entries));
    },
    async found(text: string, more: Partial<TextQuery> = {}) {
      const hits = await space.search({ text, limit: 10, ...more });
      return hits.map((hit) => hit.text);
    },
  };
}

test("English words are found in every form, irregular ones too", async () => {
  const index = start();
  await index.put("a", ["She bought three bicycles in Lyon", "The children went home early", "Nothing of that kind"]);
  expect((await index.found("Where did she buy a bicycle?"))[0]).toBe("She bought three bicycles in Lyon");
  expect(await index.found("when does the child go home")).toEqual(["The children went home early"]);
});

test("Chinese is found by pairs of characters, and a single character in every text that contains it", async () => {
  const index = start();
  await index.put("a", ["小林去年搬到了京都。", "他养了一只猫", "今天下雨"]);
  expect((await index.found("小林什么时候搬到京都的？"))[0]).toBe("小林去年搬到了京都。");
  expect(await index.found("猫")).toEqual(["他养了一只猫"]);
});

test("a question finds everyday words of the other language", async () => {
  const index = start();
  await index.put("a", [
    "图书馆周一闭馆",
    "她把猫交给了邻居",
    "Refunds are paid within ten days",
    "Nothing of that kind",
  ]);
  expect((await index.found("When is the library closed?"))[0]).toBe("图书馆周一闭馆");
  expect((await index.found("退款要多少天？"))[0]).toBe("Refunds are paid within ten days");
  expect(await index.found("邻居")).toEqual(["她把猫交给了邻居"]);
});

test("simplified and traditional Chinese match each other", async () => {
  const index = start();
  await index.put("a", [
    "我們在圖書館學習繁體漢字",
    "他们在图书馆学习简体汉字",
    "臺灣的發展與頭髮無關",
    "Nothing of that kind",
  ]);
  const both = ["我們在圖書館學習繁體漢字", "他们在图书馆学习简体汉字"];
  expect((await index.found("图书馆学习")).toSorted()).toEqual(both.toSorted());
  expect((await index.found("圖書館學習")).toSorted()).toEqual(both.toSorted());
  expect(await index.found("头发")).toEqual(["臺灣的發展與頭髮無關"]);
  expect(await index.found("台湾发展")).toEqual(["臺灣的發展與頭髮無關"]);
});

test("a date is found in any notation", async () => {
  const index = start();
  await index.put("a", ["The launch was on May 7, 2023.", "会议在2024年3月9日举行", "It was on 8 May 2023."]);
  expect((await index.found("2023-05-07"))[0]).toBe("The launch was on May 7, 2023.");
  expect((await index.found("March 9, 2024"))[0]).toBe("会议在2024年3月9日举行");
});

test("a word in the title weighs more than one in the text", async () => {
  const index = start();
  await index.put("a", [
    { title: "Invoices", text: "How they are paid and by whom, in a few words." },
    { title: "Travel", text: "Keep the invoices of your trips; they are paid later." },
  ]);
  expect((await index.found("invoices"))[0]).toContain("How they are paid");
});

test("every hit has its reason and position", async () => {
  const index = start();
  await index.put("a", ["Our greenhouse has a heated bench.", "A bench stands by the door."]);
  const [hit] = await index.space.search({ text: "heated bench", limit: 2 });
  expect(hit).toMatchObject({ group: "a", textScore: 1, why: { vector: "local" } });
  expect(hit?.why.terms.map(({ term }) => term).sort()).toEqual(["bench", "heat"]);
  expect(hit?.why.boosts.map(({ name }) => name)).toContain("phrase");
  expect(hit?.marks.map(([from, to]) => hit.text.slice(from, to))).toEqual(["heated", "bench"]);
});

test("a search can be filtered by labels and by time", async () => {
  const index = start();
  await index.put("a", [{ text: "Ann likes green tea", labels: ["person:ann"], time: AT }]);
  await index.put("b", [{ text: "Bob likes green tea", labels: ["person:bob"], time: AT + 5_000 }]);
  expect(await index.found("green tea", { labels: [["person:bob"]] })).toEqual(["Bob likes green tea"]);
  expect(await index.found("green tea", { labels: [["person:ann", "person:bob"]] })).toHaveLength(2);
  expect(await index.found("green tea", { labels: [["group:a"]] })).toEqual(["Ann likes green tea"]);
  expect(await index.found("green tea", { until: AT + 1 })).toEqual(["Ann likes green tea"]);
  expect(await index.found("green tea", { since: AT + 1 })).toEqual(["Bob likes green tea"]);
});

test("a group that is stored again has only its new entries, and a removed one has none", async () => {
  const index = start();
  await index.put("a", ["the old harbour", "the old bridge"]);
  await index.put("a", ["the new harbour"]);
  expect(await index.found("harbour bridge")).toEqual(["the new harbour"]);
  await index.write(await index.space.removing(["a"]));
  expect(await index.found("harbour")).toEqual([]);
});

test("an answer is found by the question before it", async () => {
  const index = start();
  await index.put("a", ["Ann: Which instrument did you learn?", "Ben: The viola, my grandfather built it."]);
  await index.put("b", ["Ben: Nothing new here", "Ann: Learn to wait"]);
  expect((await index.found("What instrument did Ben learn?")).slice(0, 2)).toContain(
    "Ben: The viola, my grandfather built it.",
  );
});

test("messages within an hour are neighbours, messages of another day are not", async () => {
  const index = start();
  await index.put("x", [{ text: "Ben: Under the bridge.", time: AT + 90_000_000 }]);
  await index.put("a", [{ text: "Ann: Where is the ferry terminal?", time: AT }]);
  await index.put("b", [{ text: "Ben: Behind the old mill.", time: AT + 60_000 }]);
  const found = await index.space.search({ text: "Where did Ben say the ferry terminal is?", limit: 9, mode: "text" });
  const [mill, bridge] = ["mill", "bridge"].map((word) => found.find(({ text }) => text.includes(word)));
  expect(mill?.why.terms.map(({ term }) => term)).toContain("ferri");
  expect(bridge?.why.terms.map(({ term }) => term)).toEqual(["ben"]);
});

test("neighbours outside of the filters are not found", async () => {
  const index = start();
  await index.put("a", [
    { text: "ferry terminal", labels: ["person:ann"] },
    { text: "behind the mill", labels: ["person:bob"] },
  ]);
  expect(await index.found("ferry terminal", { labels: [["person:ann"]] })).toEqual(["ferry terminal"]);
});

test("messages of a person named in a question rank before mentions by others", async () => {
  const index = start();
  await index.put("a", ["Ann: Mel, did you paint the lake?"]);
  await index.put("b", ["Mel: I did paint the lake, Ann."]);
  const hits = await index.space.search({ text: "What did Mel paint?", limit: 2, mode: "text" });
  expect(hits[0]?.text).toBe("Mel: I did paint the lake, Ann.");
  expect(hits[0]?.why.boosts).toContainEqual({ name: "speaker", factor: 1.5 });
});

test("a synonym finds a text, ranked after those with the exact word", async () => {
  const index = start();
  await index.put("a", ["He purchased a boat", "He bought a boat", "He painted a boat"]);
  expect((await index.found("buy")).slice(0, 2)).toEqual(["He bought a boat", "He purchased a boat"]);
});

test("vectors of a model find texts without common words, and are never compared with those of another model", async () => {
  const index = start();
  await index.put("a", ["a feline slept", "the train was late"]);
  const [cat, train] = await index.space.entriesOf("a");
  const vectors = new Map([
    [cat?.id ?? "", Float32Array.of(1, 0.2, 0)],
    [train?.id ?? "", Float32Array.of(0, 0.1, 1)],
  ]);
  await index.write(index.space.keepingVectors("m1", vectors));
  const values = Float32Array.of(0.9, 0.1, 0.1);
  expect(await index.found("purring", { vector: { space: "m1", values } })).toEqual([
    "a feline slept",
    "the train was late",
  ]);
  expect(await index.found("purring", { vector: { space: "m2", values } })).toEqual([]);
  expect(await index.found("purring", { mode: "vector", limit: 1, vector: { space: "m1", values } })).toEqual([
    "a feline slept",
  ]);
});

test("hits of one group are limited as requested, the newer one first among equals", async () => {
  const index = start();
  await index.put("a", [
    { place: 0, text: "red kite" },
    { place: 4, text: "red kite" },
    { place: 8, text: "red kite" },
  ]);
  await index.put("b", ["red kite"]);
  const hits = await index.space.search({ text: "red kite", limit: 10, perGroup: 2 });
  expect(hits.map(({ group }) => group).sort()).toEqual(["a", "a", "b"]);
  expect(hits[0]?.group).toBe("b");
});

test.each(['"', "a OR b", "AND NOT", "*", "'; drop table", "{title}: x", "(((", "\u0000", "🙂"])(
  "%j is treated as plain text",
  async (text) => {
    const index = start();
    await index.put("a", ["something else", text.replaceAll("\u0000", "")]);
    await expect(index.found(text)).resolves.toBeInstanceOf(Array);
  },
);

test("a reader with few visible texts finds the nearest of those, however many others there are", async () => {
  const { space, put, write } = start();
  const labels = ["person:ann"];
  await put(
    "others",
    Array.from({ length: 400 }, (_, at) => ({ id: `o${at}`, text: `The river is at ${at}` })),
  );
  await put("own", [
    { id: "ann1", text: "The lamp is green", labels },
    { id: "ann2", text: "The river is far", labels },
  ]);
  const near = Array.from({ length: 400 }, (_, at) => [`o${at}`, Float32Array.of(1, 0.01)] as const);
  const vectors = new Map([...near, ["ann1", Float32Array.of(0.6, 1)], ["ann2", Float32Array.of(-1, 1)]] as const);
  await write(space.keepingVectors("m", vectors));
  const vector = { space: "m", values: Float32Array.of(1, 0) };
  const asked = { text: "river", limit: 5, labels: [labels] };
  const ids = async (more: object) => (await space.search({ ...asked, ...more })).map(({ id }) => id);
  expect(await ids({ mode: "vector", vector })).toEqual(["ann1"]);
  expect(await ids({ mode: "text" })).toEqual(["ann2"]);
  expect((await ids({ vector })).toSorted()).toEqual(["ann1", "ann2"]);
});

test("a narrow time range contains its nearest texts, however many others there are", async () => {
  const { space, put, write } = start();
  const others = Array.from({ length: 400 }, (_, at) => ({
    id: `other${at}`,
    text: `The river is at ${at}`,
    time: AT,
  }));
  await put("all", [...others, { id: "late", text: "The lamp is green", time: AT + 9_000 }]);
  const near = others.map(({ id }) => [id, Float32Array.of(1, 0.01)] as const);
  await write(space.keepingVectors("m", new Map([...near, ["late", Float32Array.of(0.6, 1)] as const])));
  const vector = { space: "m", values: Float32Array.of(1, 0) };
  const hits = await space.search({ text: "x", limit: 5, mode: "vector", vector, since: AT + 8_000 });
  expect(hits.map(({ id }) => id)).toEqual(["late"]);
});
