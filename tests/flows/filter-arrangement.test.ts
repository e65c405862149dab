import { fillDetail, type Message } from "@parley/core";
import { createGate } from "@parley/simulators";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type FilterFile, NO_RULES, openFilterFile } from "../harness/files/filter-file.ts";
import type { Client } from "../harness/http/client.ts";
import { type Frame, openSocket, type Socket } from "../harness/http/socket.ts";
import type { Parley } from "../harness/parley.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";

interface Rule {
  readonly id: string;
  readonly pattern: string;
  readonly group?: string;
  readonly window?: object;
  readonly enabled: boolean;
}
interface Listing {
  readonly rules: { readonly global: readonly Rule[]; readonly channels: Readonly<Record<string, readonly Rule[]>> };
  readonly outside_window: readonly string[];
}

const path = "/api/message-filter";

let talk: ParleyWithModel;
let models: ParleyWithModel["models"];
let parley: Parley;
let api: Client;
let session: string;
let file: FilterFile;

beforeAll(async () => {
  talk = await startParleyWithModel();
  ({ models, parley, api } = talk);
  file = openFilterFile(parley.root);
});

afterAll(() => talk?.[Symbol.asyncDispose]());

beforeEach(async () => {
  file.edit(NO_RULES);
  session = (await api.post<{ id: string }>("/api/sessions", {})).id;
});

const readStored = () => JSON.parse(file.read());
const fetchListing = () => api.get<Listing>(path);
const rule = (pattern: string, more: object = {}) => api.post<Rule>(path, { pattern, ...more });
const sendRule = (method: "POST" | "PUT", at: string, body: object) => api.send(method, `${path}${at}`, { body });
const toRejection = ({ headers }: { readonly headers: Headers }) => JSON.parse(headers.get("x-parley-error") ?? "{}");
const sendAndRead = async (content: string) =>
  (await api.post<{ user_message: Message | null }>(`/api/sessions/${session}/chat`, { content })).user_message
    ?.content;
const answerTo = async (content: string) =>
  (await api.post<{ replies: readonly Message[] }>(`/api/sessions/${session}/chat`, { content })).replies[0]?.content;

