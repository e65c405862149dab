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
import { gatewayCheck } from "./check.ts";
import { createDeadLetters } from "./dead-letters.ts";
import type { EventLog } from "./event-log.ts";
import { findMessages, type MessageQuery } from "./find-messages.ts";
import { createHistory } from "./history.ts";
import type { LetterNews } from "./letter-news.ts";
import { gatewayActionTools, gatewayReadTools } from "./mcp-tools.ts";
import { sendText, startTask, statusOf } from "./mcp-tools-direct.ts";
import { createSubmit } from "./mcp-tools-submit.ts";
import type { MinuteMetrics } from "./minute-metrics.ts";
import { createMinutesEverywhere } from "./minutes-everywhere.ts";
import { createNodes } from "./nodes.ts";
import type { Pipeline } from "./pipeline.ts";
import { gatewayProbe } from "./probe.ts";
import { createReports } from "./reports.ts";
import { createRetryAll } from "./retry-all.ts";
import { gatewayRoutes } from "./routes.ts";
import { createSharedNodes } from "./shared-nodes.ts";
import type { Sharing } from "./sharing.ts";
import type { StateCounters } from "./state-counters.ts";
import type { GatewayStore } from "./store.ts";

export interface OperationsParts extends Pipeline {
  readonly from: Resolver;
  readonly store: GatewayStore;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly redaction: Redaction;
  readonly counters: StateCounters;
  /** Makes the counters what all nodes have stored. */
  readonly recount: () => Promise<void>;
  readonly metrics: MinuteMetrics;
  readonly news: LetterNews;
  readonly sharing: Sharing | undefined;
  /** Those whose conversations have one home together. */
  readonly channelIds: () => readonly string[];
  /** `[gateway] storage_enabled`. */
  readonly isKept: boolean;
  /** Where the history is. */
  readonly file: () => string;
}

/** What people and tools see of the gateway, and do with it. */
export function createOperations(parts: OperationsParts) {
  const { from, store, log, clock, counters, recount, metrics, outbox, redaction } = parts;
  const gateway = () => parts.gateway;
  const history = createHistory({ store: store.history, settled: log.flush, redaction });
  const nodes = createNodes(store.nodes, clock);
  const deadLetters = createDeadLetters({
    ...parts,
    reopened: parts.sharing?.reopened,
    store: store.deadLetters,
    resend: (delivery) => outbox.add([delivery]),
    rerun: parts.gateway.rerun,
  });
  const reports = createReports({
    ...parts,
    gateway,
    store: store.history,
    probes: () => from.all(Probes),
    version: () => from.get(HostControl).version,
  });
  const find = (query: MessageQuery) => findMessages({ store: store.messages, redaction }, query);
  const sharedNodes = createSharedNodes({
    nodes: from.find(Nodes),
    homes: store.homes,
    channels: parts.channelIds,
    host: () => from.get(HostControl),
    now: clock.now,
  });
  const minutes = createMinutesEverywhere({ metrics, store: store.minutes, clock, log: parts.logger });
  const retryAll = createRetryAll({ deadLetters, logger: parts.logger });
  const seen = { gateway, history, find, reports, deadLetters, retryAll, nodes, sharedNodes, minutes };
  return {
    nodes,
    keepMinutes: minutes.keep,
    check: gatewayCheck({ gateway, letters: store.deadLetters, deliveries: counters.deliveries, recount }),
    tools: toolsOf(parts, seen),
    probe: gatewayProbe({ gateway, counters, recount, log, metrics }),
    routes: gatewayRoutes(seen),
  };
}

function toolsOf(
  { from, gateway, channels, clock, isKept }: OperationsParts,
  seen: Omit<Parameters<typeof gatewayRoutes>[0], "gateway">,
) {
  const startedMs = clock.now();
  const { reports } = seen;
  const sending = {
    gateway,
    channels,
    filter: () => from.find(MessageFilter),
    adapters: () => from.all(ChannelAdapters),
    sessions: from.get(Sessions),
  };
  const tools = {
    ...seen,
    submit: createSubmit(gateway, channels),
    status: () => statusOf({ reports, channels, clock, isKept, worker: () => gateway.counts().worker, startedMs }),
    send: (text: Parameters<typeof sendText>[1]) => sendText(sending, text),
    startTask: (order: Parameters<typeof startTask>[1]) => startTask(gateway, order),
  };
  return [...gatewayReadTools(tools), ...gatewayActionTools(tools)];
}
