import Joi from "@hapi/joi";
import {
  Databases,
  definePlugin,
  Files,
  fixedStatement,
  type Message,
  RecordLifecycle,
  type RecordPart,
} from "@parley/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import type { Parley } from "../harness/parley.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";
import { createFakeChannel } from "../harness/plugins/fake-channel.ts";

interface Note {
  readonly session_id: string;
  readonly text: string;
}
interface Exported {
  readonly sessions: readonly { readonly plugins: Readonly<Record<string, unknown>> }[];
}

/** The method of the part that fails now. */
let broken: keyof RecordPart | undefined;
const failIfBroken = (what: keyof RecordPart) => {
  if (broken === what) throw new Error("the ink has run out");
};
const say = (text: string, ...values: readonly unknown[]) => ({ query: fixedStatement(text, values) });

/** A third-party plugin with a note for each session. */
const notes = definePlugin({
  id: "notes",
  register({ contribute }) {
    contribute(
      RecordLifecycle,
      (from): RecordPart => ({
        id: "notes.page",
        of: "session",
        schema: Joi.string().max(100),
        async removed(id) {
          failIfBroken("removed");
          return [say("delete from notes where session_id = ?", id)];
        },
        async copied({ from: old, to, messages }) {
          failIfBroken("copied");
          const noted = ` of ${messages.size}`;
          return [say("insert into notes select ?, text || ? from notes where session_id = ?", to, noted, old)];
        },
        async exported(id) {
          failIfBroken("exported");
          return (await allNotes(from.get(Databases))).find(({ session_id }) => session_id === id)?.text;
        },
        async imported(id, text) {
          failIfBroken("imported");
          // A statement that fails rolls back the whole session.
          if (text === "unwritable") return [{ ...say("delete from notes where session_id = ?", id), expect: 1 }];
          return [say("insert into notes values (?, ?)", id, text)];
        },
      }),
    );
  },
  async start({ get }) {
    await get(Databases).main.write([say("create table if not exists notes (session_id text primary key, text text)")]);
  },
});

const allNotes = async ({ main }: Databases) =>
  main.lookup<Note>(fixedStatement("select session_id, text from notes order by session_id", []));

const fake = createFakeChannel();
let parley: Parley;
let api: Client;
let talk: ParleyWithModel;
let models: ParleyWithModel["models"];

beforeAll(async () => {
  talk = await startParleyWithModel({ plugins: [notes, fake.plugin] });
  ({ models, parley, api } = talk);
  await api.post("/api/channels", { id: fake.id, name: "Fake", type: fake.id, transport: "bridge" });
}, 60_000);
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
}, 60_000);
beforeEach(() => {
  broken = undefined;
});

const readNotes = async () =>
  Object.fromEntries((await allNotes(parley.host.get(Databases))).map(({ session_id, text }) => [session_id, text]));
const withNote = async (text: string) => {
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: text });
  await api.post(`/api/sessions/${id}/messages`, { content: "one" });
  await parley.host.get(Databases).main.write([say("insert into notes values (?, ?)", id, text)]);
  return id;
};
const getExport = (id: string) => api.get<Exported>(`/api/sessions/${id}/export`);
const importSessions = (body: object) =>
  api.post<{ items: { id: string; left_out?: string[] }[]; errors: { error: string }[] }>("/api/sessions/import", body);
const count = async () => (await api.get<{ total: number }>("/api/sessions")).total;

describe("a plugin's data of a session", () => {
  test("is deleted with it", async () => {
    const id = await withNote("going");
    await api.send("DELETE", `/api/sessions/${id}`);
    expect(await readNotes()).not.toHaveProperty([id]);
  });

  test("is copied with it", async () => {
    const id = await withNote("copied");
    const fork = await api.post<{ id: string }>(`/api/sessions/${id}/fork`, {});
    expect(await readNotes()).toMatchObject({ [id]: "copied", [fork.id]: "copied of 1" });
  });

  test("is exported and imported with it", async () => {
    const id = await withNote("exported");
    const written = await getExport(id);
    expect(written.sessions[0]?.plugins).toEqual({ "notes.page": "exported" });
    const { items } = await importSessions(written);
    expect((await readNotes())[items[0]?.id ?? ""]).toBe("exported");
    expect(items[0]).not.toHaveProperty("left_out");
    const all = await api.get<Exported>(`/api/sessions/export?ids=${id}`);
    expect(all.sessions[0]?.plugins).toEqual({ "notes.page": "exported" });
  });

  test("is in a JSON file, whose invalid variants are named", async () => {
    const form = new FormData();
    form.append("file", new File(["\u0089PNG"], "cat.png", { type: "image/png" }));
    const headers = { authorization: `Bearer ${api.token}` };
    const answer = await fetch(`${parley.address}/api/sessions/import`, { method: "POST", headers, body: form });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: "'cat.png' is not a JSON file" }]);
    const inChinese = { ...headers, "accept-language": "zh-CN" };
    const repeated = await fetch(`${parley.address}/api/sessions/import`, {
      method: "POST",
      headers: inChinese,
      body: form,
    });
    expect(await repeated.json()).toMatchObject({ error: "“cat.png”不是 JSON 文件" });
    form.set("file", new File(['{\n  "sessions": [,]\n}'], "talk.json"));
    const broken = await fetch(`${parley.address}/api/sessions/import`, { method: "POST", headers, body: form });
    expect(await broken.json()).toMatchObject({ error: "'talk.json' is not valid JSON: line 2, column 16" });
  });

  test("is reported when no plugin reads it", async () => {
    const { items } = await importSessions({
      session: { name: "x", messages: [{ content: "hi" }], plugins: { "gone.part": { a: 1 } } },
    });
    expect(items).toMatchObject([{ left_out: ["gone.part"] }]);
  });
});

