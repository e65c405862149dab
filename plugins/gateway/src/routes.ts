import Joi from "@hapi/joi";
import { listQuery, type RouteTable, route } from "@parley/core";
import {
  deadLetterList,
  deliveryList,
  discarded,
  eventChain,
  eventList,
  foundMessages,
  healthData,
  logList,
  lookupData,
  minutesData,
  nodeList,
  queueData,
  retried,
  retriedItems,
  sharedNode,
  sharedNodeList,
  startedWorker,
  statsData,
  stoppedWorker,
  traceData,
} from "./answers.ts";
import type { DeadLetters } from "./dead-letters.ts";
import type { MessageQuery, TracedMessages } from "./find-messages.ts";
import type { RunningGateway } from "./gateway.ts";
import type { History } from "./history.ts";
import type { MinutesEverywhere } from "./minutes-everywhere.ts";
import type { Nodes } from "./nodes.ts";
import {
  deliveryQuery,
  discardBody,
  eventQuery,
  letterQuery,
  logQuery,
  messageQuery,
  nodeQuery,
  retryBody,
} from "./queries.ts";
import type { Reports } from "./reports.ts";
import type { RetriedItems, RetryOrder } from "./retry-all.ts";
import { gatewayFailure } from "./said-failures.ts";
import type { SharedNodes } from "./shared-nodes.ts";

const base = "/api/gateway";
const force = Joi.boolean();
const confirm = Joi.object<{ confirm: boolean }, true>({ confirm: Joi.boolean().strict().default(false) });
export interface RouteParts {
  readonly gateway: () => RunningGateway;
  readonly minutes: Pick<MinutesEverywhere, "all">;
  readonly history: History;
  readonly find: (query: MessageQuery) => Promise<TracedMessages>;
  readonly reports: Reports;
  readonly deadLetters: DeadLetters;
  readonly retryAll: (order: RetryOrder) => Promise<RetriedItems>;
  readonly nodes: Nodes;
  /** Of several that work on one database. */
  readonly sharedNodes: SharedNodes;
}

/** The gateway's rows, and what the console needs besides: deliveries, dead letters, nodes. */
export function gatewayRoutes(parts: RouteParts): RouteTable {
  return [reportRoutes, workerRoutes, eventRoutes, logRoutes, deadLetterRoutes, nodeRoutes].flatMap((rows) =>
    rows(parts),
  );
}

function reportRoutes({ reports, minutes }: RouteParts): RouteTable {
  return [
    route({
      method: "GET",
      path: `${base}/health`,
      summary: "health check",
      data: healthData,
      run: () => reports.health(),
    }),
    route({
      method: "GET",
      path: `${base}/stats`,
      summary: "runtime statistics",
      data: statsData,
      run: () => reports.stats(),
    }),
    route({
      method: "GET",
      path: `${base}/queue/status`,
      summary: "queue status",
      data: queueData,
      run: () => reports.queue(),
    }),
    route({
      method: "GET",
      path: `${base}/minutes`,
      summary: "the last hour minute by minute: messages, answers, times",
      data: minutesData,
      run: async () => ({ items: await minutes.all() }),
    }),
  ];
}

function workerRoutes({ gateway }: RouteParts): RouteTable {
  return [
    route({
      method: "POST",
      path: `${base}/worker/start`,
      summary: "start the background worker",
      data: startedWorker,
      scope: "admin",
      run: async () => ({ state: "running", started: gateway().startWorker() }),
    }),
    route({
      method: "POST",
      path: `${base}/worker/stop`,
      summary: "stop the background worker: what comes in is stored and waits",
      data: stoppedWorker,
      scope: "admin",
      query: Joi.object<{ force?: boolean }, true>({ force }),
      body: Joi.object<{ force?: boolean }, true>({ force }),
      timeoutMs: 60_000,
      run: async ({ query, body }) => ({
        state: "stopped",
        ...(await gateway().stopWorker(query.force ?? body.force ?? false)),
      }),
    }),
  ];
}

function eventRoutes({ history }: RouteParts): RouteTable {
  return [
    route({
      method: "GET",
      path: `${base}/events`,
      summary: "what happened to messages, newest first",
      data: eventList,
      query: eventQuery,
      run: ({ query }) => history.events(query),
    }),
    route({
      method: "GET",
      path: `${base}/events/{trace_id}`,
      summary: "the events of one trace, oldest first",
      data: eventChain,
      query: listQuery(),
      run: ({ params, query }) => history.chain(params.trace_id, query),
    }),
  ];
}

