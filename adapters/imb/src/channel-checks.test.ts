import type { ChannelCheck } from "@parley/core";
import { describe, expect, test } from "vitest";
import { type CheckedBot, listChecks } from "./channel-checks.ts";
import { imbSettings } from "./settings.ts";

const ADDRESS = "https://bot.example.com/api/channels/imB/imB/webhook";
const settings = { ...imbSettings.validate({}).value, webhook_url: ADDRESS };
const working: CheckedBot = {
  channelId: "imB",
  transport: "webhook",
  settings,
  answersAll: true,
  bot: { first_name: "Parley", can_read_all_group_messages: true },
  info: { url: ADDRESS, pending_update_count: 0 },
};
const check = (change: Partial<CheckedBot>, subject: string): ChannelCheck | undefined =>
  listChecks({ ...working, ...change }).find((one) => one.check === subject);
const stuck = (last_error_message: string) => ({ info: { url: ADDRESS, pending_update_count: 3, last_error_message } });

describe("the check of an imB channel", () => {
  test("says that a bot without problems receives all messages", () => {
    expect(listChecks(working)).toMatchObject([
      { check: "webhook", state: "ok", message: { en: "the platform sends to this service" } },
      { check: "permissions", state: "ok", message: { zh: "机器人能读取群里的所有消息" } },
    ]);
    expect(listChecks(working).map(({ fix }) => fix)).toEqual([undefined, undefined]);
  });

  test.each<[what: string, change: Partial<CheckedBot>, en: RegExp, zh: RegExp, fix: RegExp]>([
    ["no webhook", { info: { url: "", pending_update_count: 0 } }, /no webhook/, /没有登记 Webhook/, /save/],
    [
      "a webhook at another address",
      { info: { url: "https://other.example/x", pending_update_count: 0 } },
      /other\.example/,
      /other\.example/,
      /save/,
    ],
    ["a certificate that is not trusted", stuck("SSL error"), /certificate/, /证书/, /public/],
    ["a connection that is refused", stuck("Connection refused"), /could not connect/, /./, /public/],
    ["an answer with an error", stuck("Wrong response from the webhook: 502 Bad Gateway"), /502/, /502/, /public/],
    ["a webhook beside polling", { transport: "polling" }, /bot\.example\.com/, /bot\.example\.com/, /removes/],
  ])("names %s, and what to do", (_what, change, en, zh, fix) => {
    const webhook = check(change, "webhook");
    expect(webhook).toMatchObject({
      state: "failed",
      message: { en: expect.stringMatching(en), zh: expect.stringMatching(zh) },
      fix: { en: expect.stringMatching(fix), zh: expect.stringMatching(/[\u4e00-\u9fff]/) },
    });
    expect(webhook?.message.zh).not.toBe(webhook?.message.en);
  });

  test("names privacy mode only where the bot should answer everything", () => {
    const bot = { first_name: "Parley", can_read_all_group_messages: false };
    expect(check({ bot }, "permissions")).toMatchObject({
      state: "failed",
      fix: { en: expect.stringContaining("/setprivacy"), zh: expect.stringContaining("/setprivacy") },
    });
    expect(check({ bot, answersAll: false }, "permissions")).toMatchObject({ state: "ok" });
    expect(check({ bot: { first_name: "Parley" } }, "permissions")).toMatchObject({ state: "unknown" });
  });
});