describe("a failing part", () => {
  test.each([
    ["removed", (id: string) => api.send("DELETE", `/api/sessions/${id}`)],
    ["copied", (id: string) => api.send("POST", `/api/sessions/${id}/fork`, { body: {} })],
    ["exported", (id: string) => api.send("GET", `/api/sessions/${id}/export`)],
  ] as const)("during %s fails the whole with its name, and nothing is changed", async (what, ask) => {
    const id = await withNote(`broken ${what}`);
    const before = [await readNotes(), await count()];
    broken = what;
    expect(await ask(id)).toMatchObject({
      status: 503,
      json: { error: expect.stringContaining("notes.page: the ink has run out") },
    });
    expect([await readNotes(), await count()]).toEqual(before);
    expect((await api.get<{ message_count: number }>(`/api/sessions/${id}`)).message_count).toBe(1);
  });

  test.each([
    ["cannot be imported", "fine", "notes.page: the ink has run out"],
    ["has a part of another form", 7, "notes.page: must be a string"],
    ["has a part that cannot be written", "unwritable", ""],
  ])("a session that %s is not imported, and the others are", async (_what, part, message) => {
    broken = part === "fine" ? "imported" : undefined;
    const before = await count();
    const wrong = { name: "wrong", messages: [{ content: "hi" }], plugins: { "notes.page": part } };
    const { items, errors } = await importSessions({
      sessions: [wrong, { name: "right", messages: [{ content: "hi" }] }],
    });
    expect([items.length, errors.length, (await count()) - before]).toEqual([1, 1, 1]);
    expect(errors[0]?.error).toContain(message);
  });

  test("does not stop the turn of a session that remains", async () => {
    models.script.push({ kind: "hang" });
    const asked = models.nextRequest();
    await fake.say("busy", "hello");
    await asked;
    broken = "removed";
    expect(await api.send("DELETE", "/api/sessions/fake:group:busy")).toMatchObject({ status: 503 });
    expect(await api.get("/api/sessions/fake:group:busy")).toMatchObject({ running: true });
    broken = undefined;
    await api.send("DELETE", "/api/sessions/fake:group:busy");
  });
});

test("a session deleted during its answer leaves nothing for the next one of its conversation", async () => {
  models.script.push({ kind: "hang", text: "half an answer" });
  const asked = models.nextRequest();
  await fake.say("again", "first");
  await asked;
  await api.send("DELETE", "/api/sessions/fake:group:again");
  await fake.say("again", "second");
  const listSent = () => fake.sent.filter(({ conversation }) => conversation.id === "again").map(({ text }) => text);
  await eventually(() => expect(listSent().at(-1)).toContain("second"));
  const { items } = await api.get<{ items: Message[] }>("/api/sessions/fake:group:again/messages");
  expect(items.map(({ content }) => content)).toEqual(["second", expect.stringContaining("second")]);
});

describe("a file of a session", () => {
  const isStored = async (url: string) => {
    const { main } = parley.host.get(Databases);
    const name = decodeURIComponent(url.split("/").at(-1) ?? "");
    const [row] = await main.lookup<{ found: number }>(
      fixedStatement("select kept as found from files where safe_name = ?", [name]),
    );
    return row?.found === 1;
  };
  const withFile = async () => {
    const { url } = await parley.host.get(Files).put(Buffer.from("words"), { name: "note.txt" });
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    await api.post(`/api/sessions/${id}/messages`, { content: "see", attachments: [{ type: "file", url }] });
    expect((await (await parley.host.get(Files).open(url)).bytes()).length).toBe(5);
    return { id, url };
  };

  test("is stored as long as a session has it: the first one, a copy, an imported one", async () => {
    const { id, url } = await withFile();
    const fork = await api.post<{ id: string }>(`/api/sessions/${id}/fork`, {});
    const { items } = await importSessions(await getExport(id));
    for (const one of [id, fork.id]) {
      await api.send("DELETE", `/api/sessions/${one}`);
      expect(await isStored(url)).toBe(true);
    }
    await api.send("DELETE", `/api/sessions/${items[0]?.id}`);
    expect(await isStored(url)).toBe(false);
  });

  test("that another record uses remains when its session is deleted", async () => {
    const { id, url } = await withFile();
    await parley.host.get(Files).keep([url]);
    await api.send("DELETE", `/api/sessions/${id}`);
    expect(await isStored(url)).toBe(true);
  });
});
