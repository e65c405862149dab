import { readdirSync, readFileSync } from "node:fs";
import { DeliveryError, deliveryDetail, localizeMessage } from "@parley/core";
import { describe, expect, test } from "vitest";
import { decodeEvent } from "./decode.ts";
import { type EventBody, type EventKeys, openEvent } from "./event-security.ts";
import { createOpenApi } from "./open-api.ts";

const folder = new URL("../samples/", import.meta.url);
const samples = readdirSync(folder).map((file) => ({
  name: file.replace(".json", ""),
  ...(JSON.parse(readFileSync(new URL(file, folder), "utf8")) as { event: EventBody; becomes: object | null }),
}));

describe("an event", () => {
  const parts = {
    channelId: "imC",
    appId: "cli_9f5343c580712544",
    botId: "ou_bot",
    isOwnMessage: (id: string) => id === "om_ours",
  };

  test.each(samples)("$name", ({ event, becomes }) => {
    const message = decodeEvent(event, parts);
    if (becomes === null) expect(message).toBeUndefined();
    else expect(message).toMatchObject(becomes);
  });
});

describe("a request", () => {
  const body =
    '{"encrypt":"AAECAwQFBgcICQoLDA0OD6hPaGTDgPrL6/kVbliKhUV0hESpy/x2dFwapTOVfsYZTeMc7rrPB2GFCFqTGIZdojYaSyMOD39OthnFV1w8Fac="}';
  const signed = {
    "x-lark-request-timestamp": "1700000000",
    "x-lark-request-nonce": "n-1",
    "x-lark-signature": "68ce2564766b440914a0457d6f00ebb5b80f672e82b481215df99a2a35fbb6bc",
  };
  const NOW = 1_700_000_000_000;
  const keys = (more: Partial<EventKeys> = {}): EventKeys => ({
    encryptKey: { isNamed: true, value: "parley-encrypt-key" },
    verificationToken: { isNamed: true, value: "vt" },
    appId: "cli_9f5343c580712544",
    ...more,
  });
  const opened = (headers: Readonly<Record<string, string>>, text: string, given = keys(), now = NOW) =>
    openEvent({ headers, body: Buffer.from(text), address: "127.0.0.1" }, given, now);
  const none = { isNamed: false, value: undefined };

  test("matches the one of the published example", () => {
    expect(opened(signed, body)).toEqual({ challenge: "c1", token: "vt", type: "url_verification" });
  });

  test("of the address check may be encrypted but unsigned", () => {
    expect(opened({}, body).challenge).toBe("c1");
  });

  test.each([
    ["another signature", { ...signed, "x-lark-signature": "0".repeat(64) }, body, keys()],
    ["no hex", { ...signed, "x-lark-signature": "zz" }, body, keys()],
    ["another nonce", { ...signed, "x-lark-request-nonce": "n-2" }, body, keys()],
    ["a body written anew", signed, `${body} `, keys()],
    ["another token", signed, body, keys({ verificationToken: { isNamed: true, value: "other" } })],
    ["another key", {}, body, keys({ encryptKey: { isNamed: true, value: "other" } })],
    ["a key that is not set", signed, body, keys({ encryptKey: { isNamed: true, value: undefined } })],
    ["a token that is not set", signed, body, keys({ verificationToken: { isNamed: true, value: undefined } })],
    ["a plain body", {}, '{"type":"url_verification","token":"vt"}', keys()],
    ["a cut blob", {}, '{"encrypt":"AAEC"}', keys()],
    ["a token that is missing", {}, '{"type":"url_verification"}', keys({ encryptKey: none })],
    ["another app", {}, '{"header":{"token":"vt","app_id":"cli_other"}}', keys({ encryptKey: none })],
  ])("with %s is rejected", (_what, headers, text, given) => {
    expect(() => opened(headers, text, given)).toThrow(expect.objectContaining({ code: "unauthorized" }));
  });

  test.each([
    ["a day old", NOW + 86_401_000, false],
    ["hours old", NOW + 7 * 3_600_000, true],
    ["from the future", NOW - 301_000, false],
  ])("%s: %s", (_what, now, isTaken) => {
    if (isTaken) expect(opened(signed, body, keys(), now).challenge).toBe("c1");
    else expect(() => opened(signed, body, keys(), now)).toThrow();
  });

  test("is accepted as it is when no secret is configured", () => {
    const open = keys({ encryptKey: none, verificationToken: none });
    expect(opened({}, '{"type":"url_verification","challenge":"c2"}', open).challenge).toBe("c2");
    expect(() => opened({}, "[]", open)).toThrow(expect.objectContaining({ code: "bad_request" }));
  });
});

describe("an answer of the platform", () => {
  const failureOf = async (code: number, status: number) => {
    const api = createOpenApi({
      domain: "https://open.example",
      credentials: () => ({ appId: "a", appSecret: "app-secret" }),
      now: () => 0,
      fetch: async (url) => {
        const isToken = String(url).includes("tenant_access_token");
        return new Response(
          JSON.stringify(isToken ? { code: 0, tenant_access_token: "t", expire: 7_200 } : { code, msg: "no" }),
          {
            status: isToken ? 200 : status,
          },
        );
      },
    });
    const error = await api
      .call("POST", "/im/v1/messages", {}, new AbortController().signal)
      .catch((one: unknown) => one);
    if (!DeliveryError.is(error)) throw new Error("it did not fail as a delivery");
    return error;
  };

  test.each([
    [230_002, 400, "permanent", "不在此会话中"],
    [230_002, 200, "permanent", "不在此会话中"],
    [230_025, 400, "payload", "超过平台允许的长度"],
    [99_991_400, 400, "throttled", "请求过多"],
    [11_232, 400, "throttled", "请求过多"],
    [1, 429, "throttled", "请求过多"],
    [99_991_663, 400, "auth", "凭据被拒绝"],
    [500, 500, "unavailable", "平台自身出错"],
    [4_242, 400, "permanent", "平台拒绝：“/im/v1/messages: no (4242)”"],
  ])("%i with status %i is %s", async (code, status, failure, chinese) => {
    const error = await failureOf(code, status);
    expect([error.failure, localizeMessage(error.message, deliveryDetail(error)).zh]).toEqual([
      failure,
      expect.stringContaining(chinese),
    ]);
  });
});
