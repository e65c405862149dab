import Joi from "@hapi/joi";
import { type RouteTable, route } from "@parley/core";
import { listQuery } from "@parley/core/http";
import type { ClusterMetrics } from "./cluster/cluster-metrics.ts";
import type { ClusterNodes } from "./cluster/cluster-nodes.ts";
import type { NodeRegistry } from "./cluster/node-registry.ts";
import type { DeadLetters } from "./deliver/dead-letters.ts";
import type { RetriedItems, RetryRequest } from "./deliver/retry-all.ts";
import type { RunningGateway } from "./gateway.ts";
import type { History } from "./observe/history.ts";
import type { Reports } from "./observe/reports.ts";
import type { MessageQuery, TracedMessages } from "./observe/search-messages.ts";
import {
  deadLetterQuery,
  deliveryQuery,
  discardBody,
  eventQuery,
  logQuery,
  messageQuery,
  nodeQuery,
  retryBody,
} from "./request-schemas.ts";
import {
  deadLetterList,
  deliveryList,
  discardResult,
  eventChain,
  eventList,
  healthData,
  logList,
  lookupData,
  messageSearchResult,
  minutesData,
  nodeList,
  queueData,
  retryAllResult,
  retryResult,
  sharedNode,
  sharedNodeList,
  startWorkerResult,
  statsData,
  stopWorkerResult,
  traceData,
} from "./response-schemas.ts";
import { gatewayTexts } from "./texts.ts";

const base = "/api/gateway";
const force = Joi.boolean();
const confirm = Joi.object<{ confirm: boolean }, true>({ confirm: Joi.boolean().strict().default(false) });
export interface RouteDeps {
  readonly gateway: () => RunningGateway;
  readonly minutes: Pick<ClusterMetrics, "getMinutes">;
  readonly history: History;
  readonly search: (query: MessageQuery) => Promise<TracedMessages>;
  readonly reports: Reports;
  readonly deadLetters: DeadLetters;
  readonly retryAll: (order: RetryRequest) => Promise<RetriedItems>;
  readonly nodes: NodeRegistry;
  /** The nodes that share one database. */
  readonly sharedNodes: ClusterNodes;
}

/** The gateway's routes, including deliveries, dead letters and nodes for the console. */
export function createGatewayRoutes(deps: RouteDeps): RouteTable {
  return [
    createReportRoutes,
    createWorkerRoutes,
    createEventRoutes,
    createLogRoutes,
    createDeadLetterRoutes,
    createNodeRoutes,
  ].flatMap((rows) => rows(deps));
}

function createReportRoutes({ reports, minutes }: RouteDeps): RouteTable {
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
      summary: "metrics of the last hour by minute: messages, answers, durations",
      data: minutesData,
      run: async () => ({ items: await minutes.getMinutes() }),
    }),
  ];
}

function createWorkerRoutes({ gateway }: RouteDeps): RouteTable {
  return [
    route({
      method: "POST",
      path: `${base}/worker/start`,
      summary: "start the background worker",
      data: startWorkerResult,
      scope: "admin",
      run: async () => ({ state: "running", started: gateway().startWorker() }),
    }),
    route({
      method: "POST",
      path: `${base}/worker/stop`,
      summary: "stop the background worker; new messages are stored and wait",
      data: stopWorkerResult,
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

function createEventRoutes({ history }: RouteDeps): RouteTable {
  return [
    route({
      method: "GET",
      path: `${base}/events`,
      summary: "list events of messages, newest first",
      data: eventList,
      query: eventQuery,
      run: ({ query }) => history.events(query),
    }),
    route({
      method: "GET",
      path: `${base}/events/{trace_id}`,
      summary: "list the events of one trace, oldest first",
      data: eventChain,
      query: listQuery(),
      run: ({ params, query }) => history.listTraceEvents(params.trace_id, query),
    }),
  ];
}

function createLogRoutes({ history, search }: RouteDeps): RouteTable {
  return [
    route({
      method: "GET",
      path: `${base}/logs`,
      summary: "list log entries of the gateway, newest first",
      data: logList,
      query: logQuery,
      run: ({ query }) => history.logs(query),
    }),
    route({
      method: "GET",
      path: `${base}/logs/trace/{trace_id}`,
      summary: "get one trace: events, deliveries and tool calls in one timeline",
      data: traceData,
      run: ({ params }) => history.trace(checkLength(params.trace_id)),
    }),
    route({
      method: "GET",
      path: `${base}/logs/lookup/{value}`,
      summary: "identify an id",
      data: lookupData,
      run: ({ params }) => history.lookup(checkLength(params.value)),
    }),
    route({
      method: "GET",
      path: `${base}/messages`,
      summary: "search received messages by text, sender, channel and time, newest first",
      data: messageSearchResult,
      query: messageQuery,
      run: ({ query }) => search(query),
    }),
    route({
      method: "GET",
      path: `${base}/deliveries`,
      summary: "list sent and pending deliveries, newest first",
      data: deliveryList,
      query: deliveryQuery,
      run: ({ query }) => history.deliveries(query),
    }),
  ];
}

function createDeadLetterRoutes({ deadLetters, retryAll }: RouteDeps): RouteTable {
  return [
    route({
      method: "GET",
      path: `${base}/dead-letters`,
      summary: "list dead letters",
      data: deadLetterList,
      query: deadLetterQuery,
      run: ({ query }) => deadLetters.list(query),
    }),
    route({
      method: "POST",
      path: `${base}/dead-letters/{item_id}/retry`,
      summary: "retry a dead letter; one that may arrive twice needs confirmation",
      data: retryResult,
      scope: "admin",
      body: confirm,
      run: ({ params, body, caller }) => deadLetters.retry(params.item_id, body.confirm, caller.username),
    }),
    route({
      method: "POST",
      path: `${base}/dead-letters/retry`,
      summary: "retry several dead letters; the answer has the result of each",
      data: retryAllResult,
      scope: "admin",
      body: retryBody,
      timeoutMs: 60_000,
      run: ({ body, caller }) => retryAll({ itemIds: body.item_ids, isConfirmed: body.confirm, by: caller.username }),
    }),
    route({
      method: "POST",
      path: `${base}/dead-letters/discard`,
      summary: "discard dead letters: one, several, or all of a channel or cause",
      data: discardResult,
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

function createNodeRoutes({ nodes, sharedNodes }: RouteDeps): RouteTable {
  return [
    route({
      method: "GET",
      path: `${base}/nodes`,
      summary: "list the registered nodes",
      data: nodeList,
      query: nodeQuery,
      run: ({ query }) => nodes.list(query),
    }),
    route({
      method: "GET",
      path: "/api/nodes",
      summary: "list the nodes that share one database, with their partitions",
      data: sharedNodeList,
      run: () => sharedNodes.list(),
    }),
    route({
      method: "POST",
      path: "/api/nodes/{node_id}/drain",
      summary: "drain a node: it hands its partitions over and takes no new ones",
      data: sharedNode,
      scope: "admin",
      run: ({ params }) => sharedNodes.drain(params.node_id, true),
    }),
    route({
      method: "DELETE",
      path: "/api/nodes/{node_id}/drain",
      summary: "end draining a node, so that it takes partitions again",
      data: sharedNode,
      scope: "admin",
      run: ({ params }) => sharedNodes.drain(params.node_id, false),
    }),
  ];
}

function checkLength(value: string): string {
  if (value.length > 128) throw gatewayTexts.error("bad_request", "long_value", {}, { field: "value" });
  return value;
}
