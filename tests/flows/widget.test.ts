import { gzipSync } from "node:zlib";
import { Clock, Gateway, type Message, Secrets, Sessions } from "@parley/core";
import { createGate } from "@parley/simulators";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createVisitorTokens } from "../../adapters/widget/src/visitors.ts";
import { eventually } from "../harness/eventually.ts";
import { openWidgetPage, type WidgetMessage, type WidgetPageOptions } from "../harness/http/widget-visitor.ts";
import { type ParleyWithModel, startParleyWithModel } from "../harness/parley-with-model.ts";

const SHOP = "https://shop.example";
const EVERY_FILE = { title: "Ask us", greeting: "Hello **there**", allowed_origins: [SHOP], files: true };

let service: ParleyWithModel;
let count = 0;
let channelId: string;

beforeAll(async () => {
  service = await startParleyWithModel({ config: "[plugin.gateway]\nslow_reply =\n" });
});
afterAll(() => service[Symbol.asyncDispose]());

/** Each test has a channel of its own. */
beforeEach(async () => {
  service.models.script.length = 0;
  channelId = `shop-${++count}`;
  await service.api.post("/api/channels/presets/widget", { id: channelId, config: { ...EVERY_FILE, burst: "off" } });
});

const open = (options: Partial<WidgetPageOptions> = {}) =>
  openWidgetPage(service.parley.address, { channelId, origin: SHOP, ...options });
const sessionOf = (visitorId: string) => encodeURIComponent(`${channelId}:${visitorId}`);
const configure = (config: object) => service.api.put(`/api/channels/${channelId}`, { config });
const listSessions = async () =>
  (await service.parley.host.get(Sessions).list({ channelId, limit: 50, offset: 0 })).items;
/** Returns the visitor behind the only conversation of the channel. */
const findVisitorId = async () => (await listSessions())[0]?.id.slice(channelId.length + 1) ?? "";

describe("the script", () => {
  test("is cached by its tag, and pages of any website may load it", async () => {
    const first = await service.api.send("GET", "/widget.js", { token: "" });
    expect(first.status).toBe(200);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      "cache-control": "public, max-age=300",
    });
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    expect((await service.api.send("GET", "/widget.js", { token: "", headers })).status).toBe(304);
  });

  test("is at most 20 kB, and runs under a policy without eval", async () => {
    const { text } = await service.api.send("GET", "/widget.js", { token: "" });
    expect(gzipSync(text).byteLength).toBeLessThan(20_000);
    expect(text).not.toMatch(/\beval\(|new Function\(|innerHTML|insertAdjacentHTML|document\.write/);
  });

  test("gets the look of its chat from an allowed page only", async () => {
    const ask = (origin: string) =>
      service.api.send("GET", `/api/widget/${channelId}`, { token: "", headers: origin === "" ? {} : { origin } });
    const allowed = await ask(SHOP);
    expect(allowed.json?.data).toMatchObject({
      title: "Ask us",
      greeting: "Hello **there**",
      position: "right",
      files: true,
    });
    expect(allowed.json?.data).not.toHaveProperty("allowed_origins");
    expect(allowed.headers.get("access-control-allow-origin")).toBe(SHOP);
    expect(allowed.headers.get("vary")).toContain("origin");
    expect((await ask(service.parley.address)).status).toBe(200);
    expect(await ask("https://evil.example")).toMatchObject({ status: 403, json: { code: "permission_denied" } });
    expect((await service.api.send("GET", "/api/widget/web", { token: "" })).status).toBe(404);
  });
});

