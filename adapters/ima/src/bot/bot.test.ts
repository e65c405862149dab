import { sign } from "node:crypto";
import { DeliveryError } from "@parley/core";
import { createTestClock } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { createBotApi } from "./bot-api.ts";
import { type BotFrame, decodeBotEvent } from "./decode.ts";
import { createReplyWindows } from "./reply-windows.ts";
import { checkSignature, deriveKeys, signAddressCheck } from "./signature.ts";

const SECRET = "DG5g3B4j9X2KOErG";
const NOW = 1_725_442_341_000;

describe("a signature", () => {
  const body = '{"op":0,"t":"C2C_MESSAGE_CREATE","d":{}}';
  const headersFor = (text: string, timestamp = "1725442341", secret = SECRET) => ({
    "x-signature-timestamp": timestamp,
    "x-signature-ed25519": sign(null, Buffer.from(`${timestamp}${text}`), deriveKeys(secret).privateKey).toString(
      "hex",
    ),
    "x-bot-appid": "app",
  });
  const check = (headers: Readonly<Record<string, string>>, text = body) =>
    checkSignature({ headers, body: Buffer.from(text), address: "" }, SECRET, "app", NOW);

  test("answers the platform's check as its example says", () => {
    expect(
      signAddressCheck({ plain_token: "Arq0D5A61EgUu4OxUvOp", event_ts: "1725442341" }, SECRET, NOW).signature,
    ).toBe(
      "87befc99c42c651b3aac0278e71ada338433ae26fcb24307bdc5ad38c1adc2d01bcfcadc0842edac85e85205028a1132afe09280305f13aa6909ffc2d652c706",
    );
  });

  test.each([
    [{ plain_token: '{"op":0}', event_ts: "1725442341" }],
    [{ plain_token: "x", event_ts: "1725442341999" }],
    [{ plain_token: "x", event_ts: "1725441000" }],
    [{ plain_token: "x".repeat(129), event_ts: "1725442341" }],
    [{}],
  ])("is not created for text that does not look like a check: %j", (given) => {
    expect(() => signAddressCheck(given, SECRET, NOW)).toThrow(expect.objectContaining({ code: "unauthorized" }));
  });

  test("made by the platform is accepted", () => {
    expect(() => check(headersFor(body))).not.toThrow();
  });

  test.each([
    ["of another body", headersFor(`${body} `)],
    ["of another secret", headersFor(body, "1725442341", "another-secret")],
    ["that is old", headersFor(body, "1725442000")],
    ["for another app", { ...headersFor(body), "x-bot-appid": "other" }],
    ["that is none", { ...headersFor(body), "x-signature-ed25519": "" }],
    [
      "with its top bits set",
      { ...headersFor(body), "x-signature-ed25519": `${headersFor(body)["x-signature-ed25519"].slice(0, 126)}ff` },
    ],
  ])("is rejected: %s", (_what, headers) => {
    expect(() => check(headers)).toThrow(expect.objectContaining({ code: "unauthorized" }));
  });
});

