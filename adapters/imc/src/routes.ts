import {
  type ChannelConfig,
  type Channels,
  MAX_WEBHOOK_BYTES,
  type RouteTable,
  receiveWebhook,
  route,
  toSharedError,
} from "@parley/core";
import { type ConnectionStatus, createConnectionRoutes } from "@parley/core/channels";
import { acknowledged } from "./response-schemas.ts";
import type { ImcSettings } from "./settings.ts";

export interface RouteDeps {
  readonly channels: () => Channels;
  readonly connections: ReadonlyMap<string, ConnectionStatus>;
}

export function createImcRoutes({ channels, connections }: RouteDeps): RouteTable {
  const isWebhook = ({ type, transport }: ChannelConfig) => type === "imC" && transport === "webhook";
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
    ...createConnectionRoutes({
      path: "/api/channels/imC-ws/{channel_id}",
      name: "imC socket connection",
      channels,
      connections,
      serves: ({ type, transport }) => type === "imC" && transport === "websocket",
      assertReady({ id, config }) {
        const { app_id, app_secret_env } = config as unknown as ImcSettings;
        const secret = (variable: string) => channels().secret(id, variable);
        if (!(app_id || secret("IMC_APP_ID")) || !secret(app_secret_env))
          throw toSharedError("unavailable", "app_not_set", { variable: app_secret_env });
      },
    }),
  ];
}
