import type { Translate } from "../../shared/i18n/i18n.ts";
import type { TextKey } from "./texts.ts";

const NAMES: Readonly<Record<string, TextKey>> = {
  webhook: "transportWebhook",
  websocket: "transportWebsocket",
  bridge: "transportBridge",
  polling: "transportPolling",
};

/** Returns the localized name of a transport; those of third-party packages are returned unchanged. */
export function localizeTransport(transport: string, t: Translate<TextKey>): string {
  const key = NAMES[transport];
  return key ? t(key) : transport;
}
