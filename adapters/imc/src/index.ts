import {
  ChannelAdapters,
  Channels,
  Clock,
  definePlugin,
  MAX_WEBHOOK_BYTES,
  RouteTables,
  receiveWebhook,
  route,
} from "@parley/core";
import { imcAdapter } from "./adapter.ts";

/** imC: Lark and Feishu events by webhook, replies by the open platform's calls. */
export default definePlugin({
  id: "imc",
  register({ contribute }) {
    contribute(ChannelAdapters, (from) => imcAdapter(from.get(Clock)));
    contribute(RouteTables, (from) => [
      route({
        method: "POST",
        path: "/api/channels/imC/{channel_id}/webhook",
        summary: "imC inbound webhook, checked by signature or token",
        auth: "open",
        reply: "raw",
        payload: "raw",
        maxBytes: MAX_WEBHOOK_BYTES,
        run: (request) =>
          receiveWebhook(from.get(Channels), request.params.channel_id, request, ({ type }) => type === "imC"),
      }),
    ]);
  },
});
