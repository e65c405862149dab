import { type RouteTable, route, toSpeakOrder } from "@parley/core";
import { listQuery, toggleBody } from "@parley/core/http";
import type { ChannelService } from "./channels.ts";
import { channels, checkBody, presetBody, testMessage } from "./config/schema.ts";
import { toErrorDetail } from "./connections/connection-states.ts";
import { listChecks } from "./connections/list-checks.ts";
import { checkData, presetList, testMessageData, toggleData, typeList } from "./responses.ts";

const channelsPath = "/api/channels";

export function createChannelRoutes(service: ChannelService): RouteTable {
  return [
    route({
      method: "POST",
      path: `${channelsPath}/{channel_id}/toggle`,
      summary: "switch a channel on or off",
      data: toggleData,
      scope: "admin",
      body: toggleBody,
      run: ({ params, body }) => service.toggle(params.channel_id, body.enabled),
    }),
    route({
      method: "POST",
      path: `${channelsPath}/{channel_id}/test-message`,
      summary: "send a test message to a conversation of the channel, and return the platform's answer",
      data: testMessageData,
      scope: "admin",
      body: testMessage,
      timeoutMs: 60_000,
      async run({ params, body, caller, signal }) {
        const { platformMessageId = null, quality } = await service.sendTest(
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
      path: `${channelsPath}/{channel_id}/check`,
      summary: "verify credentials at the platform, before or after they are saved",
      data: checkData,
      scope: "admin",
      body: checkBody,
      timeoutMs: 30_000,
      async run({ params, body, signal }) {
        const checked = await service.check(params.channel_id, body, signal);
        const { account, warnings = [], warningDetails = [] } = checked;
        const warning_details = warnings.map((_, at) => toErrorDetail(warningDetails[at]));
        return { account, warnings, warning_details, checks: listChecks(checked) };
      },
    }),
    route({
      method: "GET",
      path: `${channelsPath}/presets`,
      summary: "list channels that can be created with one click",
      data: presetList,
      query: listQuery(),
      run: ({ query }) => service.listPresets(query),
    }),
    route({
      method: "GET",
      path: `${channelsPath}/types`,
      summary: "list the installed channel types, with what each can do",
      data: typeList,
      query: listQuery(),
      run: ({ query }) => service.listTypes(query),
    }),
    route({
      method: "POST",
      path: `${channelsPath}/presets/{preset_id}`,
      summary: "create a channel from a preset",
      data: channels.item,
      scope: "admin",
      body: presetBody,
      run: ({ params, body }) => service.createPreset(params.preset_id, body),
    }),
  ];
}
