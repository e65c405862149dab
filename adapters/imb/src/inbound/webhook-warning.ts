import type { ItemFailure } from "@parley/core";
import { imbTexts } from "../texts.ts";

/** Converts the platform's last delivery error to a localized warning. */
export function toWebhookWarning(words: string): ItemFailure {
  const [, status] = /^Wrong response from the webhook: (\d{3})/.exec(words) ?? [];
  if (status !== undefined) return imbTexts.message("webhook_answered", { status });
  if (/ssl|certificate/i.test(words)) return imbTexts.message("webhook_certificate", { words });
  if (/time(?:d )?out/i.test(words)) return imbTexts.message("webhook_late", { words });
  if (/refused|unreachable|reset|resolve|connection/i.test(words))
    return imbTexts.message("webhook_refused", { words });
  return imbTexts.message("webhook_trouble", { words });
}
