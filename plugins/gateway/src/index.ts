import { join } from "node:path";
import Joi from "@hapi/joi";
import {
  AppError,
  ChannelAdapters,
  Channels,
  ChatCommands,
  Clock,
  ConfigSections,
  type ConsoleArea,
  ConsoleAreas,
  type Database,
  Databases,
  definePlugin,
  Environment,
  Gateway,
  GatewayLog,
  type GatewayLogEntry,
  HostControl,
  JobKinds,
  jobKind,
  LiveEvents,
  type Logger,
  MessageFilter,
  newTraceId,
  orderStages,
  Paths,
  Probes,
  RecordLifecycle,
  type RecordPart,
  Redaction,
  Replay,
  type Resolver,
  RouteTables,
  Schedules,
  Sessions,
  SettingDefinitions,
  Settings,
  serviceKey,
  TaskKinds,
  Telemetry,
  ToolTables,
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
import { createSubmissions } from "./mcp-tools-submit.ts";
import { HISTORY_MIGRATIONS } from "./migrations.ts";
import { createMinuteMetrics } from "./minute-metrics.ts";
import { migrateTruth } from "./move-truth.ts";
import { createNodes } from "./nodes.ts";
import { createOutbox } from "./outbox.ts";
import { createOutcomes } from "./outcomes.ts";
import { type Overload, watchOverload } from "./overload.ts";
import { gatewayProbe } from "./probe.ts";
import { createRateLimits, type Limits } from "./rate-limits.ts";
import { createRecordings } from "./recording.ts";
import { createReplay, gatewayFile } from "./replay.ts";
import { createReports } from "./reports.ts";
import { prune } from "./retention.ts";
import { gatewayRoutes } from "./routes.ts";
import { GATEWAY_SETTINGS } from "./settings.ts";
import { createStateCounters } from "./state-counters.ts";
import { createGatewayStore } from "./store.ts";
import { createTaskWork } from "./task-work.ts";
import { createTurnRunner } from "./turn-runner.ts";
import { createSpans, measuredStore } from "./turn-spans.ts";
import { createTurnWatch } from "./turn-watch.ts";

const LOCAL_NODE = "local";
const HEARTBEAT_MS = 30_000;
const HOUR_MS = 3_600_000;
const PRUNE = "gateway.prune";

interface GatewayConfig {
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
interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("gateway.own");

const perMinute = (most: number, what: string) =>
  Joi.number().integer().min(0).default(most).description(`Messages a minute of one ${what}; 0: no limit`);

/** Every message in, every reply out: stored, run in order, delivered, accounted for. */
export default definePlugin<GatewayConfig>({
  id: "gateway",
  requires: [Databases, Schedules, Sessions, Settings],
  config: Joi.object<GatewayConfig, true>({
    dedupe_ttl_s: Joi.number()
      .integer()
      .min(86_400)
      .default(259_200)
      .description("How long copies of a message are recognised, in seconds"),
    error_reply: Joi.string()
      .allow("")
      .max(500)
      .default("Sorry, this could not be answered. Please try again later.")
      .description("What people on a channel are told when their message could not be answered; empty: nothing"),
    limit_reply: Joi.string()
      .allow("")
      .max(500)
      .default("That was too much at once. Please wait a minute.")
      .description("What people on a channel are told, once a minute, when they write too much; empty: nothing"),
    limit_user_per_minute: perMinute(20, "user"),
    limit_conversation_per_minute: perMinute(60, "conversation"),
    limit_channel_per_minute: perMinute(6_000, "channel"),
  }),
  register({ config, log, provide, contribute }) {
    provide(Own, (from) => assemble(from, config, log));
    provide(Gateway, (from) => from.get(Own).submissions.gateway);
    provide(Replay, replayFrom);
    contribute(Probes, (from) => from.get(Own).probe);
    provide(GatewayLog, (from) => from.get(Own).noteLog);
    contribute(
      ConsoleAreas,
      (): ConsoleArea => ({
        id: "gateway",
        group: "system",
        title: { en: "Gateway", zh: "网关" },
        icon: "gateway",
        order: 10,
        view: { kind: "page", page: "gateway" },
      }),
    );
    contribute(RouteTables, (from) => from.get(Own).routes);
    contribute(ToolTables, (from) => from.get(Own).tools);
    contribute(JobKinds, (from) => from.get(Own).pruning);
    contribute(
      RecordLifecycle,
      (from): RecordPart => ({
        id: "gateway.turns",
        of: "session",
        leaving: (id) => from.get(Own).gateway.abandon(id),
      }),
    );
    for (const offered of GATEWAY_SETTINGS) contribute(SettingDefinitions, () => offered);
  },
  async start({ get, log, defer }) {
    const own = get(Own);
    await own.open(get(Databases), gatewayFile(get(Paths), get(ConfigSections)));
    own.opened.overload = watchOverload(own.noteOverload);
    defer(() => own.opened.overload?.[Symbol.dispose]());
    defer(() => own.gateway.shutDown());
    await own.gateway.start();
    defer(
      get(LiveEvents).subscribe(({ type, payload }) => {
        if (type === "channel_status" && payload.connected === true) own.reachable(String(payload.channel_id));
      }),
    );
    await own.nodes.register(
      { node_id: LOCAL_NODE, node_type: "gateway", version: get(HostControl).version },
      LOCAL_NODE,
    );
    const beat = async (state?: "draining" | "offline") => {
      const { running, places } = own.gateway.counts();
      const load = Math.min(1, running / places);
      await own.nodes.heartbeat(LOCAL_NODE, state ?? (load >= 1 ? "busy" : load === 0 ? "idle" : "online"), load);
    };
    const timer = setInterval(() => {
      beat().catch((error) => log.warn("the node could not report", { error }));
    }, HEARTBEAT_MS);
    defer(async () => {
      clearInterval(timer);
      await beat("draining").catch((error) => log.warn("the node could not say that it stops", { error }));
    });
  },
  async ready({ get }) {
    await get(Schedules).put({ id: PRUNE, kind: PRUNE, payload: {}, everyMs: HOUR_MS, madeUpWithinMs: 24 * HOUR_MS });
  },
});

function assemble(from: Resolver, config: GatewayConfig, logger: Logger) {
  const clock = from.get(Clock);
  const settings = from.get(Settings);
  const opened: Opened = { truth: undefined, history: undefined, file: "", overload: undefined };
  const isOpen = (database: Database | undefined): Database => {
    if (!database) throw new AppError("unavailable", "the gateway is not open");
    return database;
  };
  const truth = () => isOpen(opened.truth);
  const historyFile = () => isOpen(opened.history);
  const section = from.get(ConfigSections).section("gateway");
  const isKept = section.storage_enabled !== "false";
  const redaction = from.get(Redaction);
  const events = from.get(LiveEvents);
  const log = createEventLog({ database: historyFile, clock, events, redaction, log: logger, isKept });
  const counters = createStateCounters();
  const metrics = createMinuteMetrics(clock);
  const recordings = createRecordings({ redaction, isOn: isKept && section.record_turns !== "false" });
  const spans = createSpans(from.find(Telemetry), clock);
  const stored = countingStore(createGatewayStore({ database: truth, clock }), counters, metrics);
  const store = measuredStore(stored, spans, clock);
  const failPoint = createFailPoint(from.get(Environment));
  const channels = () => from.find(Channels);
  const aliases = createAliases(truth, clock);
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
      const removed = await prune({ truth: truth(), history: opened.history }, clock, config.dedupe_ttl_s * 1000);
      say(`${removed} rows removed`);
    },
  });
  const history = createHistory({ truth, history: historyFile, isKept, settled: log.flush });
  const nodes = createNodes(truth, clock);
  const deadLetters = createDeadLetters({
    database: truth,
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
    history: () => opened.history,
    counters,
    log,
    clock,
    isKept,
    probes: () => from.all(Probes),
    file: () => opened.file,
    version: () => from.get(HostControl).version,
  });
  const submissions = createSubmissions(gateway, channels);
  const filter = () => from.find(MessageFilter);
  const tools = {
    reports,
    history,
    nodes,
    deadLetters,
    submit: submissions.submit,
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
    submissions,
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

const replayFrom = (from: Resolver) =>
  createReplay({
    truth: () => join(from.get(Paths).data, "parley.db"),
    history: () => gatewayFile(from.get(Paths), from.get(ConfigSections)),
    stages: () => from.all(TurnStages),
    sessions: () => from.get(Sessions),
    redaction: from.get(Redaction),
    clock: from.get(Clock),
  });

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
