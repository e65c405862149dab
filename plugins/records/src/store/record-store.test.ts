import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  addResource,
  Clock,
  Databases,
  definePlugin,
  displayName,
  Environment,
  Joi,
  type LiveEvent,
  LiveEvents,
  Paths,
  RecordStore,
  type Resource,
  Resources,
  resource,
  systemClock,
  tagsOf,
  textOf,
  toResourceView,
  withLabel,
} from "@parley/core";
import { type StartedPlugins, startPlugins } from "@parley/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import storage from "../../../storage/src/index.ts";
import records from "../index.ts";

interface Note {
  readonly name: string;
  readonly text: string;
  readonly color: "red" | "blue";
  readonly tags: readonly string[];
  readonly pinned: boolean;
  readonly weight: number;
  readonly until?: string | null;
}

const title = (en: string, zh: string) => ({ title: { en, zh } });
const declared = {
  kind: "note",
  path: "/api/notes",
  param: "note_id",
  idPrefix: "note",
  title: { one: { en: "note", zh: "便签" }, many: { en: "notes", zh: "便签" } },
  about: { en: "What you do not want to forget.", zh: "不想忘记的事。" },
  fields: {
    name: withLabel(displayName(20).required(), title("Name", "名称")),
    text: withLabel(textOf(100).default(""), { ...title("Text", "内容"), widget: "textarea" }),
    color: withLabel(Joi.valid("red", "blue").default("red"), {
      ...title("Colour", "颜色"),
      options: { red: { en: "Red", zh: "红" }, blue: { en: "Blue", zh: "蓝" } },
    }),
    tags: withLabel(tagsOf(5).default([]), title("Tags", "标签")),
    pinned: withLabel(Joi.boolean().default(false), title("Pinned", "置顶")),
    weight: withLabel(Joi.number().default(0), title("Weight", "权重")),
    until: withLabel(Joi.string().allow(null).optional(), title("Until", "截止")),
  },
  derived: { length: Joi.number().optional() },
  search: ["name", "text"],
  filters: ["color", "tags", "pinned"],
  sort: ["name", "weight"],
  unique: "name",
  fixed: ["color"],
  most: 40,
} as const;
const notes = resource<Note>({ ...declared });

let data: string;
let running: StartedPlugins;
const liveEvents: LiveEvent[] = [];

async function started(one: Resource<Note> = notes): Promise<StartedPlugins> {
  const plugin = definePlugin({ id: "notes", register: (context) => addResource(context, one) });
  const events: LiveEvents = {
    publish: (event) => void liveEvents.push(event),
    subscribe: () => () => {},
    watch: () => () => {},
    relay() {},
  };
  return startPlugins([storage, records, plugin], {
    services: [
      [Paths, { root: data, data } satisfies Paths],
      [Environment, { get: () => undefined, secret: () => undefined } satisfies Environment],
      [Clock, systemClock],
      [LiveEvents, events],
    ],
  });
}

beforeEach(async () => {
  liveEvents.length = 0;
  data = mkdtempSync(join(tmpdir(), "records-"));
  running = await started();
});
afterEach(async () => {
  await running[Symbol.asyncDispose]();
  rmSync(data, { recursive: true });
});

const create = (body: object) => running.call<Note & { id: string; revision: number }>("POST /api/notes", { body });
const list = (query: object = {}) =>
  running.call<{ items: readonly (Note & { id: string })[]; total: number }>("GET /api/notes", { query });
const namesOf = async (query: object) => (await list(query)).items.map(({ name }) => name);

test("records are counted and removed by the value of a filter field", async () => {
  for (const [name, color] of [
    ["a", "red"],
    ["b", "blue"],
    ["c", "blue"],
  ])
    await create({ name, color });
  const store = running.get(RecordStore).of(notes);
  expect([...(await store.countBy("color", ["red", "blue", "green"]))].sort()).toEqual([
    ["blue", 2],
    ["red", 1],
  ]);
  expect((await store.countBy("color", [])).size).toBe(0);
  await running.get(Databases).main.write(await store.removingBy("color", "blue"));
  expect(await namesOf({})).toEqual(["a"]);
  await expect(store.removingBy("text", "x")).rejects.toThrow("note has no filter 'text'");
});

