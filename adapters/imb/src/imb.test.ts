import { readdirSync, readFileSync } from "node:fs";
import { DeliveryError, type DeliveryFailure, deliveryDetail, localizeMessage } from "@parley/core";
import { describe, expect, test } from "vitest";
import { createBotApi, isAlreadyDone } from "./bot-api.ts";
import { decodeUpdate } from "./inbound/decode.ts";
import type { Update } from "./inbound/update.ts";

interface Sample {
  readonly update: Update;
  readonly becomes: object | null;
}

const folder = new URL("../samples/", import.meta.url);
const samples = readdirSync(folder).map((file) => ({
  name: file.replace(".json", ""),
  ...(JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Sample),
}));
const me = { id: 900, username: "parley_bot" };

describe("an update", () => {
  test.each(samples)("$name", ({ update, becomes }) => {
    const message = decodeUpdate("imB", update, me);
    if (becomes === null) expect(message).toBeUndefined();
    else expect(message).toMatchObject(becomes);
  });

  test("is ignored in a group until the bot's own account is known, and accepted in private", () => {
    const { update } = samples.find(({ name }) => name === "group-mention") as Sample;
    expect(decodeUpdate("imB", update, undefined)).toMatchObject({ addressed: false });
  });
});

describe("an answer of the platform", () => {
  const api = (status: number, body: object | string, fail?: Error) =>
    createBotApi({
      base: "https://api.example",
      token: () => "42:secret",
      tokenVariable: "IMB_BOT_TOKEN",
      fetch: async () => {
        if (fail) throw fail;
        return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
      },
    });
  const failureOf = async (answer: ReturnType<typeof api>, lost?: DeliveryFailure): Promise<DeliveryError> => {
    const options = lost && { unclearFailure: lost };
    const error = await answer
      .call("sendMessage", {}, new AbortController().signal, options)
      .catch((one: unknown) => one);
    if (!DeliveryError.is(error)) throw new Error("it did not fail as a delivery");
    return error;
  };

  test.each([
    [429, "Too Many Requests: retry after 7", { retry_after: 7 }, "throttled", "平台要求等待"],
    [401, "Unauthorized", {}, "auth", "凭据被拒绝：“sendMessage: Unauthorized”"],
    [404, "Not Found", {}, "auth", "凭据被拒绝"],
    [400, "Bad Request: chat not found", {}, "permanent", "找不到目标会话"],
    [400, "Bad Request: not enough rights to send text messages to the chat", {}, "permanent", "平台拒绝"],
    [403, "Forbidden: bot was blocked by the user", {}, "permanent", "被屏蔽"],
    [400, "Bad Request: can't parse entities: Unsupported start tag", {}, "payload", "不接受此类内容"],
    [400, "Bad Request: message is too long", {}, "payload", "超过平台允许的长度"],
    [413, "Request Entity Too Large", {}, "payload", "超过平台允许的长度"],
    [500, "Internal Server Error", {}, "ambiguous", "平台自身出错"],
    [502, "Bad Gateway", {}, "ambiguous", "平台自身出错"],
  ] as const)("%i %s %j is %s", async (error_code, description, parameters, failure, chinese) => {
    const error = await failureOf(api(error_code, { ok: false, error_code, description, parameters }), "ambiguous");
    expect(error).toMatchObject({ failure, platformCode: String(error_code) });
    expect(error.message).toContain(description);
    expect(localizeMessage(error.message, deliveryDetail(error)).zh).toContain(chinese);
    if (error_code === 429) expect(error.retryAfterMs).toBe(7_000);
  });

  test("that has no body of its own is classified by its status", async () => {
    expect(await failureOf(api(502, "<html>"), "ambiguous")).toMatchObject({ failure: "ambiguous" });
    expect(await failureOf(api(200, "<html>"), "ambiguous")).toMatchObject({ failure: "ambiguous" });
  });

  test("that never arrives means not sent if nothing was written, else unknown; no message contains the token", async () => {
    const rejected = Object.assign(new Error("https://api.example/bot42:secret/sendMessage"), { code: "ECONNREFUSED" });
    const reset = Object.assign(new Error("https://api.example/bot42:secret/sendMessage"), { code: "ECONNRESET" });
    for (const [cause, failure] of [
      [rejected, "not_sent"],
      [reset, "ambiguous"],
    ] as const) {
      const error = await failureOf(api(0, "", new TypeError("fetch failed", { cause })), "ambiguous");
      expect(error.failure).toBe(failure);
      expect(error.message).not.toContain("secret");
    }
  });

  test("that reports the requested state as already reached counts as success", () => {
    expect(isAlreadyDone(new DeliveryError("permanent", "editMessageText: Bad Request: message is not modified"))).toBe(
      true,
    );
    expect(isAlreadyDone(new DeliveryError("permanent", "deleteMessage: Bad Request: not found"))).toBe(false);
  });
});
