import {
  ChannelAdapters,
  type Clock,
  HostControl,
  type Logger,
  MessageFilter,
  Nodes,
  Probes,
  type Redaction,
  type Resolver,
  Sessions,
} from "@parley/core";
import { createEventInjector } from "./accept/event-injection.ts";
import { createClusterMetrics } from "./cluster/cluster-metrics.ts";
import { createClusterNodes } from "./cluster/cluster-nodes.ts";
import { createNodeRegistry } from "./cluster/node-registry.ts";
import type { Partitioning } from "./cluster/partitioning.ts";
import type { DeadLetterNotifier } from "./deliver/dead-letter-notifier.ts";
import { createDeadLetters } from "./deliver/dead-letters.ts";
import { createRetryAll } from "./deliver/retry-all.ts";
import { getStatus, sendText, startTask } from "./mcp-actions.ts";
import { createGatewayActionTools, createGatewayReadTools } from "./mcp-tools.ts";
import { createGatewayCheck } from "./observe/check.ts";
import type { EventLog } from "./observe/event-log.ts";
import { createHistory } from "./observe/history.ts";
import type { MinuteMetrics } from "./observe/metrics/minute-metrics.ts";
import { createGatewayProbe } from "./observe/metrics/probe.ts";
import type { StateCounters } from "./observe/metrics/state-counters.ts";
import { createReports } from "./observe/reports.ts";
import { type MessageQuery, searchMessages } from "./observe/search-messages.ts";
import type { Pipeline } from "./pipeline.ts";
import { createGatewayRoutes } from "./routes.ts";
import type { GatewayStore } from "./store/gateway-store.ts";

export interface OperationsDeps extends Pipeline {
  readonly from: Resolver;
  readonly store: GatewayStore;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly redaction: Redaction;
  readonly counters: StateCounters;
  /** Counts the stored rows of all nodes anew. */
  readonly rebuildCounters: () => Promise<void>;
  readonly metrics: MinuteMetrics;
  readonly deadLetterNotifier: DeadLetterNotifier;
  readonly partitioning: Partitioning | undefined;
  /** Returns the ids of the channels; all conversations of a channel share one partition. */
  readonly channelIds: () => readonly string[];
  /** The setting `[gateway] storage_enabled`. */
  readonly isHistoryEnabled: boolean;
  /** Returns the path of the history database. */
  readonly historyFile: () => string;
}

/** Assembles the reports and actions for people and tools. */
export function createOperations(deps: OperationsDeps) {
  const { from, store, log, clock, counters, rebuildCounters, metrics, outbox, redaction } = deps;
  const gateway = () => deps.gateway;
  const history = createHistory({ store: store.history, flush: log.flush, redaction });
  const nodes = createNodeRegistry(store.nodes, clock);
  const deadLetters = createDeadLetters({
    ...deps,
    notifyReopened: deps.partitioning?.notifyReopened,
    store: store.deadLetters,
    requeueDelivery: (delivery) => outbox.add([delivery]),
    requeueMessage: deps.gateway.rerun,
  });
  const reports = createReports({
    ...deps,
    gateway,
    store: store.history,
    probes: () => from.all(Probes),
    version: () => from.get(HostControl).version,
  });
  const search = (query: MessageQuery) => searchMessages({ store: store.messages, redaction }, query);
  const sharedNodes = createClusterNodes({
    nodes: from.find(Nodes),
    partitions: store.partitions,
    channels: deps.channelIds,
    host: () => from.get(HostControl),
    now: clock.now,
  });
  const minutes = createClusterMetrics({ metrics, store: store.minutes, clock, log: deps.logger });
  const retryAll = createRetryAll({ deadLetters, logger: deps.logger });
  const services = { gateway, history, search, reports, deadLetters, retryAll, nodes, sharedNodes, minutes };
  return {
    nodes,
    startSavingMetrics: minutes.startSaving,
    check: createGatewayCheck({
      gateway,
      deadLetters: store.deadLetters,
      deliveries: counters.deliveries,
      rebuildCounters,
    }),
    tools: createTools(deps, services),
    probe: createGatewayProbe({ gateway, counters, rebuildCounters, log, metrics }),
    routes: createGatewayRoutes(services),
  };
}

function createTools(
  { from, gateway, channels, clock, isHistoryEnabled }: OperationsDeps,
  services: Omit<Parameters<typeof createGatewayRoutes>[0], "gateway">,
) {
  const startedMs = clock.now();
  const { reports } = services;
  const sendTextDeps = {
    gateway,
    channels,
    filter: () => from.find(MessageFilter),
    adapters: () => from.all(ChannelAdapters),
    sessions: from.get(Sessions),
  };
  const tools = {
    ...services,
    submit: createEventInjector(gateway, channels),
    status: () =>
      getStatus({ reports, channels, clock, isHistoryEnabled, worker: () => gateway.counts().worker, startedMs }),
    send: (text: Parameters<typeof sendText>[1]) => sendText(sendTextDeps, text),
    startTask: (order: Parameters<typeof startTask>[1]) => startTask(gateway, order),
  };
  return [...createGatewayReadTools(tools), ...createGatewayActionTools(tools)];
}
