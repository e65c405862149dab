import { type Channels, MIN_DEDUPE_S } from "@parley/core";
import type { GatewayConfig } from "../config.ts";

/** Time in milliseconds during which a repeated message is recognized as a duplicate. */
export interface DedupeTtl {
  getMs(channelId: string): number;
  /** The longest TTL of all channels; an older message is never a duplicate. */
  getMaxMs(): number;
}

/** Reads the channel's setting, else that of config.ini; at least a day, because platforms retry for that long. */
export function createDedupeTtl(
  { dedupe_ttl_s }: Pick<GatewayConfig, "dedupe_ttl_s">,
  channels: () => Pick<Channels, "get" | "list"> | undefined,
): DedupeTtl {
  const toMs = (config: Readonly<Record<string, unknown>> = {}) => {
    const own = Number(config.dedupe_ttl_s ?? dedupe_ttl_s);
    return Math.max(own, MIN_DEDUPE_S) * 1000;
  };
  return {
    getMs: (channelId) => toMs(channels()?.get(channelId)?.config),
    getMaxMs: () => Math.max(toMs(), ...(channels()?.list() ?? []).map(({ config }) => toMs(config))),
  };
}
