import { type ChannelAdapter, systemClock } from "@parley/core";
import { memoryCaches } from "@parley/testing";
import { createChatSdkAdapter } from "../../adapters/chat-sdk/src/adapter.ts";
import type { ServedPackage } from "../../adapters/chat-sdk/src/packages/served-packages.ts";

/** Creates the channel adapter over a package of the Chat SDK, which reconnects quickly. */
export function createTestAdapter(
  served: ServedPackage,
  importPackage: () => Promise<Readonly<Record<string, unknown>>>,
): ChannelAdapter {
  const sessions = memoryCaches().open<never>("sessions", { ttlMs: 60_000, max: 10 });
  return createChatSdkAdapter(
    { libraries: { import: importPackage }, clock: systemClock, sessions, backoffMs: [10, 50] },
    served,
  );
}
