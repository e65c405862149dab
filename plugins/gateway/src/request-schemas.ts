// Request schemas of the gateway's routes.
import Joi from "@hapi/joi";
import { commaList } from "@parley/core";
import { listQuery } from "@parley/core/http";
import { NODE_STATES, NODE_TYPES, type NodeState, type NodeType } from "./cluster/node-registry.ts";
import type { DeadLetterQuery } from "./deliver/dead-letters.ts";
import { LEVELS, SOURCES, STATUSES } from "./observe/event-log.ts";
import type { DeliveryQuery, EventQuery, LogQuery } from "./observe/history.ts";
import type { MessageQuery } from "./observe/search-messages.ts";

/** Maximum number of ids in a request, as many as the longest list has. */
const MAX_IDS = 500;
const id = Joi.string().max(128);
const time = Joi.string().isoDate();
const status = Joi.string().valid(...Object.keys(STATUSES));
const level = Joi.string().valid(...LEVELS);
const period = { since: time, until: time };

export const eventQuery = listQuery<EventQuery>({
  channel_id: id,
  status,
  event_type: Joi.string().max(64),
  trace_id: id,
  level,
  ...period,
});
/** Query of the log; `limit` defaults to 100. */
export const logQuery = listQuery<LogQuery>({
  source: Joi.string().valid(...SOURCES),
  type: Joi.string().max(64),
  level,
  status: Joi.string().max(64),
  tool_name: Joi.string().max(128),
  trace_id: id,
  channel_id: id,
  q: Joi.string().max(200),
  ...period,
}).fork("limit", (limit) => limit.default(100));
const DELIVERY_STATES = [
  "pending",
  "sending",
  "unknown_after_send",
  "failed",
  "delivered",
  "dead",
  "expired",
  "cancelled",
];
export const deliveryQuery = listQuery<DeliveryQuery>({
  trace_id: id,
  channel_id: id,
  session_id: id,
  status: commaList(Joi.string().valid(...DELIVERY_STATES), DELIVERY_STATES.length),
});
export const messageQuery = Joi.object<MessageQuery, true>({
  q: Joi.string().max(200),
  sender: Joi.string().max(128),
  channel_id: id,
  unanswered: Joi.boolean(),
  cursor: id,
  limit: Joi.number().integer().min(1).max(100),
  ...period,
});
export const deadLetterQuery = listQuery<DeadLetterQuery>({ channel_id: id, session_id: id, cause: id });
export const nodeQuery = Joi.object<{ node_type?: NodeType; status?: NodeState }, true>({
  node_type: Joi.string().valid(...NODE_TYPES),
  status: Joi.string().valid(...NODE_STATES),
});
const idList = Joi.array().items(id).min(1).max(MAX_IDS).unique();
export const retryBody = Joi.object<{ item_ids: string[]; confirm: boolean }, true>({
  item_ids: idList.required(),
  confirm: Joi.boolean().strict().default(false),
});
interface DiscardBody {
  readonly item_id?: string;
  readonly item_ids?: string[];
  readonly channel_id?: string;
  readonly cause?: string;
  readonly reason: string;
}
export const discardBody = Joi.object<DiscardBody, true>({
  item_id: id,
  item_ids: idList,
  channel_id: id,
  cause: id,
  reason: Joi.string().trim().min(1).max(200).required(),
})
  .or("item_id", "item_ids", "channel_id", "cause")
  .oxor("item_id", "item_ids");
