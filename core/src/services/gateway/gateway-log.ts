import type { TraceMessage } from "../../error-texts.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** A log entry that another plugin adds to a trace. */
export interface GatewayLogEntry extends TraceMessage {
  readonly traceId: string;
  readonly source: "mcp" | "web" | "gateway";
  /** Type, level and action; absent when they follow from the status. */
  readonly type?: string;
  readonly level?: "debug" | "info" | "warning" | "error";
  readonly action?: string;
  readonly status: string;
  readonly toolName?: string;
  readonly channelId?: string;
  readonly sessionId?: string;
  readonly userId?: string;
  readonly error?: TraceMessage & { readonly code: string };
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** The unified log: message events and entries of other plugins. */
export interface GatewayLog {
  /** Adds an entry, written within a second in a batch; secrets are masked. Never throws. */
  add(entry: GatewayLogEntry): void;
}
export const GatewayLog: ServiceKey<GatewayLog> = serviceKey("gateway-log");
