import { localizeMessage } from "@parley/core";
import { expect, test } from "vitest";
import { toWebhookWarning } from "./webhook-warning.ts";

test.each([
  ["Wrong response from the webhook: 502 Bad Gateway", "本服务对平台的请求返回了 502"],
  ["SSL error {error:0A000086}", "平台不信任该地址的证书：“SSL error {error:0A000086}”"],
  ["Connection timed out", "该地址没有及时响应：“Connection timed out”"],
  ["Connection refused", "平台无法连接该地址：“Connection refused”"],
  ["A new thing", "平台给出的原因：“A new thing”"],
])("warnings about the platform are shown in Chinese too: %s", (words, zh) => {
  const { error, detail } = toWebhookWarning(words);
  expect(localizeMessage(error, detail).zh).toBe(zh);
});
