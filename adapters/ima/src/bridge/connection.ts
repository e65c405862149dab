import type { ChannelIo } from "@parley/core";
import type { HandedOverSockets } from "../handed-over-sockets.ts";
import type { Bridge } from "./bridge.ts";
import type { BridgeEvent } from "./frame.ts";
import type { ImaTiming } from "./timing.ts";

/** The connection to a bridge, opened by either side. */
export interface Connection extends AsyncDisposable {
  /** Ends the connection and hands its socket over to the next link of the same channel. */
  handOver(): Promise<void>;
  /** Returns the active bridge; undefined when there is none. */
  getBridge(): Bridge | undefined;
}

export interface ConnectionOptions {
  /** Connections that links of the previous generation of plugins left open. */
  readonly handedOver: HandedOverSockets;
  /** Returns the key of the channel's configuration; only a link with the same key takes over a socket. */
  readonly handoverKey: () => string;
  readonly timing: ImaTiming;
  readonly io: ChannelIo;
  readonly onEvent: (event: BridgeEvent) => Promise<void>;
  /** Called when a connection works: the first one, and each one after an earlier one ended. */
  readonly onConnected: (bridge: Bridge) => Promise<void>;
  /** Called with the account of the bridge; throws when another account is configured. */
  readonly onAccount: (selfId: string) => void;
}
