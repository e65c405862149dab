import {
  AppError,
  type ChannelConfig,
  type ChannelStatus,
  type Channels,
  MAX_WEBHOOK_BYTES,
  notFound,
  type RouteTable,
  receiveWebhook,
  route,
  toSharedError,
} from "@parley/core";
import type { ConnectionStatus } from "./long-connection.ts";
import { acknowledged, socketStatusData, startSocketData, stopSocketData } from "./response-schemas.ts";
import type { ImcSettings } from "./settings.ts";
import { imcTexts } from "./texts.ts";

const socketPath = "/api/channels/imC-ws/{channel_id}";

export interface RouteDeps {
  readonly channels: () => Channels;
  readonly connections: ReadonlyMap<string, ConnectionStatus>;
}

const STOPPED_STATUS: ConnectionStatus = { state: "stopped", connected_at: null, last_event_at: null, reconnects: 0 };

export function createImcRoutes({ channels, connections }: RouteDeps): RouteTable {
  const isWebhook = ({ type, transport }: ChannelConfig) => type === "imC" && transport === "webhook";
  const getSocketChannel = (id: string): ChannelConfig => {
    const channel = channels().get(id);
    if (channel?.type !== "imC" || channel.transport !== "websocket") throw notFound("channel", id);
    return channel;
  };
  return [
    route({
      method: "POST",
      path: "/api/channels/imC/{channel_id}/webhook",
      summary: "imC inbound webhook, checked by signature or token",
      data: acknowledged,
      auth: "open",
      reply: "raw",
      payload: "raw",
      maxBytes: MAX_WEBHOOK_BYTES,
      busy: ({ params, address }) => channels().busy(params.channel_id, address),
      run: (request) => receiveWebhook(channels(), request.params.channel_id, request, isWebhook),
    }),
    route({
      method: "POST",
      path: `${socketPath}/start`,
      summary: "start the imC socket connection",
      data: startSocketData,
      scope: "admin",
      timeoutMs: 30_000,
      async run({ params: { channel_id } }) {
        const { config, enabled } = getSocketChannel(channel_id);
        if (!enabled) throw toSharedError("conflict", "channel_off", {});
        const secret = (variable: string) => channels().secret(channel_id, variable);
        const { app_id, app_secret_env } = config as unknown as ImcSettings;
        if (!(app_id || secret("IMC_APP_ID")) || !secret(app_secret_env)) {
          throw toSharedError("unavailable", "app_not_set", { variable: app_secret_env });
        }
        const started = await channels().open(channel_id);
        const status = connections.get(channel_id);
        if (!status) throw createNotConnectedError(channels().status(channel_id));
        return { channel_id, state: status.state, started };
      },
    }),
    route({
      method: "POST",
      path: `${socketPath}/stop`,
      summary: "stop the imC socket connection",
      data: stopSocketData,
      scope: "admin",
      async run({ params: { channel_id } }) {
        getSocketChannel(channel_id);
        return { channel_id, state: "stopped", stopped: await channels().close(channel_id) };
      },
    }),
    route({
      method: "GET",
      path: `${socketPath}/status`,
      summary: "imC socket status",
      data: socketStatusData,
      run({ params: { channel_id } }) {
        const { enabled } = getSocketChannel(channel_id);
        const { last_error } = channels().status(channel_id);
        const { state, ...rest } = connections.get(channel_id) ?? {
          ...STOPPED_STATUS,
          state: enabled && last_error ? "error" : "stopped",
        };
        return { channel_id, enabled, state, connected: state === "connected", ...rest, last_error };
      },
    }),
  ];
}

function createNotConnectedError({ last_error, last_error_detail }: ChannelStatus): AppError {
  if (last_error === null) return imcTexts.error("upstream_failed", "not_connected");
  return new AppError("upstream_failed", last_error, last_error_detail ? { detail: last_error_detail } : {});
}
