import { addResource, definePlugin, displayName, Joi, RecordStore, resource, textOf, withLabel } from "@parley/core";
import { literalSecrets } from "@parley/core/secrets";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Feed {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pin: string;
  readonly notes: string;
}

const label = { title: { en: "Field", zh: "字段" } };
const feeds = resource<Feed>({
  kind: "feed",
  path: "/api/feeds",
  param: "feed_id",
  idPrefix: "feed",
  title: { one: { en: "feed", zh: "订阅" }, many: { en: "feeds", zh: "订阅" } },
  about: { en: "Pages that are read.", zh: "要读取的页面。" },
  fields: {
    name: withLabel(displayName(100).required(), label),
    url: withLabel(textOf(200).required(), label),
    headers: withLabel(Joi.object().pattern(Joi.string(), Joi.string()).default({}), label),
    pin: withLabel(textOf(20).default(""), label),
    notes: withLabel(textOf(200).default(""), label),
  },
  secrets: literalSecrets<Feed>({ url: { form: "address" }, headers: { form: "values", to: "url" } }),
  secret: ["pin"],
  detail: ["notes"],
});
const plugin = definePlugin({ id: "feeds", register: (context) => addResource(context, feeds) });

let parley: Parley;
let api: Client;
beforeAll(async () => {
  parley = await startParley({ plugins: [plugin] });
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

const SECRET = "Bearer sk-live-0123456789abcdef";
const draft = {
  name: "news",
  url: "https://feeds.example/a",
  headers: { Authorization: SECRET },
  pin: "4711",
  notes: "long text",
};
const stored = () => parley.host.get(RecordStore).of(feeds);

test("a plugin's records without a storage of their own mask secrets in every answer", async () => {
  const created = await api.post<Feed & { readonly id: string; readonly revision: number }>("/api/feeds", draft);
  const read = await api.get<Feed>(`/api/feeds/${created.id}`);
  const listed = await api.get<{ readonly items: readonly Feed[] }>("/api/feeds");
  const changed = await api.put<Feed>(`/api/feeds/${created.id}`, { name: "daily news" });
  for (const answer of [created, read, listed, changed]) {
    expect(JSON.stringify(answer)).not.toContain(SECRET.slice(7));
    expect(JSON.stringify(answer)).not.toContain("4711");
  }
  expect(read.notes).toBe("long text");
  expect(listed.items[0]).not.toHaveProperty("notes");
  expect(await stored().get(created.id)).toMatchObject({ ...draft, name: "daily news" });
});

test("a mask that is sent back keeps the secret, and is rejected for another receiver", async () => {
  const { id } = await api.post<{ readonly id: string }>("/api/feeds", { ...draft, name: "second" });
  const { headers } = await api.get<Feed>(`/api/feeds/${id}`);
  await api.put(`/api/feeds/${id}`, { headers: { ...headers, Accept: "text/xml" } });
  expect((await stored().get(id)).headers).toEqual({ Authorization: SECRET, Accept: "text/xml" });
  await expect(api.put(`/api/feeds/${id}`, { url: "https://elsewhere.example/", headers })).rejects.toThrow(
    /headers.Authorization is masked.*bad_request/,
  );
  expect((await stored().get(id)).url).toBe(draft.url);
});
