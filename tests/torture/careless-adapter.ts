import { randomUUID } from "node:crypto";
import { type ChannelAdapter, ChannelAdapters, definePlugin, type InboundMessage, Joi } from "@parley/core";
import { connectionFailure, sessionIdOf } from "@parley/core/channels";

interface Posted {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly content: string;
}

/** An adapter with typical mistakes, each of which only shows when the service dies at the wrong moment. */
const careless: ChannelAdapter = {
  type: "careless",
  transports: ["webhook"],
  capabilities: {},
  settings: Joi.object({
    address: Joi.string().uri().required(),
    mistake: Joi.string().valid("", "thanks-too-early", "forgets-ids", "sends-anew").default(""),
  }),
  idempotency: "native_key",
  async open({ id: channelId, config }, io) {
    const { address, mistake } = config as { readonly address: string; readonly mistake: string };
    io.report({ connected: true });
    return {
      async receive({ body }) {
        const { message_id, conversation_id, content }: Posted = JSON.parse(new TextDecoder().decode(body));
        const message: InboundMessage = {
          kind: "message",
          channelId,
          sessionId: sessionIdOf(channelId, conversation_id),
          conversation: { id: conversation_id, isGroup: false },
          sender: { id: conversation_id, name: conversation_id, isAdmin: false },
          text: content,
          attachments: [],
          addressed: true,
          source: channelId,
          dedupeKey: mistake === "forgets-ids" ? randomUUID() : message_id,
        };
        if (mistake === "thanks-too-early") setTimeout(() => io.accept(message), 100);
        else await io.accept(message);
        return { body: {} };
      },
      async send({ deliveryId, conversation, text }, signal) {
        const key = mistake === "sends-anew" ? randomUUID() : deliveryId;
        await io
          .fetch(address, {
            method: "POST",
            body: JSON.stringify({ conversation_id: conversation.id, content: text }),
            headers: { "content-type": "application/json", "idempotency-key": key },
            signal,
          })
          .catch((error: unknown) => {
            throw connectionFailure("the platform", error, "unavailable");
          });
        return { quality: "confirmed" };
      },
      async [Symbol.asyncDispose]() {},
    };
  },
};

export default definePlugin({
  id: "careless",
  register({ contribute }) {
    contribute(ChannelAdapters, () => careless);
  },
});
