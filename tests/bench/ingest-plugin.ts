// A webhook like an adapter's but without a platform: its requests go through the gateway.
import Joi from "@hapi/joi";
import { definePlugin, Gateway, RouteTables, route } from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";

interface Update {
  readonly user: string;
  readonly id: string;
  readonly text: string;
}

export default definePlugin({
  id: "bench-ingest",
  requires: [Gateway],
  register({ contribute }) {
    contribute(RouteTables, (from) => [
      route({
        method: "POST",
        path: "/bench/ingest",
        summary: "one message of a platform",
        auth: "open",
        data: Joi.valid(null),
        body: Joi.object<Update, true>({
          user: Joi.string().required(),
          id: Joi.string().required(),
          text: Joi.string().required(),
        }),
        async run({ body: { user, id, text } }) {
          const channelId = `bench${Number(user.slice(1)) % 100}`;
          await from.get(Gateway).accept({
            kind: "message",
            channelId,
            sessionId: sessionIdOf(channelId, user),
            conversation: { id: user, isGroup: false },
            sender: { id: user, name: user, isAdmin: false },
            text,
            attachments: [],
            dedupeKey: id,
            addressed: true,
            source: channelId,
          });
          return null;
        },
      }),
    ]);
  },
});
