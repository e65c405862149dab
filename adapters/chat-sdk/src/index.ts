import Joi from "@hapi/joi";
import {
  type Cache,
  Caches,
  ChannelAdapters,
  type ChannelConfig,
  Channels,
  Clock,
  definePlugin,
  InstalledLibraries,
  RouteTables,
  receiveWebhook,
  route,
  serviceKey,
  withLabel,
} from "@parley/core";
import { createChatSdkAdapter } from "./adapter.ts";
import type { GatewaySession } from "./discord/gateway-socket.ts";
import { readPackages } from "./packages/served-packages.ts";

const isServedHere = ({ type }: Pick<ChannelConfig, "type">) => type.startsWith("chat-sdk:");

/** Time for which the session of a connection is stored. Platforms forget theirs sooner. */
const SESSION_TTL_MS = 86_400_000;

const OwnSessions = serviceKey<Cache<GatewaySession>>("chat-sdk.sessions");

interface ChatSdkConfig {
  readonly packages: string;
}

/** Connects platforms by the adapter packages of the Chat SDK that the operator has installed. */
export default definePlugin<ChatSdkConfig>({
  id: "chat-sdk",
  config: Joi.object<ChatSdkConfig, true>({
    packages: withLabel(Joi.string().allow("").default(""), {
      title: { en: "Packages", zh: "软件包" },
      help: {
        en: "Installed adapter packages, separated by commas: @chat-adapter/slack",
        zh: "已安装的适配器软件包，以逗号分隔：@chat-adapter/slack",
      },
    }),
  }),
  register({ config, provide, contribute }) {
    provide(OwnSessions, (from) => from.get(Caches).open("chat-sdk-sessions", { ttlMs: SESSION_TTL_MS, max: 1_000 }));
    for (const served of readPackages(config.packages)) {
      contribute(ChannelAdapters, (from) =>
        createChatSdkAdapter(
          { libraries: from.get(InstalledLibraries), clock: from.get(Clock), sessions: from.get(OwnSessions) },
          served,
        ),
      );
    }
    contribute(RouteTables, (from) => [
      route({
        method: "GET",
        path: "/api/gateway/{channel_id}/webhook",
        summary: "answers a platform of the Chat SDK that checks the address",
        data: { "text/plain": Joi.string().allow(""), "application/json": Joi.any() },
        auth: "open",
        reply: "raw",
        query: Joi.object<Readonly<Record<string, unknown>>>().unknown(),
        run({ params, query, ...request }) {
          const search = new URLSearchParams();
          for (const [name, value] of Object.entries(query)) search.set(name, String(value));
          const check = { method: "GET", query: search.toString() } as const;
          return receiveWebhook(from.get(Channels), params.channel_id, request, isServedHere, check);
        },
      }),
    ]);
  },
});