describe("the socket", () => {
  test("opens for allowed pages and those of the service itself, and for no others", async () => {
    for (const origin of [SHOP, service.parley.address]) (await open({ origin }))[Symbol.dispose]();
    for (const origin of ["https://evil.example", "http://shop.example", "https://shop.example:8443", "null", ""])
      await expect(open({ origin }), origin).rejects.toThrow("rejected with 403");
  });

  test("opens for the service's own pages only where no website is named", async () => {
    await configure({ allowed_origins: [] });
    await expect(open()).rejects.toThrow("rejected with 403");
    (await open({ origin: service.parley.address }))[Symbol.dispose]();
  });

  test("does not open for a channel that is unknown, of another type, or switched off", async () => {
    await expect(open({ channelId: "nowhere" })).rejects.toThrow("rejected with 404");
    await expect(open({ channelId: "web" })).rejects.toThrow("rejected with 404");
    await service.api.post(`/api/channels/${channelId}/toggle`, { enabled: false });
    await expect(open()).rejects.toThrow("rejected with 403");
  });

  test.each<[what: string, frames: readonly (object | string)[], code: number]>([
    ["something that is not JSON", ["hello"], 4400],
    ["a list", [[]], 4400],
    ["a frame without a type", [{ text: "hi" }], 4400],
    ["a frame of more than 64 KiB", [{ type: "message", text: "x".repeat(70_000), temp_id: "1" }], 1009],
    ["more than 100 frames in ten seconds", Array.from({ length: 120 }, () => ({ type: "ping" })), 4429],
  ])("is closed after %s", async (_what, frames, code) => {
    using page = await open();
    for (const frame of frames) page.send(typeof frame === "string" ? JSON.parse(`"${frame}"`) : frame);
    expect(await page.closed()).toBe(code);
  });

  test.each<[what: string, frame: object, code: string]>([
    ["of an unknown type", { type: "dance", item_id: "1" }, "bad_request"],
    ["with an empty text", { type: "message", text: "  ", temp_id: "1" }, "bad_request"],
    ["with a text that is too long", { type: "message", text: "x".repeat(8_001), temp_id: "1" }, "bad_request"],
    ["without an id", { type: "message", text: "hi" }, "bad_request"],
    ["with a text that is none", { type: "message", text: 7, temp_id: "1" }, "bad_request"],
    ["of another version", { type: "hello", version: 2 }, "bad_request"],
  ])("answers a frame %s with an error and stays open", async (_what, frame, code) => {
    using page = await open();
    page.send(frame);
    expect(await page.next(({ type }) => type === "error")).toMatchObject({ code });
    page.send({ type: "ping" });
    await page.next(({ type }) => type === "pong");
    expect(await listSessions()).toEqual([]);
  });

  test("explains errors in the language of the page", async () => {
    using page = await open({ language: "zh-CN" });
    expect(await page.say(" ", "1")).toMatchObject({ type: "error", error: "text：请输入文字或添加文件" });
  });

  test("takes no message before the hello", async () => {
    using page = await open({ isGreeting: false });
    expect(await page.say("hi", "1")).toMatchObject({ type: "error", code: "conflict", temp_id: "1" });
  });
});

