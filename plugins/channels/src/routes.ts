import { deletedData, listQuery, type RouteTable, route } from "@parley/core";
import { channelList, channelShape, presetList, testedChannel, toggledChannel } from "./answers.ts";
import type { ChannelRows } from "./channels.ts";
import { channelDraft, channelPatch, channelQuery, presetBody, testMessage, toggleBody } from "./records.ts";

const base = "/api/channels";

export function channelRoutes(channels: ChannelRows): RouteTable {
  return [
    route({
      method: "GET",
      path: base,
      summary: "list the channels",
      data: channelList,
      query: channelQuery,
      run: ({ query }) => channels.all(query),
    }),
    route({
      method: "POST",
      path: base,
      summary: "create a channel",
      data: channelShape,
      scope: "admin",
      body: channelDraft,
      run: ({ body }) => channels.create(body),
    }),
    route({
      method: "PUT",
      path: `${base}/{channel_id}`,
      summary: "change a channel",
      data: channelShape,
      scope: "admin",
      body: channelPatch,
      run: ({ params, body, ifMatch }) => channels.update(params.channel_id, body, ifMatch),
    }),
    route({
      method: "DELETE",
      path: `${base}/{channel_id}`,
      summary: "delete a channel",
      data: deletedData,
      scope: "admin",
      run: ({ params }) => channels.remove(params.channel_id),
    }),
    route({
      method: "POST",
      path: `${base}/{channel_id}/toggle`,
      summary: "switch a channel on or off",
      data: toggledChannel,
      scope: "admin",
      body: toggleBody,
      run: ({ params, body }) => channels.toggle(params.channel_id, body.enabled),
    }),
    route({
      method: "POST",
      path: `${base}/{channel_id}/test-message`,
      summary: "send a text to a conversation of the channel, and say what the platform answers",
      data: testedChannel,
      scope: "admin",
      body: testMessage,
      timeoutMs: 60_000,
      async run({ params, body, signal }) {
        const { platformMessageId = null, quality } = await channels.sendTest(params.channel_id, body, signal);
        return { platform_message_id: platformMessageId, quality };
      },
    }),
    route({
      method: "GET",
      path: `${base}/presets`,
      summary: "channels that can be made by one click",
      data: presetList,
      query: listQuery(),
      run: ({ query }) => channels.presets(query),
    }),
    route({
      method: "POST",
      path: `${base}/presets/{preset_id}`,
      summary: "create a channel from a preset",
      data: channelShape,
      scope: "admin",
      body: presetBody,
      run: ({ params, body }) => channels.createPreset(params.preset_id, body),
    }),
  ];
}
