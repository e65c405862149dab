import Joi from "@hapi/joi";
import {
  AppError,
  ChannelAdapters,
  Channels,
  ChatCommands,
  Clock,
  ConfigSections,
  type Database,
  type Databases,
  Environment,
  type GatewayLogEntry,
  HostControl,
  jobKind,
  LiveEvents,
  type Logger,
  MessageFilter,
  newTraceId,
  orderStages,
  Probes,
  Redaction,
  type Resolver,
  Sessions,
  Settings,
  TaskKinds,
  Telemetry,
  type TurnStage,
  TurnStages,
} from "@parley/core";
import { createAliases } from "./aliases.ts";
import { countingStore } from "./counting-store.ts";
import { createDeadLetters } from "./dead-letters.ts";
import { createEventLog, type LogEntry } from "./event-log.ts";
import { createFailPoint } from "./fail-point.ts";
import { createGateway, type RunningGateway } from "./gateway.ts";
import { createHistory } from "./history.ts";
import { createItemWork } from "./item-work.ts";
import { gatewayActionTools, gatewayReadTools } from "./mcp-tools.ts";
import { type DirectText, sendText, startTask, statusOf, type TaskAsked } from "./mcp-tools-direct.ts";
import { createSubmit } from "./mcp-tools-submit.ts";
import { HISTORY_MIGRATIONS } from "./migrations.ts";
import { createMinuteMetrics } from "./minute-metrics.ts";
import { migrateTruth } from "./move-truth.ts";
import { createNodes } from "./nodes.ts";
import { createOutbox } from "./outbox.ts";
import { createOutcomes } from "./outcomes.ts";
import type { Overload } from "./overload.ts";
import { gatewayProbe } from "./probe.ts";
import { createRateLimits, type Limits } from "./rate-limits.ts";
import { createRecordings } from "./recording.ts";
import { createReports } from "./reports.ts";
import { gatewayRoutes } from "./routes.ts";
import { createStateCounters } from "./state-counters.ts";
import { createGatewayStore } from "./store.ts";
import { createTaskWork } from "./task-work.ts";
import { createTurnRunner } from "./turn-runner.ts";
import { createSpans, measuredStore } from "./turn-spans.ts";
import { createTurnWatch } from "./turn-watch.ts";

export const PRUNE = "gateway.prune";

export interface GatewayConfig {
  readonly dedupe_ttl_s: number;
  readonly error_reply: string;
  readonly limit_reply: string;
  readonly limit_user_per_minute: number;
  readonly limit_conversation_per_minute: number;
  readonly limit_channel_per_minute: number;
}

interface Opened {
  truth: Database | undefined;
  history: Database | undefined;
  file: string;
  overload: Overload | undefined;
}

