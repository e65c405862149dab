import type { ChannelConfig } from "../../points/turn/channel-adapter.ts";
import { TIME_ZONE } from "../../shared-settings.ts";
import type { Settings } from "../operations/settings.ts";

/** Returns the IANA name of the time zone that a channel's conversations live in: the channel's own, else the service's. */
export function findChannelTimeZone(
  channel: Pick<ChannelConfig, "config"> | undefined,
  settings: Pick<Settings, "get">,
): string {
  const own = channel?.config.timezone;
  return typeof own === "string" && own !== "" ? own : settings.get(TIME_ZONE);
}
