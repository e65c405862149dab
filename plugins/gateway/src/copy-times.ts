import type { Channels } from "@parley/core";
import type { GatewayConfig } from "./config.ts";

const DAY_S = 86_400;

/** For how long copies of messages are recognised, in milliseconds. */
export interface CopyTimes {
  of(channelId: string): number;
  /** As long as any channel asks for: what is older is no copy of anything. */
  longest(): number;
}

/** As a channel sets it, else as config.ini does; a day at least, because platforms repeat for as long. */
export function createCopyTimes(
  { dedupe_ttl_s }: Pick<GatewayConfig, "dedupe_ttl_s">,
  channels: () => Pick<Channels, "get" | "list"> | undefined,
): CopyTimes {
  const msOf = (config: Readonly<Record<string, unknown>> = {}) => {
    const own = Number(config.dedupe_ttl_s ?? dedupe_ttl_s);
    return Math.max(own, DAY_S) * 1000;
  };
  return {
    of: (channelId) => msOf(channels()?.get(channelId)?.config),
    longest: () => Math.max(msOf(), ...(channels()?.list() ?? []).map(({ config }) => msOf(config))),
  };
}