describe("the order of rules", () => {
  const createReplaceRule = (pattern: string, replacement: string, more: object = {}) =>
    rule(pattern, { action: "replace", replacement, ...more });
  const order = async () => (await fetchListing()).rules.global.map(({ pattern }) => pattern);

  test("changes by moving one before or after another, or to a position, and applies from the next message on", async () => {
    const wide = await createReplaceRule("foo bar", "1");
    const narrow = await createReplaceRule("foo", "2");
    const last = await createReplaceRule("zzz", "3");
    expect(await sendAndRead("foo bar x")).toBe("1 x");
    const moved = await api.post<object>(`${path}/${narrow.id}/move`, { before: wide.id });
    expect(moved).toMatchObject({ id: narrow.id, channel: "global", position: 1, revision: expect.any(Number) });
    expect(await sendAndRead("foo bar x")).toBe("2 bar x");
    expect(await api.post(`${path}/${wide.id}/move`, { after: last.id })).toMatchObject({ position: 3 });
    expect(await order()).toEqual(["foo", "zzz", "foo bar"]);
    expect(await api.post(`${path}/${wide.id}/move`, { position: 1 })).toMatchObject({ position: 1 });
    expect(await order()).toEqual(["foo bar", "foo", "zzz"]);
    expect(await api.post(`${path}/${wide.id}/move`, { position: 2 })).toMatchObject({ position: 2 });
    expect(await api.post(`${path}/${narrow.id}/move`, { position: 99 })).toMatchObject({ position: 3 });
    expect(await api.post(`${path}/${narrow.id}/move`, { before: narrow.id })).toMatchObject({ position: 3 });
    expect(await order()).toEqual(["foo bar", "zzz", "foo"]);
    expect((await fetchListing()).rules.global.map(({ id }) => id)).toEqual([wide.id, last.id, narrow.id]);
  });

  test("is separate for each list: a conversation's rules are moved among themselves, and never into another list", async () => {
    const specific = { channel: "web", session_scope: "specific", session_id: session };
    const [everybody, channel] = [await rule("a"), await rule("b", { channel: "web" })];
    const [first, second] = [await rule("c", specific), await rule("d", specific)];
    expect(await api.post(`${path}/${second.id}/move`, { position: 1 })).toMatchObject({ position: 1 });
    expect((await fetchListing()).rules.channels.web?.map(({ pattern }) => pattern)).toEqual(["b", "d", "c"]);
    for (const other of [everybody, channel]) {
      const answer = await sendRule("POST", `/${first.id}/move`, { before: other.id });
      expect(answer).toMatchObject({ status: 400, json: { error: expect.stringContaining("another list") } });
      expect(fillDetail(toRejection(answer), "zh")).toContain("另一个列表");
    }
  });

  test("requires one position, relative to an existing rule", async () => {
    const { id } = await rule("a");
    const { id: other } = await rule("b");
    const ask = async (body: object, of = id) => (await sendRule("POST", `/${of}/move`, body)).status;
    expect(await ask({ before: "rule_none" })).toBe(404);
    expect(await ask({ position: 1 }, "rule_none")).toBe(404);
    for (const body of [{}, { before: other, after: other }, { position: 0 }, { position: 1.5 }, { before: 3 }]) {
      expect(await ask(body)).toBe(400);
    }
    const stale = { headers: { "if-match": '"1"' }, body: { position: 2 } };
    expect(await api.send("POST", `${path}/${id}/move`, stale)).toMatchObject({ status: 409 });
    expect(await order()).toEqual(["a", "b"]);
  });

  test("changes in a file with unknown fields without touching these", async () => {
    const odd = { id: "rule_odd", pattern: "x", action: "drop" };
    const one = { id: "rule_a", pattern: "a", note: "mine" };
    file.edit({ ...NO_RULES, comment: "ours", global: [one, odd, { id: "rule_b", pattern: "b" }] });
    await api.post(`${path}/rule_b/move`, { before: "rule_a" });
    expect(readStored()).toMatchObject({ comment: "ours", global: [{ id: "rule_b" }, one, odd] });
  });
});

describe("a group of rules", () => {
  test("is toggled in one write, in all lists, whatever the state of its rules", async () => {
    const group = "Holidays 🎄";
    await rule("one", { group });
    await rule("two", { group: ` ${group} `, channel: "web", enabled: false });
    await rule("free");
    const setGroupEnabled = (enabled: boolean) => api.post(`${path}/groups/toggle`, { group, enabled });
    expect(await setGroupEnabled(true)).toEqual({ group, enabled: true, rules: 2 });
    expect(await sendAndRead("one two free x")).toBe("x");
    expect(await setGroupEnabled(false)).toEqual({ group, enabled: false, rules: 2 });
    expect(await sendAndRead("one two free x")).toBe("one two  x");
    expect(await setGroupEnabled(false)).toEqual({ group, enabled: false, rules: 2 });
    expect((await fetchListing()).rules.global).toMatchObject([
      { group, enabled: false },
      { pattern: "free", enabled: true },
    ]);
  });

  test("can be renamed, merged or dissolved; a rule without one has nine keys", async () => {
    const { id } = await rule("one", { group: "A" });
    await rule("two", { group: "B" });
    const renameGroup = (group: string, name: string) => api.post(`${path}/groups/rename`, { group, name });
    expect(await renameGroup("A", "C")).toEqual({ group: "C", rules: 1 });
    expect(await renameGroup("C", "B")).toEqual({ group: "B", rules: 1 });
    expect((await fetchListing()).rules.global.map(({ group }) => group)).toEqual(["B", "B"]);
    expect(await renameGroup("B", "")).toEqual({ group: "", rules: 2 });
    expect((await fetchListing()).rules.global.map((one) => Object.keys(one).length)).toEqual([9, 9]);
    await api.put(`${path}/${id}`, { group: "D" });
    expect(readStored().global[0]).toMatchObject({ group: "D" });
    await api.put(`${path}/${id}`, { group: "" });
    expect(readStored().global[0]).not.toHaveProperty("group");
  });

  test("has a name of 1 to 100 visible characters", async () => {
    await rule("one", { group: "😀".repeat(100) });
    expect((await sendRule("POST", "", { pattern: "x", group: "😀".repeat(101) })).status).toBe(400);
    const ask = async (at: string, body: object) => (await sendRule("POST", `/groups/${at}`, body)).status;
    expect(await ask("toggle", { group: "none", enabled: true })).toBe(404);
    expect(await ask("toggle", { group: "", enabled: true })).toBe(404);
    expect(await ask("rename", { group: "none", name: "x" })).toBe(404);
    expect(await ask("toggle", { group: "none" })).toBe(400);
    expect(await ask("rename", { group: "none" })).toBe(400);
    expect(await ask("rename", { group: "none", name: "x".repeat(101) })).toBe(400);
  });

  test("may be hand-written; an invalid name is ignored, and the rule is applied", async () => {
    file.edit({
      ...NO_RULES,
      global: [
        { id: "rule_a", pattern: "one", group: "By hand" },
        { id: "rule_b", pattern: "two", group: 7 },
      ],
    });
    expect(await sendAndRead("one two x")).toBe("x");
    expect((await fetchListing()).rules.global.map(({ group }) => group)).toEqual(["By hand", undefined]);
    await api.post(`${path}/groups/toggle`, { group: "By hand", enabled: false });
    expect(readStored().global).toMatchObject([{ enabled: false }, { group: 7 }]);
  });
});