/** Everything of this plugin, put together; its database is opened at the start. */
export function assemble(from: Resolver, config: GatewayConfig, logger: Logger) {
  const clock = from.get(Clock);
  const settings = from.get(Settings);
  const opened: Opened = { truth: undefined, history: undefined, file: "", overload: undefined };
  const isOpen = (database: Database | undefined): Database => {
    if (!database) throw new AppError("unavailable", "the gateway is not open");
    return database;
  };
  const truth = () => isOpen(opened.truth);
  const section = from.get(ConfigSections).section("gateway");
  const isKept = section.storage_enabled !== "false";
  const redaction = from.get(Redaction);
  const events = from.get(LiveEvents);
  const counters = createStateCounters();
  const metrics = createMinuteMetrics(clock);
  const recordings = createRecordings({ redaction, isOn: isKept && section.record_turns !== "false" });
  const spans = createSpans(from.find(Telemetry), clock);
  const tables = createGatewayStore({ truth, history: () => opened.history, clock });
  const store = measuredStore(countingStore(tables, counters, metrics), spans, clock);
  const log = createEventLog({ store: () => store.history, clock, events, redaction, log: logger, isKept });
  const failPoint = createFailPoint(from.get(Environment));
  const channels = () => from.find(Channels);
  const aliases = createAliases(store.aliases);
  const stages = orderedOnce(() => from.all(TurnStages));
  const outbox = createOutbox({
    store,
    log,
    logger,
    clock,
    failPoint,
    channels,
    sendTimeoutMs: (type) => from.all(ChannelAdapters).find((adapter) => adapter.type === type)?.sendTimeoutMs,
    random: Math.random,
    record: aliases.record,
    changed: () => gateway.changed(),
  });
  const runner = createTurnRunner({
    stages,
    clock,
    sessions: from.get(Sessions),
    channels,
    commands: () => from.all(ChatCommands),
    store,
    events,
    log,
    logger,
    failPoint,
    link: (channelId) => outbox.link(channelId),
    watch: createTurnWatch(recordings, spans),
  });
  const outcomes = createOutcomes(store, () => from.get(Sessions));
  const errorReply = config.error_reply;
  const tasks = createTaskWork(() => from.all(TaskKinds));
  const work = createItemWork({
    store,
    outbox,
    runner,
    tasks,
    outcomes,
    log,
    recordings,
    logger,
    settings,
    clock,
    failPoint,
    errorReply,
  });
  const gateway: RunningGateway = createGateway({
    store,
    outbox,
    outcomes,
    runner,
    tasks,
    work,
    aliases,
    groups: { store, log, outcomes },
    log,
    logger,
    settings,
    clock,
    failPoint,
    redaction,
    metrics,
    limits: createRateLimits(clock, limitsFrom(config, channels)),
    limitReply: config.limit_reply,
    takesFiles: (channelId) => channels()?.get(channelId)?.capabilities.supports_file_send ?? false,
    comesAgain: (channelId) => channels()?.get(channelId)?.transport === "webhook",
    isOverloaded: () => opened.overload?.is() ?? false,
  });
  const pruning = jobKind({
    kind: PRUNE,
    titles: { en: "Remove old messages, deliveries and traces", zh: "清理旧消息、投递与轨迹" },
    schema: Joi.object({}),
    concurrency: 1,
    async run(_payload, { log: say }) {
      say(`${await store.prune(config.dedupe_ttl_s * 1000)} rows removed`);
    },
  });
  const history = createHistory({ store: store.history, settled: log.flush });
  const nodes = createNodes(store.nodes, clock);
  const deadLetters = createDeadLetters({
    store: store.deadLetters,
    clock,
    log,
    counters,
    resend: (delivery) => outbox.add([delivery]),
    rerun: gateway.rerun,
  });
  const own = () => gateway;
  const startedMs = clock.now();
  const reports = createReports({
    gateway: own,
    store: store.history,
    counters,
    log,
    clock,
    isKept,
    probes: () => from.all(Probes),
    file: () => opened.file,
    version: () => from.get(HostControl).version,
  });
  const filter = () => from.find(MessageFilter);
  const tools = {
    reports,
    history,
    nodes,
    deadLetters,
    submit: createSubmit(gateway, channels),
    status: () => statusOf({ reports, channels, clock, isKept, worker: () => gateway.counts().worker, startedMs }),
    send: (text: DirectText) =>
      sendText(
        { gateway, channels, filter, adapters: () => from.all(ChannelAdapters), sessions: from.get(Sessions) },
        text,
      ),
    startTask: (order: TaskAsked) => startTask(gateway, order),
  };
  return {
    opened,
    /** The tables in the main database, and the file of the history where it is kept. */
    async open(databases: Databases, file: string) {
      stages();
      opened.file = file;
      await migrateTruth(databases, file);
      opened.truth = databases.main;
      if (!isKept) return;
      opened.history = await databases.open(file, { isHistory: true });
      await opened.history.migrate("gateway-history", HISTORY_MIGRATIONS);
    },
    gateway,
    pruning,
    reachable: outbox.reachable,
    tools: [...gatewayReadTools(tools), ...gatewayActionTools(tools)],
    noteLog: { add: (entry: GatewayLogEntry) => log.add(notedEntry(entry)) },
    nodes,
    history,
    reports,
    deadLetters,
    probe: gatewayProbe({ gateway: own, counters, log, metrics }),
    routes: gatewayRoutes({ gateway: own, metrics, history, reports, deadLetters, nodes }),
    noteOverload: (isOverloaded: boolean, lateMs: number) => {
      const message = isOverloaded
        ? `the service is ${Math.round(lateMs)} ms behind: fewer turns run at once`
        : "the service keeps up again";
      log.add({ traceId: newTraceId(clock.now()), status: isOverloaded ? "overload" : "completed", message });
      logger.warn(message);
    },
  };
}

/** Plugins and their stages do not change while they run. */
function orderedOnce(stages: () => readonly TurnStage[]): () => readonly TurnStage[] {
  let ordered: readonly TurnStage[] | undefined;
  return () => {
    ordered ??= orderStages(stages());
    return ordered;
  };
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

/** A channel's own limits, else those of config.ini. */
function limitsFrom(config: GatewayConfig, channels: () => Channels | undefined) {
  return (channelId: string): Limits => {
    const own = (channels()?.get(channelId)?.config.rate_limits ?? {}) as Partial<Limits>;
    return {
      user: own.user ?? config.limit_user_per_minute,
      conversation: own.conversation ?? config.limit_conversation_per_minute,
      channel: own.channel ?? config.limit_channel_per_minute,
    };
  };
}
