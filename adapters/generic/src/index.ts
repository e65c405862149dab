import Joi from "@hapi/joi";
import {
  AppError,
  ChannelAdapters,
  Channels,
  Clock,
  Databases,
  definePlugin,
  Gateway,
  MAX_WEBHOOK_BYTES,
  RouteTables,
  receiveWebhook,
  route,
  Signals,
  StoredTables,
  serviceKey,
} from "@parley/core";
import { createGenericAdapter } from "./adapter.ts";
import { webhookResponse } from "./response-schemas.ts";
import { createWaitingRequests, type WaitingRequests } from "./waiting-requests.ts";

const OwnWaitingRequests = serviceKey<WaitingRequests>("generic.waiting-requests");

/** Provides channels for any program that can post JSON, and the webhook of all channels without their own path. */
export default definePlugin({
  id: "generic",
  register({ provide, contribute }) {
    provide(OwnWaitingRequests, (from) =>
      createWaitingRequests({
        databases: () => from.get(Databases),
        signals: () => from.get(Signals),
        clock: from.get(Clock),
      }),
    );
    contribute(ChannelAdapters, (from) =>
      createGenericAdapter({
        gateway: () => from.get(Gateway),
        clock: from.get(Clock),
        requests: () => (from.find(Databases)?.isShared ? from.get(OwnWaitingRequests) : undefined),
      }),
    );
    contribute(StoredTables, (from) => ({
      id: "generic.requests",
      prepare: () => from.get(OwnWaitingRequests).prepare(),
    }));
    contribute(RouteTables, (from) => [
      route({
        method: "POST",
        path: "/api/gateway/{channel_id}/webhook",
        summary: "unified webhook entrance, checked by the channel's auth setting",
        // Platforms of the Chat SDK get a text.
        data: { ...webhookResponse, "text/plain": Joi.string().allow("") },
        auth: "open",
        reply: "raw",
        payload: "raw",
        maxBytes: MAX_WEBHOOK_BYTES,
        timeoutMs: 70_000,
        busy: ({ params, address }) => from.get(Channels).busy(params.channel_id, address),
        run(request) {
          const { channel_id } = request.params;
          if (channel_id === "web") throw new AppError("permission_denied", "the web channel has no webhook");
          return receiveWebhook(from.get(Channels), channel_id, request);
        },
      }),
    ]);
  },
});
