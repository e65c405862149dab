import type { Message, Session } from "@parley/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Publication {
  readonly public_id: string;
  readonly public_url: string;
  readonly view_count: number;
  readonly password_required: boolean;
  readonly expires_at: string;
}
interface Shared {
  readonly name: string;
  readonly sender_name: string;
  readonly messages: readonly {
    readonly id: string;
    readonly role: string;
    readonly content: string;
    readonly sender: string;
    readonly attachments: readonly { readonly name: string; readonly url: string }[];
  }[];
}

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let parley: Parley;
let api: Client;
let session: string;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());
beforeEach(async () => {
  session = (await api.post<Session>("/api/sessions", { name: "About tea" })).id;
  await say("How long does **green** tea take?");
});

const say = (content: string, attachments: readonly object[] = []) =>
  api.post<{ replies: readonly Message[] }>(`/api/sessions/${session}/chat`, { content, attachments });
const publish = (options: object = {}) => api.post<Publication>(`/api/sessions/${session}/public`, options);
const unpublish = () => api.send("DELETE", `/api/sessions/${session}/public`);
const status = () => api.get<Publication & { readonly is_public: boolean }>(`/api/sessions/${session}/public/status`);
const open = (path: string, init: RequestInit = {}) =>
  fetch(`${parley.address}${path}`, { redirect: "manual", ...init });
const read = async (id: string, password?: string) => {
  const headers = password === undefined ? {} : { "x-share-password": encodeURIComponent(password) };
  const response = await open(`/api/public/${id}`, { headers });
  const body = (await response.json()) as { readonly data?: Shared; readonly code?: string; readonly error?: string };
  return { status: response.status, ...body };
};
const page = async (id: string, init: RequestInit = {}, query = "") => {
  const response = await open(`/public/${id}${query}`, init);
  return { status: response.status, headers: response.headers, html: await response.text() };
};
const contents = (shared: Shared | undefined) => shared?.messages.map(({ content }) => content);

describe("a published session", () => {
  test("is public as it was when it was published, and reveals nothing more of the service", async () => {
    const { public_id, public_url } = await publish();
    expect(public_url).toBe(`${parley.address}/public/${public_id}`);
    expect(public_id).toMatch(/^pub_[\w-]{22}$/);
    await say("And black tea?");
    const { data } = await read(public_id);
    expect(data?.name).toBe("About tea");
    expect(data?.messages.map(({ id, role }) => `${id} ${role}`)).toEqual(["1 user", "2 assistant"]);
    expect(JSON.stringify(data)).not.toMatch(new RegExp(`${session}|msg_|usage|trace|thinking`));
    expect((await publish()).public_id).toBe(public_id);
    expect((await read(public_id)).data?.messages).toHaveLength(4);
  });

  test("is a light page that needs no script and excludes search engines", async () => {
    const { public_id } = await publish();
    const { status, headers, html } = await page(public_id);
    expect(status).toBe(200);
    expect(html).toContain("<strong>green</strong>");
    expect(html).not.toMatch(/<script/i);
    expect(html.length).toBeLessThan(30_000);
    expect(headers.get("x-robots-tag")).toBe("noindex, nofollow");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect((await page(public_id, { headers: { "accept-language": "zh-CN,en" } })).html).toContain("发布于");
  });

  test("runs no content, and embeds nothing of other sites", async () => {
    await say(
      '<script>alert(1)</script> ![x](https://spy.example/p.png) [go](javascript:alert(2)) "><img src=x onerror=alert(3)>',
    );
    const { html } = await page((await publish()).public_id);
    expect(html).not.toMatch(/<script|<img|href="javascript|onerror=alert\(3\)>"/i);
    expect(html).toContain("&lt;script&gt;");
    expect(html).toContain('<a href="https://spy.example/p.png" rel="noopener nofollow">');
  });

  test("can be previewed with the same options, and is not public then", async () => {
    await say("And black tea?");
    const preview = (options: object) =>
      api.post<Shared & { message_count: number }>(`/api/sessions/${session}/public/preview`, options);
    const part = await preview({ message_end: 2, include_names: false });
    expect(part.message_count).toBe(2);
    expect(part.messages.map(({ role, sender }) => [role, sender === ""])).toEqual([
      ["user", true],
      ["assistant", part.messages[1]?.sender === ""],
    ]);
    expect((await preview({ include_user_messages: false })).messages.map(({ role }) => role)).toEqual([
      "assistant",
      "assistant",
    ]);
    expect(await status()).toEqual({ is_public: false });
    const nothing = { body: { message_start: 50 } };
    expect((await api.send("POST", `/api/sessions/${session}/public/preview`, nothing)).status).toBe(400);
  });

  test("is gone at once when it is withdrawn, and has another address the next time", async () => {
    const { public_id } = await publish();
    expect((await status()).is_public).toBe(true);
    expect((await api.get<Session>(`/api/sessions/${session}`)).is_public).toBe(true);
    expect((await unpublish()).status).toBe(200);
    expect((await unpublish()).status).toBe(200);
    expect([(await read(public_id)).status, (await page(public_id)).status]).toEqual([404, 404]);
    expect(await status()).toEqual({ is_public: false });
    expect((await api.get<Session>(`/api/sessions/${session}`)).is_public).toBe(false);
    expect((await publish()).public_id).not.toBe(public_id);
  });

  test("is deleted with its session, and expires", async () => {
    const { public_id } = await publish({ expires_days: 1 });
    const now = Date.now();
    using clock = vi.spyOn(Date, "now").mockReturnValue(now + 86_400_001);
    expect((await read(public_id)).status).toBe(404);
    expect(await status()).toEqual({ is_public: false });
    clock.mockRestore();
    expect((await read(public_id)).status).toBe(200);
    await api.send("DELETE", `/api/sessions/${session}`);
    expect((await read(public_id)).status).toBe(404);
  });

  test("counts its readers", async () => {
    const { public_id } = await publish();
    await read(public_id);
    await page(public_id);
    expect((await status()).view_count).toBe(2);
  });
});

