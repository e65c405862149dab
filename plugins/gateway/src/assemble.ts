import {
  AppError,
  Channels,
  Clock,
  ConfigSections,
  type Database,
  type Databases,
  ElementHandlers,
  type GatewayLogEntry,
  LiveEvents,
  type Logger,
  Nodes,
  newTraceId,
  Redaction,
  type Resolver,
  Sessions,
  Signals,
  Telemetry,
  toTraceMessage,
  type Upkeep,
} from "@parley/core";
import type { DedupeTtl } from "./accept/dedupe-ttl.ts";
import { createPartitioning } from "./cluster/partitioning.ts";
import type { GatewayConfig } from "./config.ts";
import { createDeadLetterNotifier } from "./deliver/dead-letter-notifier.ts";
import { createDeliveryErrorStore } from "./deliver/delivery-errors.ts";
import { createElementsStage, createPressStage } from "./elements/element-stages.ts";
import { HISTORY_MIGRATIONS, MAIN_MIGRATIONS } from "./migrations.ts";
import { createEventLog, type EventLog, type LogEntry } from "./observe/event-log.ts";
import { createCounterRebuild } from "./observe/metrics/counter-rebuild.ts";
import { createInstrumentedStore } from "./observe/metrics/instrumented-store.ts";
import { createMinuteMetrics } from "./observe/metrics/minute-metrics.ts";
import { type OverloadMonitor, startOverloadMonitor } from "./observe/metrics/overload-monitor.ts";
import { createStateCounters } from "./observe/metrics/state-counters.ts";
import { createTurnRecordings } from "./observe/replay/turn-recordings.ts";
import { createTracedStore, createTracer } from "./observe/turn-spans.ts";
import { createOperations } from "./operations.ts";
import { createPipeline } from "./pipeline.ts";
import { createGatewayStore, type GatewayStore } from "./store/gateway-store.ts";
import { createPersonPart } from "./store/lifecycle/person-part.ts";
import { gatewayTexts } from "./texts.ts";

const PRUNE_EVERY_MS = 3_600_000;

/** Assembles the plugin from its dependencies. The databases are opened when the plugin starts. */
export function assemble(from: Resolver, config: GatewayConfig, logger: Logger) {
  const clock = from.get(Clock);
  const section = from.get(ConfigSections).section("gateway");
  const isHistoryEnabled = section.storage_enabled !== "false";
  const redaction = from.get(Redaction);
  const counters = createStateCounters();
  const metrics = createMinuteMetrics(clock);
  const recordings = createTurnRecordings({
    redaction,
    isEnabled: isHistoryEnabled && section.record_turns !== "false",
  });
  const tracer = createTracer(from.find(Telemetry), clock);
  const handles = createDatabaseHandles(isHistoryEnabled);
  const clusterNodes = from.find(Nodes);
  const node = clusterNodes && (() => clusterNodes.id);
  const baseStore = createGatewayStore({ main: handles.main, history: handles.history, clock, node });
  const events = from.get(LiveEvents);
  const deadLetterNotifier = createDeadLetterNotifier(events);
  const store = createTracedStore(
    createInstrumentedStore(
      createDeliveryErrorStore(baseStore, () => from.get(Sessions)),
      counters,
      metrics,
      deadLetterNotifier,
    ),
    tracer,
    clock,
  );
  const log = createEventLog({ store: () => store.history, clock, events, redaction, log: logger, isHistoryEnabled });
  const overload = createOverloadGuard({ log, logger, clock });
  const channelIds = () => listChannelIds(from);
  const partitioning =
    clusterNodes &&
    store.partitions &&
    createPartitioning({
      nodes: clusterNodes,
      signals: from.get(Signals),
      partitions: store.partitions,
      channels: channelIds,
      storeSignals: (writes) => handles.main().write(writes),
      clock,
      log: logger,
    });
  const shared = {
    partitioning,
    main: handles.main,
    channelIds,
    findHandler: (id: string) => from.all(ElementHandlers).find((handler) => handler.id === id),
    from,
    config,
    store,
    log,
    logger,
    clock,
    redaction,
    counters,
    metrics,
    deadLetterNotifier,
    recordings,
    tracer,
    isHistoryEnabled,
    rebuildCounters: clusterNodes
      ? createCounterRebuild({ counters, store: baseStore, clock, log: logger })
      : async () => {},
  };
  const pipeline = createPipeline({ ...shared, isOverloaded: overload.isOverloaded });
  const { gateway, outbox, stages } = pipeline;
  return {
    ...createOperations({ ...shared, ...pipeline, historyFile: handles.name }),
    gateway,
    pressStage: createPressStage(shared.findHandler),
    elementsStage: createElementsStage((channelId) => outbox.link(channelId)?.elements ?? [], clock),
    news: deadLetterNotifier,
    /** Id of this process when several processes share the database. */
    node,
    async open(databases: Databases, file: string) {
      stages();
      await handles.open(databases, file);
    },
    watchOverload: overload.watch,
    onChannelReachable: outbox.onChannelReachable,
    pruneUpkeep: createPruneUpkeep(store, pipeline.dedupeTtl),
    erase: createErase(log, store),
    personPart: createPersonPart({
      main: handles.main,
      history: handles.history,
      abandon: (sessionId) => gateway.abandon(sessionId),
      flush: () => log.flush(),
    }),
    gatewayLog: { add: (entry: GatewayLogEntry) => log.add(toLogEntry(entry)) },
  };
}

