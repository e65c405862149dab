import { deletedData, listQuery, type RouteTable, route, toSpeakOrder } from "@parley/core";
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

/** Routes of broadcasts. */
export function broadcastRoutes(broadcasts: Broadcasts): RouteTable {
  return [
    route({
      method: "GET",
      path: broadcastsPath,
      summary: "what was said to many, newest first",
      data: broadcastList,
      query: listQuery(),
      run: ({ query }) => broadcasts.list(query),
    }),
    route({
      method: "POST",
      path: `${broadcastsPath}/preview`,
      summary: "who would be reached; nothing is sent",
      data: previewData,
      scope: "admin",
      body: previewBody,
      run: ({ body }) => broadcasts.preview(body.audience),
    }),
    route({
      method: "POST",
      path: broadcastsPath,
      summary: "say something to many conversations of channels, as the bot",
      data: broadcastShape,
      scope: "admin",
      body: broadcastDraft,
      run: ({ body, caller }) => broadcasts.begin(body, toSpeakOrder(caller)),
    }),
    route({
      method: "GET",
      path: broadcastPath,
      summary: "how far a broadcast is",
      data: broadcastShape,
      run: ({ params }) => broadcasts.get(params.broadcast_id),
    }),
    route({
      method: "GET",
      path: `${broadcastPath}/recipients`,
      summary: "whom it is for, and what became of it with each",
      data: recipientList,
      query: recipientQuery,
      run: ({ params, query }) => broadcasts.recipients(params.broadcast_id, query),
    }),
    route({
      method: "POST",
      path: `${broadcastPath}/stop`,
      summary: "send no more of it",
      data: broadcastShape,
      scope: "admin",
      run: ({ params }) => broadcasts.stop(params.broadcast_id),
    }),
    route({
      method: "POST",
      path: `${broadcastPath}/continue`,
      summary: "send it to those who wait; failed: also to those that nothing was sent to",
      data: broadcastShape,
      scope: "admin",
      body: continueBody,
      run: ({ params, body, caller }) => broadcasts.continue(params.broadcast_id, body, toSpeakOrder(caller)),
    }),
    route({
      method: "DELETE",
      path: broadcastPath,
      summary: "forget a broadcast; what was said stays said",
      data: deletedData,
      scope: "admin",
      run: ({ params }) => broadcasts.remove(params.broadcast_id),
    }),
  ];
}