describe("the published content", () => {
  test("is the chosen one: a part, the assistant alone, no names, no character", async () => {
    await say("And black tea?");
    const whole = (await read((await publish()).public_id)).data;
    const part = await publish({ message_start: 2, message_end: 3 });
    expect(contents((await read(part.public_id)).data)).toEqual(contents(whole)?.slice(1, 3));
    await publish({ include_user_messages: false });
    expect((await read(part.public_id)).data?.messages.map(({ role }) => role)).toEqual(["assistant", "assistant"]);
    expect(whole?.messages[0]?.sender).not.toBe("");
    await publish({ include_names: false, include_character: false });
    expect((await read(part.public_id)).data?.messages.map(({ sender }) => sender)).toEqual(["", "", "", ""]);
  });

  test("must not be empty", async () => {
    expect(
      await api.send("POST", `/api/sessions/${session}/public`, { body: { message_start: 3, message_end: 2 } }),
    ).toMatchObject({
      status: 400,
    });
    expect(await api.send("POST", `/api/sessions/${session}/public`, { body: { message_start: 50 } })).toMatchObject({
      status: 400,
    });
    expect(await status()).toEqual({ is_public: false });
  });

  test("includes pictures by links that end with the publication, unless files are excluded", async () => {
    const form = new FormData();
    form.append("file", new File([PNG], "leaf.png"));
    const uploaded = await fetch(`${parley.address}/api/upload`, {
      method: "POST",
      body: form,
      headers: { authorization: `Bearer ${api.token}` },
    });
    const { data: file } = (await uploaded.json()) as { readonly data: { readonly url: string } };
    await say("look", [{ type: "image", url: file.url, name: "leaf.png" }]);
    const { public_id } = await publish();
    const [shown] = (await read(public_id)).data?.messages.flatMap(({ attachments }) => attachments) ?? [];
    expect(shown?.url).toContain(`/public/${public_id}/files/`);
    expect((await open(shown?.url ?? "")).status).toBe(200);
    expect((await open(`/public/${public_id}/files/other.png`)).status).toBe(404);
    expect((await open(file.url)).status).toBe(401);
    expect((await page(public_id)).html).toContain('alt="leaf.png"');
    await publish({ include_files: false });
    expect((await read(public_id)).data?.messages.flatMap(({ attachments }) => attachments)).toEqual([]);
    expect((await open(shown?.url ?? "")).status).toBe(404);
    await publish({ password: "sesame" });
    expect((await open(shown?.url ?? "")).status).toBe(401);
    const [locked] = (await read(public_id, "sesame")).data?.messages.flatMap((one) => one.attachments) ?? [];
    expect((await open(locked?.url ?? "")).status).toBe(200);
    await unpublish();
    expect((await open(locked?.url ?? "")).status).toBe(404);
  });

  test("is split into several pages when it is long", async () => {
    await say("tea ".repeat(7_000));
    await say("tea ".repeat(7_000));
    const { public_id } = await publish();
    const first = await page(public_id);
    expect(first.html).toContain('href="?page=2"');
    expect((await page(public_id, {}, "?page=2")).html).toContain('rel="prev"');
  });
});

