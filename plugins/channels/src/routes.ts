import { listQuery, type RouteTable, route, toggleBody, toSpeakOrder } from "@parley/core";
import { checkedAccount, presetList, testedChannel, toggledChannel } from "./answers.ts";
import type { ChannelRows } from "./channels.ts";
import { channels, checkBody, presetBody, testMessage } from "./records.ts";
import { detailOf } from "./slots.ts";

const base = "/api/channels";

export function channelRoutes(rows: ChannelRows): RouteTable {
  return [
    route({
      method: "POST",
      path: `${base}/{channel_id}/toggle`,
      summary: "switch a channel on or off",
      data: toggledChannel,
      scope: "admin",
      body: toggleBody,
      run: ({ params, body }) => rows.toggle(params.channel_id, body.enabled),
    }),
    route({
      method: "POST",
      path: `${base}/{channel_id}/test-message`,
      summary: "send a text to a conversation of the channel, and say what the platform answers",
      data: testedChannel,
      scope: "admin",
      body: testMessage,
      timeoutMs: 60_000,
      async run({ params, body, caller, signal }) {
        const { platformMessageId = null, quality } = await rows.sendTest(
          params.channel_id,
          body,
          toSpeakOrder(caller),
          signal,
        );
        return { platform_message_id: platformMessageId, quality };
      },
    }),
    route({
      method: "POST",
      path: `${base}/{channel_id}/check`,
      summary: "ask the platform whose credentials these are, before or after they are saved",
      data: checkedAccount,
      scope: "admin",
      body: checkBody,
      timeoutMs: 30_000,
      async run({ params, body, signal }) {
        const { account, warnings = [], warningDetails = [] } = await rows.check(params.channel_id, body, signal);
        return { account, warnings, warning_details: warnings.map((_, at) => detailOf(warningDetails[at])) };
      },
    }),
    route({
      method: "GET",
      path: `${base}/presets`,
      summary: "channels that can be made by one click",
      data: presetList,
      query: listQuery(),
      run: ({ query }) => rows.presets(query),
    }),
    route({
      method: "POST",
      path: `${base}/presets/{preset_id}`,
      summary: "create a channel from a preset",
      data: channels.item,
      scope: "admin",
      body: presetBody,
      run: ({ params, body }) => rows.createPreset(params.preset_id, body),
    }),
  ];
}