describe("a visitor", () => {
  test("gets an answer, written while it is generated, and the conversation again on the next visit", async () => {
    using first = await open();
    const gate = createGate();
    service.models.script.push({ kind: "held", pieces: ["We open ", "at nine."], gate });
    expect(await first.say("when do you open?", "t-1")).toMatchObject({
      type: "ack",
      id: expect.stringMatching(/^gw_/),
    });
    await first.next(({ type }) => type === "typing");
    gate.next();
    await first.next(({ type, text }) => type === "delta" && text === "We open ");
    gate.next();
    const answer = await first.answer("We open at nine.");
    const deltas = first.frames.filter(({ type }) => type === "delta");
    const written = deltas.reduce((text, { from, text: more }) => text.slice(0, Number(from)) + String(more), "");
    expect(written).toBe("We open at nine.");
    expect(new Set(deltas.map(({ id }) => id))).toEqual(new Set([answer.completes]));

    using again = await open({ visitor: first.visitor });
    expect(again.history()).toMatchObject([
      { role: "user", text: "when do you open?", temp_id: "t-1" },
      { role: "assistant", text: "We open at nine." },
    ]);
    expect(JSON.stringify(again.frames)).not.toMatch(/gw_|operator_only|trace|sender_id/);
  });

  test("gets on the next visit what was answered meanwhile", async () => {
    const gate = createGate();
    service.models.script.push({ kind: "held", pieces: ["Done."], gate });
    const first = await open();
    await first.say("please do it", "t-1");
    const { visitor } = first;
    first[Symbol.dispose]();
    gate.next();
    await service.parley.host.get(Gateway).idle();
    using again = await open({ visitor });
    expect(again.history().map(({ text }) => text)).toEqual(["please do it", "Done."]);
  });

  test("who reconnects while an answer is written sees all of it once", async () => {
    const gate = createGate();
    service.models.script.push({ kind: "held", pieces: ["One, ", "two."], gate });
    const first = await open();
    await first.say("count", "t-1");
    gate.next();
    await first.next(({ type }) => type === "delta");
    first[Symbol.dispose]();
    using again = await open({ visitor: first.visitor });
    expect(await again.next(({ type }) => type === "delta")).toMatchObject({ from: 0, text: "One, " });
    gate.next();
    await service.parley.host.get(Gateway).idle();
    await eventually(() => {
      const messages = again.frames.filter(({ type, role }) => type === "message" && role === "assistant");
      const inHistory = again.history().filter(({ role }) => role === "assistant");
      expect([...messages, ...inHistory]).toMatchObject([{ text: "One, two." }]);
    });
  });

  test("sends a message twice, also over another connection, and it is answered once", async () => {
    using first = await open();
    const ack = await first.say("hello", "t-1");
    await first.answer("You said: hello");
    using second = await open({ visitor: first.visitor });
    expect(await second.say("hello", "t-1")).toEqual(ack);
    await service.parley.host.get(Gateway).idle();
    using third = await open({ visitor: first.visitor });
    expect(third.history().map(({ role }) => role)).toEqual(["user", "assistant"]);
  });

  test("sees in each tab what was written in the other", async () => {
    using first = await open();
    using second = await open({ visitor: first.visitor });
    await first.say("from the first tab", "t-1");
    expect(await second.next(({ type, role }) => type === "message" && role === "user")).toMatchObject({
      text: "from the first tab",
      temp_id: "t-1",
    });
    await second.answer("You said: from the first tab");
    expect(first.frames.filter(({ type, role }) => type === "message" && role === "user")).toEqual([]);
  });

  test("reads no other visitor's conversation", async () => {
    using ann = await open();
    await ann.say("my secret is 7", "t-1");
    await ann.answer("You said: my secret is 7");
    using ben = await open();
    await ben.say("hi", "t-1");
    await ben.answer("You said: hi");
    expect(JSON.stringify(ben.frames)).not.toContain("secret");
    using again = await open({ visitor: ben.visitor });
    expect(again.history().map(({ text }) => text)).toEqual(["hi", "You said: hi"]);
  });

  test.each(["forged", "changed", "of another channel", "expired", "an id"])(
    "with a token that is %s is not recognised",
    async (kind) => {
      using known = await open();
      await known.say("hello", "t-1");
      const tokens = createVisitorTokens(() => service.parley.host.get(Secrets), {
        now: () => service.parley.host.get(Clock).now() - 31 * 86_400_000,
      });
      const id = await eventually(
        async () => (await findVisitorId()) || Promise.reject(new Error("no conversation yet")),
      );
      const visitor = {
        forged: Buffer.from(JSON.stringify({ visitor: id, until: 9e15 })).toString("base64url"),
        changed: `${known.visitor.slice(0, -6)}AAAAAA`,
        "of another channel": createVisitorTokens(() => service.parley.host.get(Secrets), Date).issue("other", id),
        expired: tokens.issue(channelId, id),
        "an id": id,
      }[kind];
      using page = await open({ visitor: visitor ?? "" });
      expect(await page.closed()).toBe(4401);
      expect(page.frames).toMatchObject([{ type: "error", code: "unauthorized" }]);
    },
  );

  test("who became another one in a second tab is asked to reconnect, and both are still recognised", async () => {
    using one = await open();
    using two = await open();
    one.send({ type: "hello", version: 1, visitor: two.visitor });
    expect(await one.closed()).toBe(1013);
    expect(one.frames.filter(({ type }) => type === "error")).toEqual([]);
    for (const { visitor } of [one, two]) (await open({ visitor }))[Symbol.dispose]();
  });

  test("is recognised for thirty days from the last visit", async () => {
    using page = await open();
    const tokens = createVisitorTokens(() => service.parley.host.get(Secrets), {
      now: () => Date.now() + 29 * 86_400_000,
    });
    const later = createVisitorTokens(() => service.parley.host.get(Secrets), {
      now: () => Date.now() + 31 * 86_400_000,
    });
    expect(tokens.read(channelId, page.visitor)).toMatch(/^visitor_/);
    expect(later.read(channelId, page.visitor)).toBeUndefined();
  });

  test("who sends more than 15 messages a minute is asked to wait, and nothing is stored", async () => {
    using page = await open();
    for (let at = 0; at < 15; at += 1) expect(await page.say(`m${at}`, `t-${at}`)).toMatchObject({ type: "ack" });
    expect(await page.say("too much", "t-15")).toMatchObject({
      type: "error",
      code: "rate_limited",
      temp_id: "t-15",
      retry_after_s: expect.any(Number),
    });
    await service.parley.host.get(Gateway).idle();
    using again = await open({ visitor: page.visitor });
    expect(again.history().filter(({ role }) => role === "user")).toHaveLength(15);
  });

  test("may have ten pages open, and not one more", async () => {
    using first = await open();
    const { visitor } = first;
    const others = await Promise.all(Array.from({ length: 9 }, () => open({ visitor })));
    using eleventh = await open({ visitor });
    expect(await eleventh.closed()).toBe(4429);
    for (const page of others) page[Symbol.dispose]();
  });

  test("who is on the channel's list of people not to answer is turned away", async () => {
    using page = await open();
    await page.say("hello", "t-1");
    await page.answer("You said: hello");
    const id = await findVisitorId();
    await configure({ deny: [id] });
    expect(await page.closed()).toBe(1001);
    using again = await open({ visitor: page.visitor });
    expect(await again.closed()).toBe(4403);
    expect(again.frames).toMatchObject([{ type: "error", code: "permission_denied" }]);
  });

  test("whose conversation is deleted sees it emptied at once, and begins anew", async () => {
    using page = await open();
    await page.say("hello", "t-1");
    await page.answer("You said: hello");
    const before = page.frames.length;
    await service.api.send("DELETE", `/api/sessions/${sessionOf(await findVisitorId())}`);
    expect(await page.next(({ type }) => type === "welcome", before)).toMatchObject({ history: [] });
    await page.say("again", "t-2");
    await page.answer("You said: again");
    using later = await open({ visitor: page.visitor });
    expect(later.history().map(({ text }) => text)).toEqual(["again", "You said: again"]);
  });

  test("gets a note at a message that could not be answered", async () => {
    service.models.script.push(...Array.from({ length: 8 }, () => ({ kind: "status", status: 400 }) as const));
    using page = await open();
    await page.say("hello", "t-1");
    await service.parley.host.get(Gateway).idle();
    using again = await open({ visitor: page.visitor });
    expect(again.history()[0]).toMatchObject({ role: "user", text: "hello", failed: true });
  });
});