test("of several concurrent creations for the last free place one succeeds", async () => {
  for (let at = 1; at < 40; at += 1) await create({ name: `note ${at}` });
  const tried = await Promise.allSettled(["a", "b", "c"].map((name) => create({ name })));
  expect(tried.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
  const rejected = tried.flatMap((one) => (one.status === "rejected" ? one.reason : []));
  expect(rejected.map(({ code, message }) => [code, message])).toEqual(
    Array(2).fill(["conflict", "there are already 40 notes"]),
  );
  expect((await list()).total).toBe(40);
});

describe("the rows of a resource", () => {
  test("a record is created with its defaults, read, changed, and removed, and each change is announced", async () => {
    const made = await create({ name: " Milk " });
    expect(made).toMatchObject({ name: "Milk", text: "", color: "red", tags: [], pinned: false, revision: 1 });
    expect(made.id).toMatch(/^note_/);
    const path = `/api/notes/${made.id}`;
    expect(await running.call(`GET ${path}`)).toEqual(made);
    expect(await running.call(`PUT ${path}`, { body: { pinned: true } })).toMatchObject({
      name: "Milk",
      pinned: true,
      revision: 2,
    });
    expect(await running.call(`DELETE ${path}`)).toEqual({ id: made.id, deleted: true });
    await expect(running.call(`GET ${path}`)).rejects.toThrow(`note '${made.id}' does not exist`);
    expect(liveEvents.map(({ payload }) => payload)).toEqual([
      { kind: "note", id: made.id, action: "created", revision: 1 },
      { kind: "note", id: made.id, action: "updated", revision: 2 },
      { kind: "note", id: made.id, action: "deleted", revision: null },
    ]);
  });

  test("a stale revision, a changed fixed field, an empty change and a taken name are rejected, and nothing changes", async () => {
    const { id } = await create({ name: "a" });
    await create({ name: "b" });
    const put = (body: object, ifMatch?: number) =>
      running.call(`PUT /api/notes/${id}`, { body, ...(ifMatch !== undefined && { ifMatch }) });
    await expect(put({ name: "c" }, 7)).rejects.toThrow("its revision is 1, not 7");
    await expect(put({ color: "blue" })).rejects.toThrow("color: cannot be changed");
    await expect(put({})).rejects.toThrow("nothing to update");
    await expect(put({ name: "B" })).rejects.toThrow("name: 'B' is taken");
    await expect(create({ name: "Ａ" })).rejects.toThrow("is taken");
    expect(await put({ color: "red", name: "A" })).toMatchObject({ name: "A", revision: 2 });
  });

  test("a list is filtered, searched, sorted and paged by the database", async () => {
    await create({ name: "milk", tags: ["food", "white"], weight: 3 });
    await create({ name: "Apple", tags: ["food"], color: "blue", weight: 20, pinned: true });
    await create({ name: "zinc", text: "100% pure", weight: 1 });
    expect(await namesOf({})).toEqual(["Apple", "milk", "zinc"]);
    expect(await namesOf({ sort: "-name" })).toEqual(["zinc", "milk", "Apple"]);
    expect(await namesOf({ sort: "weight" })).toEqual(["zinc", "milk", "Apple"]);
    expect(await namesOf({ sort: "created_at" })).toEqual(["milk", "Apple", "zinc"]);
    expect(await namesOf({ tags: "food" })).toEqual(["Apple", "milk"]);
    expect(await namesOf({ tags: "foo" })).toEqual([]);
    expect(await namesOf({ color: "blue" })).toEqual(["Apple"]);
    expect(await namesOf({ pinned: true })).toEqual(["Apple"]);
    expect(await namesOf({ q: "IL" })).toEqual(["milk"]);
    expect(await namesOf({ q: "0%" })).toEqual(["zinc"]);
    expect(await list({ limit: 1, offset: 1 })).toMatchObject({
      total: 3,
      limit: 1,
      offset: 1,
      items: [{ name: "milk" }],
    });
  });

  test("a resource has at most the declared number of records", async () => {
    for (let index = 0; index < declared.most; index += 1) await create({ name: `n${index}` });
    await expect(create({ name: "one more" })).rejects.toThrow("there are already 40 notes");
  });
});

test("two concurrent changes of one record are both stored", async () => {
  const { id } = await create({ name: "counter" });
  const records = running.get(RecordStore).of(notes);
  await Promise.all(Array.from({ length: 8 }, () => records.change(id, ({ weight }) => ({ weight: weight + 1 }))));
  expect(await records.get(id)).toMatchObject({ weight: 8, revision: 9 });
});

test("a creation that is prepared before any read creates its table", async () => {
  const draft = { name: "first", text: "", color: "red", tags: [], pinned: false, weight: 0 } as const;
  const { item, writes } = await running.get(RecordStore).of(notes).creating(draft, { id: "note_first" });
  await running.get(Databases).main.write(writes);
  expect(await running.call("GET /api/notes/note_first")).toEqual(item);
});

test("a change prepared for a larger transaction is rolled back when the record has changed meanwhile", async () => {
  const records = running.get(RecordStore).of(notes);
  const before = await records.create({ name: "a", text: "", color: "red", tags: [], pinned: false, weight: 0 });
  const late = await records.changing(before, { weight: 1 });
  await records.change(before.id, { weight: 2 });
  await expect(running.get(Databases).main.write(late.writes)).rejects.toMatchObject({ code: "conflict" });
  expect(await records.get(before.id)).toMatchObject({ weight: 2 });
});

test("an extended declaration reads older records", async () => {
  await create({ name: "old", tags: ["x"] });
  await running[Symbol.asyncDispose]();
  const grown = resource<Note>({ ...declared, filters: ["weight"], search: ["name"], sort: ["-weight"] });
  running = await started(grown);
  await create({ name: "new", weight: 5 });
  expect(await namesOf({ weight: 0 })).toEqual(["old"]);
  expect(await namesOf({})).toEqual(["new", "old"]);
  await running[Symbol.asyncDispose]();
  // Records that were created while the column was not searched are found again too.
  running = await started();
  expect(await namesOf({ color: "red" })).toEqual(["new", "old"]);
  expect(await namesOf({ tags: "x" })).toEqual(["old"]);
});

test("a search ignores case, in any script, and treats every character literally", async () => {
  await create({ name: "Äpfel", text: "ДА" });
  await create({ name: "a_b", text: "back\\slash" });
  expect(await namesOf({ q: "ÄPF" })).toEqual(["Äpfel"]);
  expect(await namesOf({ q: "да" })).toEqual(["Äpfel"]);
  expect(await namesOf({ q: "_" })).toEqual(["a_b"]);
  expect(await namesOf({ q: "\\S" })).toEqual(["a_b"]);
});

test("a search returns the same pages and total whether it finds few or nearly all", async () => {
  const named = (part: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${part} ${String(index).padStart(2, "0")}`);
  const [rare, common] = [named("rare", 3), named("common", 14)];
  for (const name of [...common, ...rare]) await create({ name, tags: [name.slice(0, 4)], text: "all of them" });
  for (const [query, wanted] of [
    [{ q: "rare" }, rare],
    [{ q: "common" }, common],
    [{ q: "all of" }, [...common, ...rare]],
    [{ tags: "rare" }, rare],
    [{ q: "all of", tags: "comm" }, common],
    [{ q: "nowhere" }, []],
  ] as const) {
    for (const sort of ["name", "-name"]) {
      const order = sort === "name" ? wanted : wanted.toReversed();
      for (let offset = 0; offset < wanted.length + 2; offset += 2) {
        const page = await list({ ...query, sort, limit: 2, offset });
        expect(page.items.map(({ name }) => name)).toEqual(order.slice(offset, offset + 2));
        expect(page.total).toBe(wanted.length);
      }
    }
  }
});

describe("records and documents of a kind that no plugin declares", () => {
  test("are an error that names the kind and what to call", async () => {
    const store = running.get(RecordStore);
    const others = resource<Note>({ ...declared, kind: "other", path: "/api/others" });
    expect(() => store.of(others)).toThrow(
      "no plugin has declared the records of 'other': call addRecords in its register",
    );
    expect(() => store.documents({ name: "others" })).toThrow(
      "no plugin has declared the documents 'others': call addDocuments in its register",
    );
  });
});

describe("an invalid resource declaration", () => {
  const wrong = (change: object) => () => resource<Note>({ ...declared, ...change } as never);
  test.each([
    ["resource 'note': filters: there is no field 'colour'", { filters: ["colour"] }],
    ["resource 'note': sort: there is no field 'size'", { sort: ["-size"] }],
    ["resource 'note': columns: there is no field 'id'", { columns: ["id"] }],
    ["resource 'note': field 'name' has no label", { fields: { name: displayName(9) } }],
    ["resource 'note': field 'id': every record has it already", { derived: { id: Joi.string() } }],
    ["resource 'note': field 'length' is no joi schema", { derived: { length: "number" } }],
    ["resource 'Note Book': 'kind'", { kind: "Note Book" }],
    ["resource 'note': 'path'", { path: "notes" }],
  ])("is rejected with its name and field: %s", (message, change) => {
    expect(wrong(change)).toThrow(message);
  });
});

test("a console page gets columns, filters and forms with localized labels", () => {
  const [one] = running.all(Resources);
  const view = toResourceView(one as Resource);
  expect(view.columns.map(({ field, type }) => `${field}:${type}`)).toEqual([
    "name:text",
    "color:choice",
    "tags:tags",
    "pinned:switch",
    "updated_at:time",
  ]);
  expect(view.filters[0]).toEqual({
    field: "color",
    title: { en: "Colour", zh: "颜色" },
    type: "choice",
    options: [
      { value: "red", title: { en: "Red", zh: "红" } },
      { value: "blue", title: { en: "Blue", zh: "蓝" } },
    ],
  });
  expect(view.form).toMatchObject({
    required: ["name"],
    properties: { text: { type: "string", default: "", "x-parley": { title: { en: "Text" }, widget: "textarea" } } },
  });
  expect(Object.keys(view.edit.properties)).toEqual(["name", "text", "tags", "pinned", "weight", "until"]);
  expect(JSON.parse(JSON.stringify(view))).toEqual(view);
});
