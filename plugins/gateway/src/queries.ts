// What the gateway's rows may be asked.
import Joi from "@hapi/joi";
import { listQuery, type Page } from "@parley/core";
import { LEVELS, SOURCES, STATUSES } from "./event-log.ts";
import type { MessageQuery } from "./find-messages.ts";
import type { DeliveryQuery, EventQuery, LogQuery } from "./history.ts";
import { NODE_STATES, NODE_TYPES, type NodeState, type NodeType } from "./nodes.ts";

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
/** What is told of, a hundred rows at a time. */
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
const DELIVERY_STATES = ["pending", "sending", "unknown_after_send", "failed", "delivered", "dead", "expired"];
export const deliveryQuery = listQuery<DeliveryQuery>({
  trace_id: id,
  channel_id: id,
  status: Joi.string().valid(...DELIVERY_STATES),
});
export const messageQuery = Joi.object<MessageQuery, true>({
  q: Joi.string().max(200),
  sender: Joi.string().max(128),
  channel_id: id,
  cursor: id,
  limit: Joi.number().integer().min(1).max(100),
  ...period,
});
export const letterQuery = listQuery<Page & { channel_id?: string; cause?: string }>({ channel_id: id, cause: id });
export const nodeQuery = Joi.object<{ node_type?: NodeType; status?: NodeState }, true>({
  node_type: Joi.string().valid(...NODE_TYPES),
  status: Joi.string().valid(...NODE_STATES),
});
export const discardBody = Joi.object<{ item_id?: string; channel_id?: string; cause?: string; reason: string }, true>({
  item_id: id,
  channel_id: id,
  cause: id,
  reason: Joi.string().trim().min(1).max(200).required(),
}).or("item_id", "channel_id", "cause");