describe("a person who takes over", () => {
  test("is announced, writes to the visitor, and leaves", async () => {
    using page = await open();
    await page.say("I need a person", "t-1");
    await page.answer("You said: I need a person");
    const path = (rest: string) => `/api/sessions/${sessionOfVisitor}/${rest}`;
    const sessionOfVisitor = sessionOf(await findVisitorId());
    await service.api.post(path("take-over"), {});
    await page.next(({ type, operator }) => type === "presence" && operator === true);
    await page.say("are you there?", "t-2");
    await service.parley.host.get(Gateway).idle();
    await service.api.post(path("messages"), { role: "assistant", deliver: true, content: "I am." });
    await page.answer("I am.");

    // Nothing that operators write to each other or to the AI, or add to the history, reaches the visitor.
    await service.api.post(path("chat"), { content: "is this customer angry?" });
    await service.api.post(path("messages"), { role: "assistant", content: "added without sending" });
    using other = await open({ visitor: page.visitor });
    expect(other.frames[0]).toMatchObject({ type: "welcome", operator: true });
    expect(other.history().map(({ text }) => text)).toEqual([
      "I need a person",
      "You said: I need a person",
      "are you there?",
      "I am.",
    ]);
    expect(JSON.stringify([page.frames, other.frames])).not.toMatch(/angry|without sending|admin/);

    await service.api.post(path("give-back"), {});
    await page.next(({ type, operator }) => type === "presence" && operator === false);
    await page.say("thanks", "t-3");
    await page.answer("You said: thanks");
  });
});

