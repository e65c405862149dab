import type { ChannelAdapter } from "@parley/core";
import { getMode, openLink } from "./link.ts";
import { checkAccount } from "./packages/check-account.ts";
import { getGuide } from "./packages/guides.ts";
import type { OpenAdapterDeps } from "./packages/open-adapter.ts";
import type { ServedPackage } from "./packages/served-packages.ts";

/** Creates the adapter of the channel type `chat-sdk:<word>`, whose channels are served by one package. */
export function createChatSdkAdapter(deps: OpenAdapterDeps, served: ServedPackage): ChannelAdapter {
  const { word, known, settings, package: name } = served;
  return {
    type: `chat-sdk:${word}`,
    title: known?.title ?? { en: name, zh: name },
    transports: [known?.hasGateway ? "websocket" : "webhook"],
    capabilities: { supports_file_send: known?.features.includes("files_out") ?? true },
    ...(known && { features: known.features }),
    guide: getGuide(word),
    settings: settings.schema,
    idempotency: getMode(served),
    // Uploads are slow.
    sendTimeoutMs: 70_000,
    ...((known?.hasIdentity || known?.ownAccount) && {
      check: (channel, io, signal) => checkAccount(deps, served, channel, io, signal),
    }),
    open: (channel, io, signal) => openLink(deps, served, channel, io, signal),
  };
}