/** Creates the function that erases the messages and log entries of a temporary conversation. */
function createErase(log: Pick<EventLog, "flush">, store: Pick<GatewayStore, "erase">) {
  return async (sessionId: string) => {
    await log.flush();
    await store.erase(sessionId);
  };
}

/** Lists the ids of all channels except the console; all conversations of a channel share one partition. */
function listChannelIds(from: Resolver): readonly string[] {
  return (from.find(Channels)?.list() ?? []).map(({ id }) => id).filter((id) => id !== "web");
}

/** Creates handles for the main database and, where the history is enabled, for the history database. */
function createDatabaseHandles(isHistoryEnabled: boolean) {
  let name = "";
  let main: Database | undefined;
  let history: Database | undefined;
  return {
    name: () => name,
    history: () => history,
    main(): Database {
      if (!main) throw new AppError("unavailable", "the gateway is not open");
      return main;
    },
    async open(databases: Databases, file: string) {
      name = file;
      await databases.main.migrate("gateway", MAIN_MIGRATIONS);
      main = databases.main;
      if (!isHistoryEnabled) return;
      history = await databases.open(file, { isHistory: true });
      await history.migrate("gateway-history", HISTORY_MIGRATIONS);
    },
  };
}

function createOverloadGuard({ log, logger, clock }: { log: EventLog; logger: Logger; clock: Clock }) {
  let monitor: OverloadMonitor | undefined;
  const note = (isOverloaded: boolean, lateMs: number) => {
    const message = isOverloaded
      ? gatewayTexts.message("trace_behind", { ms: Math.round(lateMs) })
      : gatewayTexts.message("trace_keeps_up");
    log.add({
      traceId: newTraceId(clock.now()),
      status: isOverloaded ? "overload" : "completed",
      ...toTraceMessage(message),
    });
    logger.warn(message.error);
  };
  return {
    isOverloaded: () => monitor?.isOverloaded() ?? false,
    watch(): Disposable {
      monitor = startOverloadMonitor(note);
      return monitor;
    },
  };
}

function createPruneUpkeep(store: Pick<GatewayStore, "prune">, dedupeTtl: DedupeTtl): Upkeep {
  return {
    name: "gateway.prune",
    title: { en: "Remove old messages, deliveries and traces", zh: "清理旧的消息、投递与追踪" },
    everyMs: PRUNE_EVERY_MS,
    run: async ({ log }) => log(gatewayTexts.message("removed", { count: await store.prune(dedupeTtl.getMaxMs()) })),
  };
}

function toLogEntry({
  traceId,
  status,
  message,
  channelId,
  sessionId,
  userId,
  error,
  metadata,
  ...overrides
}: GatewayLogEntry): LogEntry {
  return {
    traceId,
    status,
    message,
    overrides,
    ...(channelId !== undefined && { channelId }),
    ...(sessionId !== undefined && { conversationId: sessionId }),
    ...(userId !== undefined && { userId }),
    ...(error && { error }),
    ...(metadata && { metadata }),
  };
}
