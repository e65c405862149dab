import { type ServiceKey, serviceKey } from "../extension-point.ts";
import type { ChannelConfig, ChannelLink } from "../points/channel-adapter.ts";

/** The configured entrances. */
export interface Channels {
  /** Ids compare exactly. */
  get(id: string): ChannelConfig | undefined;
  list(): readonly ChannelConfig[];
  /** The open link of a channel; undefined when it is disabled or not connected. */
  link(id: string): ChannelLink | undefined;
}
export const Channels: ServiceKey<Channels> = serviceKey("channels");
