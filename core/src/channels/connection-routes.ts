import type { Schema } from "@hapi/joi";
import { sleep } from "../async/time-limits.ts";
import { notFound, toSharedError } from "../error-texts.ts";
import { AppError } from "../errors.ts";
import { answerFields, shape } from "../http/response-schemas.ts";
import { type RouteTable, route } from "../http/route.ts";
import type { ChannelConfig } from "../points/turn/channel-adapter.ts";
import type { ChannelStatus, Channels } from "../services/gateway/channels.ts";

/** Status of a connection that the service itself keeps open to a platform. */
export interface ConnectionStatus {
  readonly state: "stopped" | "connecting" | "connected" | "reconnecting" | "error";
  readonly connected_at: string | null;
  readonly last_event_at: string | null;
  readonly reconnects: number;
}

/** Status of a connection that is not open. */
export const STOPPED_CONNECTION: ConnectionStatus = {
  state: "stopped",
  connected_at: null,
  last_event_at: null,
  reconnects: 0,
};

/** Options of `createConnectionRoutes`. */
export interface ConnectionRoutesOptions {
  /** Path before `/start`, `/stop` and `/status`; it contains `{channel_id}`. */
  readonly path: `${string}{channel_id}${string}`;
  /** Name of the connection in the API's description, such as `imC socket connection`. */
  readonly name: string;
  readonly channels: () => Channels;
  /** Connections of this process, by channel id. */
  readonly connections: ReadonlyMap<string, ConnectionStatus>;
  /** Returns true for a channel that has such a connection; for others the routes answer `not_found`. */
  readonly serves: (channel: ChannelConfig) => boolean;
  /** Throws when the channel lacks something that every connection needs, such as a secret. */
  assertReady(channel: ChannelConfig): void;
}

/** Time in which a connection usually knows whether it works, and the interval in which that is checked. */
const MAX_WAIT_MS = 15_000;
const CHECK_INTERVAL_MS = 50;
const { id, text, time, flag, count, word, orNull } = answerFields;
const state = word("stopped", "connecting", "connected", "reconnecting", "error");
const startData: Schema = shape({ channel_id: id, state, started: flag });
const stopData: Schema = shape({ channel_id: id, state: word("stopped"), stopped: flag });
const statusData: Schema = shape({
  channel_id: id,
  enabled: flag,
  state,
  connected: flag,
  connected_at: orNull(time),
  last_event_at: orNull(time),
  reconnects: count,
  last_error: orNull(text),
});

/**
 * Creates the routes that start, stop and describe a connection. `start` of a connection that failed opens it anew; of one that
 * works it changes nothing. It answers when the connection works or failed, at the latest after 15 s. A stopped connection is
 * started again with the service and by each change of its channel.
 */
export function createConnectionRoutes(options: ConnectionRoutesOptions): RouteTable {
  const { path, name, channels } = options;
  const getServed = (id: string): ChannelConfig => {
    const channel = channels().get(id);
    if (!channel || !options.serves(channel)) throw notFound("channel", id);
    return channel;
  };
  return [
    route({
      method: "POST",
      path: `${path}/start`,
      summary: `start the ${name}`,
      data: startData,
      scope: "admin",
      timeoutMs: 30_000,
      run: ({ params: { channel_id }, signal }) => start(options, getServed(channel_id), signal),
    }),
    route({
      method: "POST",
      path: `${path}/stop`,
      summary: `stop the ${name}`,
      data: stopData,
      scope: "admin",
      async run({ params: { channel_id } }) {
        getServed(channel_id);
        return { channel_id, state: "stopped", stopped: await channels().close(channel_id) };
      },
    }),
    route({
      method: "GET",
      path: `${path}/status`,
      summary: `status of the ${name}`,
      data: statusData,
      run({ params: { channel_id } }) {
        const { enabled } = getServed(channel_id);
        const { last_error, connected: isConnected } = channels().status(channel_id);
        const { state, ...rest } = options.connections.get(channel_id) ?? {
          ...STOPPED_CONNECTION,
          // The connection of another node is known only by the channel's status.
          state: isConnected ? "connected" : enabled && last_error ? "error" : "stopped",
        };
        return { channel_id, enabled, state, connected: state === "connected", ...rest, last_error };
      },
    }),
  ];
}

async function start(
  { channels, connections, assertReady }: ConnectionRoutesOptions,
  channel: ChannelConfig,
  signal: AbortSignal,
) {
  const { id: channel_id, enabled } = channel;
  if (!enabled) throw toSharedError("conflict", "channel_off", {});
  assertReady(channel);
  if (connections.get(channel_id)?.state === "error") await channels().close(channel_id);
  const started = await channels().open(channel_id);
  const isConnecting = () => connections.get(channel_id)?.state === "connecting";
  for (const endMs = performance.now() + MAX_WAIT_MS; isConnecting() && performance.now() < endMs && !signal.aborted; )
    await sleep(CHECK_INTERVAL_MS, signal);
  const status = connections.get(channel_id);
  if (!status) throw toConnectionError(channels().status(channel_id));
  return { channel_id, state: status.state, started };
}

function toConnectionError({ last_error, last_error_detail }: ChannelStatus): AppError {
  if (last_error === null) return toSharedError("upstream_failed", "channel_not_connected", {});
  return new AppError("upstream_failed", last_error, last_error_detail ? { detail: last_error_detail } : {});
}
