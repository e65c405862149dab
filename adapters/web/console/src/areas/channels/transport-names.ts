import type { Translate } from "../../shared/i18n/i18n.ts";
import type { TextKey } from "./texts.ts";

const NAMES: Readonly<Record<string, TextKey>> = {
  webhook: "transportWebhook",
  websocket: "transportWebsocket",
  bridge: "transportBridge",
  polling: "transportPolling",
};

/** How a channel is connected, in the reader's language; what only a foreign package knows keeps its word. */
export function transportName(transport: string, t: Translate<TextKey>): string {
  const key = NAMES[transport];
  return key ? t(key) : transport;
}
