import { type RouteTable, route, toSpeakOrder } from "@parley/core";
import { deletedData, listQuery } from "@parley/core/http";
import type { Broadcasts } from "../broadcasts/broadcasts.ts";
import {
  broadcastDraft,
  broadcastList,
  broadcastShape,
  continueBody,
  previewBody,
  previewData,
  recipientList,
  recipientQuery,
} from "../broadcasts/schema.ts";

const broadcastsPath = "/api/broadcasts";
const broadcastPath = `${broadcastsPath}/{broadcast_id}` as const;

export function createBroadcastRoutes(broadcasts: Broadcasts): RouteTable {
  return [
    route({
      method: "GET",
      path: broadcastsPath,
      summary: "list broadcasts, newest first",
      data: broadcastList,
      query: listQuery(),
      run: ({ query }) => broadcasts.list(query),
    }),
    route({
      method: "POST",
      path: `${broadcastsPath}/preview`,
      summary: "preview the recipients; nothing is sent",
      data: previewData,
      scope: "admin",
      body: previewBody,
      run: ({ body }) => broadcasts.preview(body.audience),
    }),
    route({
      method: "POST",
      path: broadcastsPath,
      summary: "send a message to many conversations of channels, as the bot",
      data: broadcastShape,
      scope: "admin",
      body: broadcastDraft,
      run: ({ body, caller }) => broadcasts.begin(body, toSpeakOrder(caller)),
    }),
    route({
      method: "GET",
      path: broadcastPath,
      summary: "get the progress of a broadcast",
      data: broadcastShape,
      run: ({ params }) => broadcasts.get(params.broadcast_id),
    }),
    route({
      method: "GET",
      path: `${broadcastPath}/recipients`,
      summary: "list the recipients with their outcome",
      data: recipientList,
      query: recipientQuery,
      run: ({ params, query }) => broadcasts.recipients(params.broadcast_id, query),
    }),
    route({
      method: "POST",
      path: `${broadcastPath}/stop`,
      summary: "stop a broadcast",
      data: broadcastShape,
      scope: "admin",
      run: ({ params }) => broadcasts.stop(params.broadcast_id),
    }),
    route({
      method: "POST",
      path: `${broadcastPath}/continue`,
      summary: "continue a broadcast; failed: also retry recipients to whom nothing was sent",
      data: broadcastShape,
      scope: "admin",
      body: continueBody,
      run: ({ params, body, caller }) => broadcasts.continue(params.broadcast_id, body, toSpeakOrder(caller)),
    }),
    route({
      method: "DELETE",
      path: broadcastPath,
      summary: "delete a broadcast; its messages remain",
      data: deletedData,
      scope: "admin",
      run: ({ params }) => broadcasts.remove(params.broadcast_id),
    }),
  ];
}