describe("an event", () => {
  const group = {
    id: "R1",
    author: { member_openid: "E4F4" },
    content: " 今天天气",
    group_openid: "C9F7",
    timestamp: "2026-01-06T13:37:18+08:00",
  };
  const direct = { id: "R2", author: { user_openid: "U1" }, content: "hi" };

  test.each([
    [
      "GROUP_AT_MESSAGE_CREATE",
      group,
      {
        sessionId: "imAbot:group:C9F7",
        text: "今天天气",
        addressed: true,
        conversation: { id: "group:C9F7", isGroup: true },
        sender: { id: "E4F4" },
        dedupeKey: "app:R1",
        platformTime: "2026-01-06T05:37:18.000Z",
      },
    ],
    ["C2C_MESSAGE_CREATE", direct, { sessionId: "imAbot:private:U1", text: "hi", conversation: { isGroup: false } }],
    [
      "C2C_MESSAGE_CREATE",
      { ...direct, content: "", attachments: [{ content_type: "image/png", filename: "p.png", url: "img.example/p" }] },
      { text: "", attachments: [{ type: "image", url: "https://img.example/p" }] },
    ],
    [
      "C2C_MESSAGE_CREATE",
      { ...direct, attachments: [{ content_type: "voice", url: "v" }] },
      { text: "hi", attachments: [{ type: "audio", url: "https://v" }] },
    ],
    [
      "AT_MESSAGE_CREATE",
      { id: "R3", channel_id: "7", author: { id: "1", username: "Lin" }, content: "<@!123> hello" },
      { sessionId: "imAbot:guild:7", text: "hello", sender: { name: "Lin" } },
    ],
    [
      "DIRECT_MESSAGE_CREATE",
      { id: "R4", guild_id: "9", author: { id: "1" }, content: "psst" },
      { sessionId: "imAbot:dm:9" },
    ],
  ])("becomes a message: %s %#", (t, d, message) => {
    expect(decodeBotEvent("imAbot", "app", { op: 0, t, d } as BotFrame)).toMatchObject(message);
  });

  test.each([
    ["GROUP_ADD_ROBOT", group],
    ["AT_MESSAGE_CREATE", { id: "R", channel_id: "7", author: { id: "1", bot: true }, content: "beep" }],
    ["C2C_MESSAGE_CREATE", { id: "R", author: {}, content: "nobody" }],
    ["C2C_MESSAGE_CREATE", { ...direct, content: "  " }],
  ])("is ignored: %s %#", (t, d) => {
    expect(decodeBotEvent("imAbot", "app", { op: 0, t, d } as BotFrame)).toBeUndefined();
  });
});

const reply = (number: number, part = 1) => ({ deliveryId: `dlv_${number}`, part });

describe("a reply window", () => {
  test("numbers repeats of a delivery alike, allows five replies, and closes in time", () => {
    const clock = createTestClock();
    const windows = createReplyWindows(clock);
    windows.open("m", true);
    expect([1, 2, 2, 3, 4, 5].map((one) => windows.getReplyNumber("m", reply(one)))).toEqual([1, 2, 2, 3, 4, 5]);
    expect(() => windows.getReplyNumber("m", reply(6))).toThrow(expect.objectContaining({ failure: "window_closed" }));
    windows.open("late", true);
    clock.advance(5 * 60_000 + 1);
    expect(() => windows.getReplyNumber("late", reply(1))).toThrow(
      expect.objectContaining({ failure: "window_closed" }),
    );
  });
});

test("replies to a message from before a restart have different numbers", () => {
  const windows = createReplyWindows(createTestClock());
  expect([1, 2, 2].map((one) => windows.getReplyNumber("earlier", reply(one)))).toEqual([1, 2, 2]);
});

test("the parts that a restart left over have the numbers that they would have had", () => {
  const windows = createReplyWindows(createTestClock());
  expect([3, 4, 4].map((part) => windows.getReplyNumber("earlier", reply(part, part)))).toEqual([3, 4, 4]);
  expect(windows.getReplyNumber("earlier", reply(9))).toBe(5);
});

describe("an answer of the platform", () => {
  const api = (status: number, code: number) =>
    createBotApi({
      tokenUrl: "https://t.example/token",
      api: "https://a.example",
      credentials: () => ({ appId: "app", secret: "s" }),
      now: () => 0,
      fetch: async (url) =>
        String(url).includes("token")
          ? new Response('{"access_token":"t","expires_in":"7200"}')
          : new Response(JSON.stringify({ code, message: "no" }), { status }),
    });

  test.each([
    [401, 0, "auth"],
    [400, 11_243, "auth"],
    [429, 0, "throttled"],
    [400, 22_009, "throttled"],
    [400, 304_026, "window_closed"],
    [400, 304_003, "payload"],
    [500, 0, "unavailable"],
    [400, 304_082, "unavailable"],
    [403, 1, "permanent"],
  ] as const)("%i with code %i is %s", async (status, code, failure) => {
    const error = await api(status, code)
      .call("POST", "/x", {}, new AbortController().signal)
      .catch((one: unknown) => one);
    expect(DeliveryError.is(error) && error.failure).toBe(failure);
  });

  test.each([40_054_005, 304_023])("code %i counts as delivered", async (code) => {
    expect(await api(400, code).call("POST", "/x", {}, new AbortController().signal)).toEqual({});
  });
});
