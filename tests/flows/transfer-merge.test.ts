import { type Caller, SCOPES, TransferSections } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const caller: Caller = {
  kind: "login",
  credentialId: "test",
  accountId: "user_test",
  username: "admin",
  scopes: SCOPES,
  rateLimitPerMinute: 0,
};

/** A record that every service has from its first start, with two changes of it and where to read them. */
interface Singleton {
  readonly section: string;
  readonly path: string;
  /** Changes of the other service. */
  readonly theirs: object;
  /** Earlier changes of this service. */
  readonly ours: object;
  /** Fields after an import in mode `skip`. */
  readonly merged: object;
}

const config = (fields: object) => ({ config: fields });
const SINGLETONS: readonly Singleton[] = [
  {
    section: "heartbeat",
    path: "/api/heartbeat",
    theirs: { interval_minutes: 90, content_file: "theirs.md" },
    ours: { content_file: "ours.md" },
    merged: { interval_minutes: 90, content_file: "ours.md" },
  },
  {
    section: "personality",
    path: "/api/personality",
    theirs: { name: "Theirs", scenario: "A harbour.", tags: ["sea"] },
    ours: { name: "Ours" },
    merged: { name: "Ours", scenario: "A harbour.", tags: ["sea"] },
  },
  {
    section: "ai_config",
    path: "/api/ai-config",
    theirs: { temperature: 0.2, max_tokens: 512, base_url: "https://theirs.example/v1" },
    ours: { max_tokens: 900, api_key: "sk-ours-1234567890" },
    merged: { temperature: 0.2, max_tokens: 900, base_url: "https://api.openai.com/v1", has_api_key: true },
  },
  {
    section: "channels",
    path: "/api/channels/imA",
    theirs: { name: "Theirs", ...config({ ws_uri: "ws://127.0.0.1:9/their", group_trigger: "all" }) },
    ours: config({ group_trigger: "never" }),
    merged: { name: "Theirs", config: { ws_uri: "ws://127.0.0.1:9/their", group_trigger: "never" } },
  },
  {
    section: "settings",
    path: "/api/settings",
    theirs: { timezone: "Asia/Tokyo", web: { title: "Theirs" } },
    ours: { web: { title: "Ours" } },
    merged: { timezone: "Asia/Tokyo", web: { title: "Ours" } },
  },
];

let here: Parley;
let there: Parley;
let ours: Client;
let theirs: Client;

beforeAll(async () => {
  [here, there] = await Promise.all([startParley(), startParley()]);
  [ours, theirs] = await Promise.all([here.signIn(), there.signIn()]);
}, 60_000);
afterAll(async () => {
  await here[Symbol.asyncDispose]();
  await there[Symbol.asyncDispose]();
});

const getSection = (parley: Parley, id: string) => parley.host.all(TransferSections).find((one) => one.id === id);

async function importRecord(id: string, mode: "skip" | "overwrite") {
  const part = getSection(here, id)?.schema.validate(await getSection(there, id)?.export(caller)).value;
  const planned = await getSection(here, id)?.plan(part, { caller, mode });
  const steps = await getSection(here, id)?.apply(part, planned as never, { caller, mode });
  expect(await steps?.run()).toEqual([]);
  return { planned, undo: async () => steps?.undo() };
}

/** Reads a record; channels have no endpoint for a single one and are found in their list. */
async function read(api: Client, path: string): Promise<unknown> {
  if (!path.startsWith("/api/channels/")) return api.get(path);
  const { items } = await api.get<{ items: readonly { id: string }[] }>("/api/channels");
  return items.find(({ id }) => path.endsWith(id));
}

describe.each(SINGLETONS)("$section, of which there is always one", ({ section, path, merged, ...change }) => {
  test("imports values that are unset here, and keeps those that were changed here", async () => {
    await theirs.put(path, change.theirs);
    await ours.put(path, change.ours);
    const before = await getSection(here, section)?.export(caller);
    const { undo } = await importRecord(section, "skip");
    expect(await read(ours, path)).toMatchObject(merged);
    await undo();
    expect(await getSection(here, section)?.export(caller)).toEqual(before);
    await importRecord(section, "skip");
    const { planned } = await importRecord(section, "skip");
    expect(planned?.items.filter(({ action }) => action !== "skip")).toEqual([]);
    expect(await read(ours, path)).toMatchObject(merged);
  });
});

test("the filter is toggled as in the package unless it was toggled here", async () => {
  await theirs.post("/api/message-filter/toggle", { enabled: false });
  await importRecord("message_filter", "skip");
  expect(await ours.get("/api/message-filter")).toMatchObject({ enabled: false });
  await theirs.post("/api/message-filter/toggle", { enabled: true });
  await importRecord("message_filter", "skip");
  expect(await ours.get("/api/message-filter")).toMatchObject({ enabled: false });
});
