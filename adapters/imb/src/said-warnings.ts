import { type ItemFailure, sentencesOf } from "@parley/core";

const webhookWarning = sentencesOf("imB", {
  webhook_answered: {
    en: "this service answered the platform with {status}",
    zh: "本服务对平台的请求返回了 {status}",
  },
  webhook_certificate: {
    en: "the platform does not trust the certificate of the address: {words}",
    zh: "平台不信任该地址的证书：“{words}”",
  },
  webhook_late: { en: "the address did not answer in time: {words}", zh: "该地址没有及时响应：“{words}”" },
  webhook_refused: {
    en: "the platform could not connect to the address: {words}",
    zh: "平台无法连接该地址：“{words}”",
  },
  webhook_trouble: { en: "the platform says: {words}", zh: "平台给出的原因：“{words}”" },
});

/** Converts the platform's last delivery error to a localized warning. */
export function webhookTrouble(words: string): ItemFailure {
  const [, status] = /^Wrong response from the webhook: (\d{3})/.exec(words) ?? [];
  if (status !== undefined) return webhookWarning("webhook_answered", { status });
  if (/ssl|certificate/i.test(words)) return webhookWarning("webhook_certificate", { words });
  if (/time(?:d )?out/i.test(words)) return webhookWarning("webhook_late", { words });
  if (/refused|unreachable|reset|resolve|connection/i.test(words)) return webhookWarning("webhook_refused", { words });
  return webhookWarning("webhook_trouble", { words });
}