describe("a password", () => {
  test("protects the publication, and is never shown", async () => {
    const made = await publish({ password: "grüner Tee" });
    expect(made.password_required).toBe(true);
    expect(JSON.stringify(made)).not.toMatch(/scrypt|Tee/);
    const without = await read(made.public_id);
    expect(without).toMatchObject({ status: 401, code: "unauthorized" });
    expect(await read(made.public_id, "wrong one")).toEqual(without);
    expect((await read(made.public_id, "grüner Tee")).status).toBe(200);
    expect((await page(made.public_id)).html).not.toContain("About tea");
  });

  test("is entered in a form, once", async () => {
    const { public_id } = await publish({ password: "sesame" });
    const post = (password: string) =>
      page(public_id, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ password }).toString(),
      });
    expect(await post("wrong")).toMatchObject({ status: 401 });
    const opened = await post("sesame");
    expect(opened.html).toContain("About tea");
    const cookie = opened.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect((await page(public_id, { headers: { cookie } })).html).toContain("About tea");
    await publish({ password: "another" });
    expect((await page(public_id, { headers: { cookie } })).html).not.toContain("About tea");
  });

  test("remains when a change omits it, and is removed by null", async () => {
    const { public_id } = await publish({ password: "sesame" });
    expect((await publish()).password_required).toBe(true);
    expect((await publish({ password: null })).password_required).toBe(false);
    expect((await read(public_id)).status).toBe(200);
  });

  test("cannot be guessed: after five wrong ones that address is locked out", async () => {
    const { public_id } = await publish({ password: "sesame" });
    const tries = await Promise.all(Array.from({ length: 8 }, (_, n) => read(public_id, `guess ${n}`)));
    expect(tries.map((one) => one.status).toSorted()).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    expect((await read(public_id, "sesame")).status).toBe(429);
  });
});

describe("unpublished content", () => {
  test.each(["pub_", "pub_AAAAAAAAAAAAAAAAAAAAAA", "..%2f..%2fetc", "ses_1"])("is not found: %s", async (id) => {
    expect([(await read(id)).status, (await page(id)).status]).toEqual([404, 404]);
  });
});

describe("a QR code", () => {
  const code = (body: object, headers: Readonly<Record<string, string>> = {}) =>
    open("/qrcode/generate", {
      method: "POST",
      headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  const getWidth = async (response: Response) => Buffer.from(await response.arrayBuffer()).readUInt32BE(16);

  test("is a PNG of the requested size, or an SVG, or both as JSON", async () => {
    const png = await code({ text: "hello" });
    expect(png.headers.get("content-type")).toBe("image/png");
    expect(await getWidth(png)).toBe(256);
    expect(await getWidth(await code({ data: "hello", size: 100, margin: 0, level: "H" }))).toBe(100);
    expect(await (await code({ text: "hello", format: "svg" })).text()).toContain("<svg");
    const json = await code({ text: "hello" }, { accept: "application/json" });
    expect(await json.json()).toMatchObject({
      success: true,
      data: { mime_type: "image/png", size: 256, data_url: expect.stringMatching(/^data:image\/png;base64,/) },
    });
  });

  test("contains no more than its error correction level allows", async () => {
    expect((await code({ text: "x".repeat(2_000), level: "L", size: 1_024 })).status).toBe(200);
    expect((await code({ text: "x".repeat(2_000), level: "H", size: 1_024 })).status).toBe(400);
    expect((await code({ text: "茶".repeat(700) })).status).toBe(400);
    expect((await code({ text: "x".repeat(1_000), size: 64 })).status).toBe(400);
    expect((await code({})).status).toBe(400);
  });

  test("of a session links to its publication, otherwise to the console", async () => {
    const ask = () => open(`/qrcode/session/${session}`, { headers: { authorization: `Bearer ${api.token}` } });
    expect((await ask()).headers.get("x-share-kind")).toBe("console");
    await publish();
    expect((await ask()).headers.get("x-share-kind")).toBe("public");
    expect(
      (await open("/qrcode/session/ses_unknown", { headers: { authorization: `Bearer ${api.token}` } })).status,
    ).toBe(404);
  });
});

test("publications survive a restart", async () => {
  const { public_id } = await publish();
  await read(public_id);
  await api.post("/api/system/reload-core", {});
  expect((await read(public_id)).status).toBe(200);
  expect((await status()).view_count).toBe(2);
});
