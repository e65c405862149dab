import { addResource, definePlugin, Joi, RecordStore, RouteTables, resource, route, withLabel } from "@parley/core";
import { expect, test } from "vitest";
import { memoryServices } from "./memory-services.ts";
import { startPlugins } from "./start-plugins.ts";

const notes = resource<{ readonly name: string }>({
  kind: "note",
  path: "/api/notes",
  param: "note_id",
  idPrefix: "note",
  title: { one: { en: "note", zh: "笔记" }, many: { en: "notes", zh: "笔记" } },
  about: { en: "Notes.", zh: "笔记。" },
  fields: { name: withLabel(Joi.string().required(), { title: { en: "Name", zh: "名称" } }) },
  unique: "name",
});
const storagePlugin = definePlugin({
  id: "notes",
  requires: [RecordStore],
  register: (context) => addResource(context, notes),
});

test("a plugin with a resource is tested without a host: its rows create, list, change and delete records", async () => {
  await using started = await startPlugins([storagePlugin], { services: memoryServices });
  const made = await started.call<{ readonly id: string }>("POST /api/notes", { body: { name: "Milk" } });
  expect(made).toMatchObject({ name: "Milk", revision: 1 });
  await expect(started.call("POST /api/notes", { body: { name: "milk" } })).rejects.toMatchObject({ code: "conflict" });
  expect(await started.call(`PUT /api/notes/${made.id}`, { body: { name: "Bread" } })).toMatchObject({ revision: 2 });
  expect(await started.call("GET /api/notes")).toMatchObject({ total: 1, items: [{ name: "Bread" }] });
  expect(await started.call(`DELETE /api/notes/${made.id}`)).toEqual({ id: made.id, deleted: true });
  expect(await started.call("GET /api/notes")).toMatchObject({ total: 0 });
});

test("two tests have separate records", async () => {
  await using first = await startPlugins([storagePlugin], { services: memoryServices });
  await using second = await startPlugins([storagePlugin], { services: memoryServices });
  await first.call("POST /api/notes", { body: { name: "Milk" } });
  expect(await second.call("GET /api/notes")).toMatchObject({ total: 0 });
});

test("a raw row that returns an object fails with an explanation", async () => {
  const raw = definePlugin({
    id: "raw",
    register: ({ contribute }) =>
      contribute(RouteTables, () => [
        route({
          method: "GET",
          path: "/api/raw",
          summary: "raw",
          reply: "raw",
          data: { "text/plain": Joi.string() },
          run: () => ({ body: "" }),
        }),
      ]),
  });
  await using started = await startPlugins([raw]);
  await expect(started.call("GET /api/raw")).rejects.toThrow("the raw row GET /api/raw must return rawReply(…)");
});
