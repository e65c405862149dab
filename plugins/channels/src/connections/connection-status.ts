import type { ChannelState, LinkState } from "@parley/core";

export type ConnectionStatus = LinkState & { readonly state: ChannelState };
