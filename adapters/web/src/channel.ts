import Joi from "@hapi/joi";
import { type ChannelAdapter, DeliveryError } from "@parley/core";

/** The console as a channel: replies are read from the history and the live events, so sending is already done. */
export function webChannel(): ChannelAdapter {
  return {
    type: "web",
    transports: ["websocket"],
    capabilities: {
      supports_stream: true,
      supports_progress_updates: true,
      supports_file_send: true,
      supports_stop: true,
      supports_tools: true,
    },
    settings: Joi.object({}),
    idempotency: "natural",
    async open() {
      let isOpen = true;
      return {
        async send({ deliveryId }) {
          if (!isOpen) throw new DeliveryError("not_sent", "the channel is closed");
          return { platformMessageId: deliveryId, quality: "confirmed" };
        },
        async [Symbol.asyncDispose]() {
          isOpen = false;
        },
      };
    },
  };
}
