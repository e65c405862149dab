import { silentLogger } from "@parley/core";
import { describe, expect, test } from "vitest";
import { decodeBody, parseBody } from "./decode.ts";
import { createRequestGuard } from "./request-guard.ts";
import { genericSettings } from "./settings.ts";
import { signBody } from "./signature.ts";

const NOW = 1_700_000_000_000;
const settings = (given: object = {}) => {
  const { value, error } = genericSettings.validate(given);
  if (error) throw error;
  return value;
};
const request = (headers: Readonly<Record<string, string>>, body: string, address = "127.0.0.1") => ({
  headers,
  body: Buffer.from(body),
  address,
});

describe("a signature", () => {
  const body = '{"event_id":"e1","conversation_id":"c1","user_id":"u1","content":"hi"}';

  test("matches the one of the published example", () => {
    const signed = signBody(
      "parley-secret",
      { timestamp: "1700000000", nonce: "n-0123456789abcdef" },
      Buffer.from(body),
    );
    expect(signed).toBe("53257cd3e75a6767ed021ebb6e9175b0b9430a701abf1f0e6a6dbf660f1f3932");
  });
});

describe("the inbound signature check", () => {
  const secrets: Readonly<Record<string, string>> = { KEY: "parley-secret" };
  const gateOf = (given: object, now = NOW) => {
    const io = { secret: (name: string) => secrets[name], log: silentLogger } as never;
    return createRequestGuard(settings(given), io, () => now);
  };
  const hmac = { auth: { type: "hmac", secret_env: "KEY" } };
  const signed = (body: string, nonce = "n-1", timestamp = "1700000000", key = "parley-secret") => ({
    "x-svc-timestamp": timestamp,
    "x-svc-nonce": nonce,
    "x-svc-signature": signBody(key, { timestamp, nonce }, Buffer.from(body)),
  });

  test.each([
    ["none", {}, {}, true],
    ["the right token", { auth: { type: "static", secret_env: "KEY" } }, { "x-svc-token": "parley-secret" }, true],
    ["a wrong token", { auth: { type: "static", secret_env: "KEY" } }, { "x-svc-token": "parley-secre" }, false],
    ["no token", { auth: { type: "static", secret_env: "KEY" } }, {}, false],
    ["a variable that is not set", { auth: { type: "static", secret_env: "UNSET" } }, { "x-svc-token": "" }, false],
    ["no variable", { auth: { type: "static" } }, { "x-svc-token": "" }, false],
    ["a right signature", hmac, signed("{}"), true],
    ["a signature of another body", hmac, signed("{ }"), false],
    ["a signature of another key", hmac, signed("{}", "n-1", "1700000000", "other"), false],
    ["an old signature", hmac, signed("{}", "n-1", "1699999699"), false],
    ["a signature from the future", hmac, signed("{}", "n-1", "1700000301"), false],
    [
      "a signature in capitals",
      hmac,
      { ...signed("{}"), "x-svc-signature": signed("{}")["x-svc-signature"].toUpperCase() },
      false,
    ],
    ["a listed address", { auth: { type: "ip" }, allowed_ips: ["127.0.0.0/8"] }, {}, true],
    ["an address that is not listed", { auth: { type: "ip" }, allowed_ips: ["10.0.0.1"] }, {}, false],
    ["nothing listed", { auth: { type: "ip" } }, {}, false],
    [
      "a right token from elsewhere",
      { auth: { type: "static", secret_env: "KEY" }, allowed_ips: ["10.0.0.1"] },
      { "x-svc-token": "parley-secret" },
      false,
    ],
  ])("answers a request %s", (_what, given, headers, isIn) => {
    const check = () => gateOf(given).check(request(headers, "{}"));
    if (isIn) expect(check).not.toThrow();
    else
      expect(check).toThrow(expect.objectContaining({ code: expect.stringMatching(/unauthorized|permission_denied/) }));
  });

  test("shows which values a request was signed with", () => {
    expect(gateOf(hmac).check(request(signed("{}"), "{}"))).toMatchObject({ nonce: "n-1" });
    expect(gateOf({}).check(request({}, "{}"))).toBeUndefined();
  });
});