function logRoutes({ history, find }: RouteParts): RouteTable {
  return [
    route({
      method: "GET",
      path: `${base}/logs`,
      summary: "all records of the gateway, newest first",
      data: logList,
      query: logQuery,
      run: ({ query }) => history.logs(query),
    }),
    route({
      method: "GET",
      path: `${base}/logs/trace/{trace_id}`,
      summary: "everything about one trace: events, deliveries, tool calls, in one timeline",
      data: traceData,
      run: ({ params }) => history.trace(short(params.trace_id)),
    }),
    route({
      method: "GET",
      path: `${base}/logs/lookup/{value}`,
      summary: "say what kind of id this is",
      data: lookupData,
      run: ({ params }) => history.lookup(short(params.value)),
    }),
    route({
      method: "GET",
      path: `${base}/messages`,
      summary: "find what came in by its text, its sender, its channel and its time, newest first",
      data: foundMessages,
      query: messageQuery,
      run: ({ query }) => find(query),
    }),
    route({
      method: "GET",
      path: `${base}/deliveries`,
      summary: "what was sent or is to be sent, newest first",
      data: deliveryList,
      query: deliveryQuery,
      run: ({ query }) => history.deliveries(query),
    }),
  ];
}

function deadLetterRoutes({ deadLetters, retryAll }: RouteParts): RouteTable {
  return [
    route({
      method: "GET",
      path: `${base}/dead-letters`,
      summary: "what was given up and waits for a person",
      data: deadLetterList,
      query: letterQuery,
      run: ({ query }) => deadLetters.list(query),
    }),
    route({
      method: "POST",
      path: `${base}/dead-letters/{item_id}/retry`,
      summary: "try again what was given up; confirm what may arrive twice",
      data: retried,
      scope: "admin",
      body: confirm,
      run: ({ params, body, caller }) => deadLetters.retry(params.item_id, body.confirm, caller.username),
    }),
    route({
      method: "POST",
      path: `${base}/dead-letters/retry`,
      summary: "try again several that were given up; the answer tells of each what became of it",
      data: retriedItems,
      scope: "admin",
      body: retryBody,
      timeoutMs: 60_000,
      run: ({ body, caller }) => retryAll({ itemIds: body.item_ids, isConfirmed: body.confirm, by: caller.username }),
    }),
    route({
      method: "POST",
      path: `${base}/dead-letters/discard`,
      summary: "put aside what was given up: one, several, or all of a channel or cause",
      data: discarded,
      scope: "admin",
      body: discardBody,
      async run({ body, caller }) {
        const { reason, item_id, item_ids, ...filter } = body;
        const what = item_id !== undefined ? { item_id } : item_ids ? { item_ids } : filter;
        return { discarded: await deadLetters.discard(what, reason, caller.username) };
      },
    }),
  ];
}

function nodeRoutes({ nodes, sharedNodes }: RouteParts): RouteTable {
  return [
    route({
      method: "GET",
      path: `${base}/nodes`,
      summary: "the processes that work here",
      data: nodeList,
      query: nodeQuery,
      run: ({ query }) => nodes.list(query),
    }),
    route({
      method: "GET",
      path: "/api/nodes",
      summary: "the nodes that work on one database, and who holds what",
      data: sharedNodeList,
      run: () => sharedNodes.list(),
    }),
    route({
      method: "POST",
      path: "/api/nodes/{node_id}/drain",
      summary: "have a node give what it holds to the others and take nothing more",
      data: sharedNode,
      scope: "admin",
      run: ({ params }) => sharedNodes.drain(params.node_id, true),
    }),
    route({
      method: "DELETE",
      path: "/api/nodes/{node_id}/drain",
      summary: "let a node take its share again",
      data: sharedNode,
      scope: "admin",
      run: ({ params }) => sharedNodes.drain(params.node_id, false),
    }),
  ];
}

function short(value: string): string {
  if (value.length > 128) throw gatewayFailure("bad_request", "long_value", {}, { field: "value" });
  return value;
}
