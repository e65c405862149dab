import Joi from "@hapi/joi";
import {
  AppError,
  Channels,
  Clock,
  ConfigSections,
  type Database,
  type Databases,
  type GatewayLogEntry,
  jobKind,
  LiveEvents,
  type Logger,
  Nodes,
  newTraceId,
  Redaction,
  type Resolver,
  Signals,
  Telemetry,
} from "@parley/core";
import type { GatewayConfig } from "./config.ts";
import type { CopyTimes } from "./copy-times.ts";
import { countingStore } from "./counting-store.ts";
import { createEventLog, type EventLog, type LogEntry } from "./event-log.ts";
import { createLetterNews } from "./letter-news.ts";
import { HISTORY_MIGRATIONS } from "./migrations.ts";
import { createMinuteMetrics } from "./minute-metrics.ts";
import { migrateTruth } from "./move-truth.ts";
import { createOperations } from "./operations.ts";
import { type Overload, watchOverload } from "./overload.ts";
import { createPipeline } from "./pipeline.ts";
import { createRecordings } from "./recording.ts";
import { createRecount } from "./recount.ts";
import { gatewayLine } from "./said-lines.ts";
import { createSharing } from "./sharing.ts";
import { createStateCounters } from "./state-counters.ts";
import { personPart } from "./store/person-part.ts";
import { createGatewayStore, type GatewayStore } from "./store.ts";
import { createSpans, measuredStore } from "./turn-spans.ts";

export const PRUNE = "gateway.prune";

/** Everything of this plugin, put together; its database is opened at the start. */
export function assemble(from: Resolver, config: GatewayConfig, logger: Logger) {
  const clock = from.get(Clock);
  const section = from.get(ConfigSections).section("gateway");
  const isKept = section.storage_enabled !== "false";
  const redaction = from.get(Redaction);
  const counters = createStateCounters();
  const metrics = createMinuteMetrics(clock);
  const recordings = createRecordings({ redaction, isOn: isKept && section.record_turns !== "false" });
  const spans = createSpans(from.find(Telemetry), clock);
  const files = createFiles(isKept);
  const several = from.find(Nodes);
  const node = several && (() => several.id);
  const tables = createGatewayStore({ truth: files.truth, history: files.history, clock, node });
  const events = from.get(LiveEvents);
  const news = createLetterNews(events);
  const store = measuredStore(countingStore(tables, counters, metrics, news), spans, clock);
  const log = createEventLog({ store: () => store.history, clock, events, redaction, log: logger, isKept });
  const overload = createOverload({ log, logger, clock });
  const channelIds = () => channelsOf(from);
  const sharing =
    several &&
    store.homes &&
    createSharing({
      nodes: several,
      signals: from.get(Signals),
      homes: store.homes,
      channels: channelIds,
      tell: (writes) => files.truth().write(writes),
      clock,
      log: logger,
    });
  const shared = {
    sharing,
    truth: files.truth,
    channelIds,
    from,
    config,
    store,
    log,
    logger,
    clock,
    redaction,
    counters,
    metrics,
    news,
    recordings,
    spans,
    isKept,
    recount: several ? createRecount({ counters, store: tables, clock, log: logger }) : async () => {},
  };
  const pipeline = createPipeline({ ...shared, isOverloaded: overload.is });
  const { gateway, outbox, stages } = pipeline;
  return {
    ...createOperations({ ...shared, ...pipeline, file: files.name }),
    gateway,
    news,
    /** Names this process where several work on the database. */
    node,
    async open(databases: Databases, file: string) {
      stages();
      await files.open(databases, file);
    },
    watchOverload: overload.watch,
    reachable: outbox.reachable,
    pruning: pruningJob(store, pipeline.copyTimes),
    /** A conversation that leaves nothing is over: what was said in it, and what was told of it, goes. */
    async erase(sessionId: string) {
      await log.flush();
      await store.erase(sessionId);
    },
    personPart: personPart({
      truth: files.truth,
      history: files.history,
      abandon: (sessionId) => gateway.abandon(sessionId),
      flush: () => log.flush(),
    }),
    noteLog: { add: (entry: GatewayLogEntry) => log.add(notedEntry(entry)) },
  };
}

/** Whose conversations have one home together. */
function channelsOf(from: Resolver): readonly string[] {
  return (from.find(Channels)?.list() ?? []).map(({ id }) => id).filter((id) => id !== "web");
}

/** The tables in the main database, and the file of the history where it is kept. */
function createFiles(isKept: boolean) {
  let name = "";
  let truth: Database | undefined;
  let history: Database | undefined;
  return {
    name: () => name,
    history: () => history,
    truth(): Database {
      if (!truth) throw new AppError("unavailable", "the gateway is not open");
      return truth;
    },
    async open(databases: Databases, file: string) {
      name = file;
      await migrateTruth(databases, file);
      truth = databases.main;
      if (!isKept) return;
      history = await databases.open(file, { isHistory: true });
      await history.migrate("gateway-history", HISTORY_MIGRATIONS);
    },
  };
}

function createOverload({ log, logger, clock }: { log: EventLog; logger: Logger; clock: Clock }) {
  let watched: Overload | undefined;
  const note = (isOverloaded: boolean, lateMs: number) => {
    const message = isOverloaded
      ? `the service is ${Math.round(lateMs)} ms behind: fewer turns run at once`
      : "the service keeps up again";
    log.add({ traceId: newTraceId(clock.now()), status: isOverloaded ? "overload" : "completed", message });
    logger.warn(message);
  };
  return {
    is: () => watched?.is() ?? false,
    watch(): Disposable {
      watched = watchOverload(note);
      return watched;
    },
  };
}

function pruningJob(store: Pick<GatewayStore, "prune">, copyTimes: CopyTimes) {
  return jobKind({
    kind: PRUNE,
    titles: { en: "Remove old messages, deliveries and traces", zh: "清理旧消息、投递与轨迹" },
    schema: Joi.object({}),
    concurrency: 1,
    async run(_payload, { log: say }) {
      say(gatewayLine("removed", { count: await store.prune(copyTimes.longest()) }));
    },
  });
}

function notedEntry({
  traceId,
  status,
  message,
  channelId,
  sessionId,
  userId,
  error,
  metadata,
  ...noted
}: GatewayLogEntry): LogEntry {
  return {
    traceId,
    status,
    message,
    noted,
    ...(channelId !== undefined && { channelId }),
    ...(sessionId !== undefined && { conversationId: sessionId }),
    ...(userId !== undefined && { userId }),
    ...(error && { error }),
    ...(metadata && { metadata }),
  };
}