describe("a time window", () => {
  const office = { days: ["mon", "tue", "wed", "thu", "fri"], start: "08:00", end: "18:00" };
  let socket: Socket;
  // Only the wall clock is set; timers run normally. 2026-12-07 is a Monday.
  const setClock = (iso: string) => void vi.setSystemTime(new Date(iso));
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    setClock("2026-12-07T07:59:00Z");
    api = await parley.signIn();
    await api.put("/api/settings", { timezone: "UTC" });
    socket = await openSocket(api);
    await socket.ask({ type: "join_session", session_id: session });
  });
  afterEach(() => {
    socket[Symbol.dispose]();
    vi.useRealTimers();
  });
  const isRuleChange = ({ type, kind }: Frame) => type === "resource_changed" && kind === "filter_rule";
  const listOutside = async () => (await fetchListing()).outside_window;

  test("limits when a rule is applied; outside of it the rule counts as disabled", async () => {
    const { id } = await rule("bad", { window: office });
    expect(await sendAndRead("a bad day")).toBe("a bad day");
    expect(await listOutside()).toEqual([id]);
    setClock("2026-12-07T08:00:00Z");
    expect(await sendAndRead("a bad day")).toBe("a  day");
    expect(await listOutside()).toEqual([]);
    // 08:00 to 18:00 in Shanghai is over at 10:00 UTC.
    await api.put("/api/settings", { timezone: "Asia/Shanghai" });
    setClock("2026-12-07T10:00:00Z");
    expect(await sendAndRead("a bad day")).toBe("a bad day");
    await api.put(`${path}/${id}`, { window: { from: "2026-12-07", until: "2026-12-07" } });
    expect(await sendAndRead("a bad day")).toBe("a  day");
    await api.put(`${path}/${id}`, { window: null });
    expect(Object.keys((await fetchListing()).rules.global[0] ?? {})).toHaveLength(9);
    expect(await sendAndRead("a bad day")).toBe("a  day");
  });

  test("allows streaming until it opens, and consoles are notified without a message", async () => {
    await rule("secret", { filter_target: "ai", window: office });
    const pieces = async () => {
      const from = socket.frames.length;
      const gate = createGate();
      models.script.push({ kind: "held", pieces: ["The se", "cret is ", "out"], gate });
      const asked = models.nextRequest();
      await socket.ask({ type: "send_message", session_id: session, content: "tell", temp_id: `t-${from}` });
      await asked;
      for (let piece = 0; piece < 3; piece += 1) gate.next();
      await socket.next((one) => one.type === "new_message" && (one.message as Message).role === "assistant", from);
      return socket.frames.slice(from).flatMap((one) => (one.type === "ai_stream_chunk" ? [one.chunk] : []));
    };
    expect((await pieces()).join("")).toBe("The secret is out");
    const before = socket.frames.length;
    setClock("2026-12-07T08:00:00Z");
    await socket.next(isRuleChange, before);
    expect(await pieces()).toEqual(["The  is out"]);
  });

  test("that is closed is reported by a preview, for the draft of a rule", async () => {
    const { id } = await rule("bad", { window: office });
    const tryFilter = (body: object) =>
      api.post<{ content: string; matches: readonly { id: string; outside_window: boolean }[] }>(`${path}/test`, body);
    const matches = [{ id, outside_window: true }];
    expect(await tryFilter({ text: "a bad day" })).toMatchObject({ content: "a bad day", filtered: false, matches });
    const written = { pattern: "day", window: { until: "2026-12-01" } };
    const both = await tryFilter({ text: "a bad day", rule: written });
    expect(both.matches.map((one) => [one.id, one.outside_window])).toEqual([
      ["rule_trial", true],
      [id, true],
    ]);
    expect(await tryFilter({ text: "a bad day", rule: { pattern: "day" } })).toMatchObject({ content: "a bad" });
  });

  test.each([
    [{}, "window"],
    [{ start: "08:00" }, "window"],
    [{ from: "2026-13-01" }, "window.from"],
    [{ from: "2026-12-02", until: "2026-12-01" }, "window"],
    [{ days: ["someday"] }, "window.days.0"],
    [{ start: "8:00", end: "9:00" }, "window.start"],
    ["mornings", "window"],
  ])("%j is rejected, at its field: %s", async (window, field) => {
    for (const answer of [
      await sendRule("POST", "", { pattern: "x", window }),
      await sendRule("POST", "/import", { keywords: ["x"], window }),
    ]) {
      const message = toRejection(answer);
      expect({ status: answer.status, field: message.field }).toEqual({ status: 400, field });
      expect(fillDetail(message, "zh")).toMatch(/\p{Script=Han}/u);
    }
  });

  test("may be hand-written; an unreadable one disables its rule, which is reported", async () => {
    file.edit({
      ...NO_RULES,
      global: [
        { id: "rule_a", pattern: "bad", window: { from: "2026-12-07" } },
        { id: "rule_b", pattern: "day", window: { start: "8 o'clock" } },
      ],
    });
    expect(await sendAndRead("a bad day")).toBe("a  day");
    const { invalid } = await api.get<{ invalid: readonly object[] }>(path);
    expect(invalid).toMatchObject([{ id: "rule_b", problem: expect.stringContaining("start") }]);
  });
});

describe("other properties of a rule", () => {
  const window = { from: "2026-01-01", days: ["mon"], start: "22:00", end: "06:00" };

  test("are set for an imported word list; words with another window are no duplicates", async () => {
    const load = (more: object) => api.post(`${path}/import`, { keywords: ["one", "two"], ...more });
    expect(await load({ group: "List", window })).toEqual({ imported: 2, skipped: 0 });
    expect((await fetchListing()).rules.global).toMatchObject([
      { group: "List", window },
      { group: "List", window },
    ]);
    expect(await load({ group: "Other", window })).toEqual({ imported: 0, skipped: 2 });
    expect(await load({})).toEqual({ imported: 2, skipped: 0 });
  });

  test("are shown by the list command if they exist", async () => {
    const { id } = await rule("plain");
    const { id: other } = await rule("timed", { group: "List", window: { until: "2020-01-01", days: ["mon", "tue"] } });
    const lines = (await answerTo("/msg_filter list"))?.split("\n");
    expect(lines?.slice(1)).toEqual([
      `${id} keyword strip user on plain`,
      `${other} keyword strip user on timed (group List; –2020-01-01 mon,tue; not now)`,
    ]);
  });
});