describe("files", () => {
  const upload = async (visitor: string, name: string, content: string | Uint8Array<ArrayBuffer>, origin = SHOP) => {
    const body = new FormData();
    body.append("visitor", visitor);
    body.append("file", new Blob([content]), name);
    const url = `${service.parley.address}/api/widget/${channelId}/files`;
    const response = await fetch(url, { method: "POST", body, headers: { origin } });
    const { data, code } = (await response.json()) as { data?: { file: string }; code?: string };
    return {
      status: response.status,
      token: data?.file ?? "",
      code,
      allowed: response.headers.get("access-control-allow-origin"),
    };
  };

  test("arrive with a message, and are read by the visitor through a signed link", async () => {
    using page = await open();
    const { status, token, allowed } = await upload(page.visitor, "notes.txt", "the invoice is 12");
    expect([status, allowed]).toEqual([200, SHOP]);
    expect(await page.say("see here", "t-1", [token])).toMatchObject({ type: "ack" });
    await service.parley.host.get(Gateway).idle();
    const { items } = await service.api.get<{ items: readonly Message[] }>(
      `/api/sessions/${sessionOf(await findVisitorId())}/messages`,
    );
    expect(items[0]?.attachments).toMatchObject([
      { name: "notes.txt", url: expect.stringMatching(/^\/static\/files\//) },
    ]);
    using again = await open({ visitor: page.visitor });
    const [file] = again.history()[0]?.files ?? [];
    expect(file?.name).toBe("notes.txt");
    expect((await service.api.send("GET", file?.url ?? "", { token: "" })).text).toBe("the invoice is 12");
    expect((await service.api.send("GET", (file?.url ?? "").replace(/\?.*/, ""), { token: "" })).status).toBe(401);
  });

  test("of one visitor cannot be attached by another", async () => {
    using ann = await open();
    using ben = await open();
    const { token } = await upload(ann.visitor, "ann.txt", "hers");
    for (const file of [token, "/static/files/ann.txt", ""])
      expect(await ben.say("mine", "t-1", [file])).toMatchObject({ type: "error", temp_id: "t-1" });
    expect(await listSessions()).toEqual([]);
  });

  test("are refused without a visitor, from other pages, above 10 MiB, and where they are switched off", async () => {
    using page = await open();
    expect(await upload("nobody", "a.txt", "a")).toMatchObject({ status: 401, code: "unauthorized" });
    expect(await upload(page.visitor, "a.txt", "a", "https://evil.example")).toMatchObject({
      status: 403,
      allowed: null,
    });
    expect(await upload(page.visitor, "big.bin", new Uint8Array(10 * 1024 * 1024 + 1))).toMatchObject({ status: 413 });
    const { token } = await upload(page.visitor, "a.txt", "a");
    await configure({ files: false });
    expect(await upload(page.visitor, "a.txt", "a")).toMatchObject({ status: 403 });
    using again = await open({ visitor: page.visitor });
    expect(await again.say("see", "t-1", [token])).toMatchObject({ type: "error", code: "permission_denied" });
  });

  test("are refused from a visitor who is on the list of people not to answer", async () => {
    using page = await open();
    await page.say("hello", "t-1");
    await page.answer("You said: hello");
    await configure({ deny: [await findVisitorId()] });
    expect(await upload(page.visitor, "a.txt", "a")).toMatchObject({ status: 403, code: "permission_denied" });
  });

  test("of an answer reach the visitor with a link", async () => {
    using page = await open();
    await page.say("hello", "t-1");
    await page.answer("You said: hello");
    const uploaded = await service.api.send("POST", "/api/upload", {
      body: [
        "--p",
        'Content-Disposition: form-data; name="file"; filename="plan.txt"',
        "",
        "the plan",
        "--p--",
        "",
      ].join("\r\n"),
      headers: { "content-type": "multipart/form-data; boundary=p" },
    });
    const { url } = (uploaded.json?.data ?? {}) as { url?: string };
    await service.api.post(`/api/sessions/${sessionOf(await findVisitorId())}/messages`, {
      role: "assistant",
      deliver: true,
      content: "Here is the plan.",
      attachments: [{ type: "file", url, name: "plan.txt" }],
    });
    const frame = await page.next(({ type, files }) => type === "message" && Array.isArray(files) && files.length > 0);
    const [file] = frame.files as WidgetMessage["files"];
    expect((await service.api.send("GET", file?.url ?? "", { token: "" })).text).toBe("the plan");
  });
});

test("the channel's conversations, and its type with a form, are in the console", async () => {
  const { items } = await service.api.get<{
    items: readonly { id: string; type: string; title: object; installed: boolean }[];
  }>("/api/channels/presets");
  expect(items.find(({ id }) => id === "widget")).toMatchObject({
    type: "widget",
    installed: true,
    title: { zh: "网站聊天" },
  });
  const invalid = await service.api.send("PUT", `/api/channels/${channelId}`, {
    body: { config: { allowed_origins: ["shop.example/x"] } },
  });
  expect(invalid).toMatchObject({ status: 400 });
});