describe("a request body", () => {
  const decode = (body: object, mapping: object = {}) => decodeBody("shop", body as never, settings({ mapping }));

  test.each([
    [
      { message_id: "e-1", conversation_id: "room", user_id: "u", content: "hi" },
      { sessionId: "shop:room", dedupeKey: "e-1", text: "hi", sender: { id: "u" } },
    ],
    [
      { event_id: 7, user_id: 12, text: "hi" },
      { sessionId: "shop:12", dedupeKey: "7", conversation: { id: "12", isGroup: false }, addressed: true },
    ],
    [{ user_id: "u", message: "hi" }, { text: "hi" }],
    [
      { user_id: "u", content: "hi", is_group: true },
      { addressed: false, conversation: { isGroup: true } },
    ],
    [{ user_id: "u", content: "hi", is_group: "true", mentioned: "1" }, { addressed: true }],
    [
      { user_id: "u", attachments: [{ type: "image", url: "https://f.example/p.png" }] },
      { text: "", attachments: [{ type: "image" }] },
    ],
    [{ user_id: "u", content: "hi", timestamp: 1_700_000_000 }, { platformTime: "2023-11-14T22:13:20.000Z" }],
    [{ user_id: "u", content: "hi", timestamp: 1_700_000_000_000 }, { platformTime: "2023-11-14T22:13:20.000Z" }],
    [{ user_id: "u", content: "hi", timestamp: "2023-11-14T22:13:20Z" }, { platformTime: "2023-11-14T22:13:20.000Z" }],
    [
      { user_id: "u", content: "hi", reply_to: "e-0", sender: "x".repeat(100) },
      { replyTo: "e-0", sender: { name: "x".repeat(64) } },
    ],
  ])("is read as a message: %j", (body, message) => {
    expect(decode(body)).toMatchObject({ message });
  });

  test.each([
    [{ content: "hi" }, "conversation_id"],
    [{ user_id: "u" }, "content"],
    [{ user_id: "u", content: 7 }, "content"],
    [{ user_id: "u", content: "x".repeat(32_001) }, "content"],
    [{ user_id: "a/b", content: "hi" }, "user"],
    [{ user_id: { $ne: 1 }, content: "hi" }, "user"],
    [{ user_id: "u", content: "hi", message_id: "x".repeat(129) }, "message"],
    [{ user_id: "u", attachments: [{ type: "image", url: "http://f.example" }] }, "attachments"],
    [{ user_id: "u", attachments: [{ type: "exe", url: "https://f.example" }] }, "attachments"],
  ])("is rejected when it is not a usable message: %j (%s)", (body, field) => {
    expect(decode(body)).toEqual({ problem: expect.stringContaining(field) });
  });

  test("with another structure is read by the configured paths, own properties only", () => {
    const body = { event: { text: "hi", from: [{ id: 5 }] } };
    expect(decode(body, { content: "event.text", user_id: "event.from[0].id" })).toMatchObject({
      message: { text: "hi", sessionId: "shop:5" },
    });
    for (const path of ["__proto__.x", "constructor.name", "event.text.length"]) {
      expect(decode(body, { content: "event.text", user_id: path })).toHaveProperty("problem");
    }
    expect(() => settings({ mapping: { content: "a..b" } })).toThrow();
  });

  test.each(["{", "[]", '"x"', "7", "null"])("%s is rejected", (body) => {
    expect(() => parseBody(request({}, body))).toThrow(expect.objectContaining({ code: "bad_request" }));
  });

  test("may be a form with each field once, but not compressed", () => {
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect(parseBody(request(form, "user_id=u&content=hi+you"))).toEqual({ user_id: "u", content: "hi you" });
    expect(() => parseBody(request(form, "user_id=u&user_id=v"))).toThrow();
    expect(() => parseBody(request({ "content-encoding": "gzip" }, "{}"))).toThrow();
  });
});
