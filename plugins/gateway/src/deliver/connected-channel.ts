import type { ChannelConfig, ChannelLink, IdempotencyMode } from "@parley/core";

/** A channel with an open link. */
export interface ConnectedChannel {
  readonly channel: ChannelConfig;
  readonly link: ChannelLink;
  readonly mode: IdempotencyMode;
  /** Aborts when the link is removed. */
  readonly closing: AbortController;
}
