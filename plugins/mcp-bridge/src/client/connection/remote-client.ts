import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  type CallToolResult,
  CallToolResultSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { readTools, type ToolListing } from "../tools/read-tools.ts";
import { sanitizeText } from "../tools/sanitize-text.ts";

const MAX_CALL_MS = 600_000;

/** The protocol's client for one connection. It imports the protocol's library, so it is loaded with the first connection. */
export interface RemoteClient {
  connect(transport: Transport, timeoutMs: number): Promise<void>;
  serverVersion(): { readonly name?: string; readonly version?: string } | undefined;
  readTools(signal: AbortSignal): Promise<ToolListing>;
  /** Calls a tool; progress restarts the timeout. */
  call(call: RemoteCall, timeoutMs: number): Promise<CallToolResult>;
  watch(events: ClientEvents): void;
  close(): Promise<void>;
}

export interface ClientEvents {
  onToolsChanged(): void;
  onClosed(): void;
  onError(error: Error): void;
}

export function createRemoteClient(version: string): RemoteClient {
  const client = new Client({ name: "parley", version }, { capabilities: {} });
  return {
    connect: (transport, timeout) => client.connect(transport, { timeout }),
    serverVersion: () => client.getServerVersion(),
    readTools: (signal) => readTools(client, signal),
    async call({ tool, args, signal, meta, progress }, timeout) {
      const params = { name: tool, arguments: args, ...(meta && { _meta: meta }) };
      const answer = await client.request({ method: "tools/call", params }, CallToolResultSchema, {
        timeout,
        maxTotalTimeout: MAX_CALL_MS,
        resetTimeoutOnProgress: true,
        signal,
        onprogress: ({ message = "" }) => progress(sanitizeText(message, 500)),
      });
      return answer as CallToolResult;
    },
    watch({ onToolsChanged, onClosed, onError }) {
      client.setNotificationHandler(ToolListChangedNotificationSchema, onToolsChanged);
      client.onclose = onClosed;
      client.onerror = onError;
    },
    close: () => client.close(),
  };
}
export interface RemoteCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** True when the call may be repeated after its answer was lost. */
  readonly isRead: boolean;
  readonly signal: AbortSignal;
  readonly meta?: Readonly<Record<string, unknown>>;
  progress(message: string): void;
}
