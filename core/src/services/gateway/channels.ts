import type { AppError, ErrorDetail } from "../../errors.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Busy } from "../../http/route.ts";
import type { ChannelConfig, Transport } from "../../points/turn/channel-adapter.ts";
import type { ChannelLink } from "../../points/turn/channel-link.ts";

/** State of a channel. */
export type ChannelState = "running" | "stopped" | "starting" | "error" | "disabled";

/** Status of a channel for people. */
export interface ChannelStatus {
  readonly state: ChannelState;
  /** True when the platform was reached, not merely tried. */
  readonly connected: boolean;
  /** True when another node has the connection; the status is the last one that node reported. */
  readonly held_elsewhere?: true;
  readonly last_error: string | null;
  /** Localized detail of `last_error`, if any. */
  readonly last_error_detail: Pick<ErrorDetail, "key" | "params" | "chinese"> | null;
  /** True when messages arrive: one has arrived, the platform confirms it, or they use the connection itself. */
  readonly receives?: boolean;
  /** Time of the last request to its address that was rejected for its secret or signature. */
  readonly last_rejected_at?: string | null;
  readonly last_inbound_at: string | null;
  readonly last_outbound_at: string | null;
  readonly warnings: readonly string[];
  /** Localized details of `warnings`, in the same order; null for an English-only one. */
  readonly warning_details?: readonly ChannelStatus["last_error_detail"][];
}

/** The configured channels. */
export interface Channels {
  /** Returns a channel; ids are compared exactly. */
  get(id: string): ChannelConfig | undefined;
  list(): readonly ChannelConfig[];
  /** Returns the open link of a channel; undefined when it is disabled or not connected. */
  link(id: string): ChannelLink | undefined;
  /** Returns false when nobody can be written to unasked: the platform only allows answers, or the settings allow no sends. */
  canBegin(id: string): boolean;
  /** Returns the reason the channel accepts no webhook now, and logs it, after its `wait` if it has one; else undefined. For an adapter's route (`Route.busy`). */
  busy(id: string, address: string): Busy | undefined;
  /** Logs a rejected webhook; returns its trace id. */
  refused(id: string, address: string, error: AppError): string;
  /** Returns the value of a variable that the channel's settings name, as its link gets it; throws `not_found` for an unknown channel. */
  secret(id: string, variable: string): string | undefined;
  /** Returns the status of a channel; throws `not_found` for an unknown one. */
  status(id: string): ChannelStatus;
  /** Merges settings into a channel's and stores them, with its transport if given; reconnects when something changed. */
  configure(id: string, settings: Readonly<Record<string, unknown>>, transport?: Transport): Promise<void>;
  /** Opens the link of an enabled channel; resolves to false when it was open. Rejects with `conflict` when the channel is switched off. */
  open(id: string): Promise<boolean>;
  /** Closes the link until the next `open`, change or start; resolves to false when it was closed. */
  close(id: string): Promise<boolean>;
}
export const Channels: ServiceKey<Channels> = serviceKey("channels");
