import {
  ChannelAdapters,
  Channels,
  ChatCommands,
  type Database,
  type ElementHandler,
  Environment,
  LiveEvents,
  Nodes,
  orderStages,
  RecordStore,
  type Redaction,
  type Resolver,
  Sessions,
  Settings,
  Signals,
  TaskKinds,
  ToolConfirmations,
  type TurnStage,
  TurnStages,
} from "@parley/core";
import { createConversationAliases } from "./accept/conversation-aliases.ts";
import { createDedupeTtl, type DedupeTtl } from "./accept/dedupe-ttl.ts";
import { createRateLimits, type Limits, type RateLimitsDeps } from "./accept/rate-limits.ts";
import { createClusterBacklog } from "./cluster/cluster-backlog.ts";
import { createClusterSync, WORKER_SWITCH } from "./cluster/cluster-sync.ts";
import type { Partitioning } from "./cluster/partitioning.ts";
import { CUT_REPLY, ERROR_REPLY, type GatewayConfig, LIMIT_REPLY, SLOW_REPLY } from "./config.ts";
import { createOutbox, type Outbox, type OutboxDeps } from "./deliver/outbox.ts";
import { createStoppedParts } from "./deliver/parts/stopped-parts.ts";
import { createFailPoint } from "./fail-point.ts";
import { createGateway, type RunningGateway } from "./gateway.ts";
import type { MinuteMetrics } from "./observe/metrics/minute-metrics.ts";
import type { StateCounters } from "./observe/metrics/state-counters.ts";
import type { TurnRecordings } from "./observe/replay/turn-recordings.ts";
import { createTurnObserver } from "./observe/turn-observer.ts";
import type { Tracer } from "./observe/turn-spans.ts";
import { createBursts } from "./turn/bursts/bursts.ts";
import { createDelayNotices } from "./turn/delay-notices.ts";
import { createMessageProcessor } from "./turn/message-processor.ts";
import { createOutcomeWaiter } from "./turn/outcome-waiter.ts";
import { createTaskRunner } from "./turn/run/task-runner.ts";
import { createTurnRunner, findCommand } from "./turn/run/turn-runner.ts";

export interface PipelineDeps extends Pick<OutboxDeps, "store" | "log" | "logger" | "clock"> {
  readonly from: Resolver;
  readonly config: GatewayConfig;
  readonly redaction: Redaction;
  readonly metrics: MinuteMetrics;
  readonly counters: Pick<StateCounters, "deliveries">;
  readonly recordings: TurnRecordings;
  readonly tracer: Tracer | undefined;
  /** Set when several nodes share the database. */
  readonly partitioning: Partitioning | undefined;
  readonly main: () => Database;
  /** Returns true when fewer turns should run because the event loop is late. */
  readonly isOverloaded: () => boolean;
  readonly findHandler: (id: string) => ElementHandler | undefined;
}

/** The components that a message passes in order: intake, turn, outbox. */
export interface Pipeline {
  readonly gateway: RunningGateway;
  readonly outbox: Outbox;
  readonly stages: () => readonly TurnStage[];
  readonly channels: () => Channels | undefined;
  readonly dedupeTtl: DedupeTtl;
}

export function createPipeline(deps: PipelineDeps): Pipeline {
  const { from, store, config } = deps;
  const channels = () => from.find(Channels);
  const dedupeTtl = createDedupeTtl(config, channels);
  const failPoint = createFailPoint(from.get(Environment));
  const stages = memoizeOrder(() => from.all(TurnStages));
  const aliases = createConversationAliases({
    store: store.aliases,
    signals: () => from.find(Signals),
    log: deps.logger,
  });
  const outbox = createOutbox({
    ...deps,
    failPoint,
    channels,
    getSendTimeoutMs: (type) => from.all(ChannelAdapters).find((adapter) => adapter.type === type)?.sendTimeoutMs,
    random: Math.random,
    recordMove: aliases.record,
    countCancelled: (id) => deps.counters.deliveries.change(id, "cancelled"),
    onMaybeIdle: () => gateway.onMaybeIdle(),
  });
  const sessions = from.get(Sessions);
  const stoppedParts = createStoppedParts({ ...deps, outbox, sessions });
  const runner = createTurnRunner({
    ...deps,
    stages,
    sessions,
    recordUnsaid: stoppedParts.record,
    channels,
    commands: () => from.all(ChatCommands),
    events: from.get(LiveEvents),
    failPoint,
    link: outbox.link,
    observe: createTurnObserver(deps.recordings, deps.tracer),
  });
  const outcomes = createOutcomeWaiter(store, () => from.get(Sessions), deps.partitioning !== undefined);
  const isWebhook = (channelId: string) => channels()?.get(channelId)?.transport === "webhook";
  const clusterSync =
    deps.partitioning &&
    createClusterSync({
      storedSwitch: () => from.get(RecordStore).documents(WORKER_SWITCH),
      nodes: from.get(Nodes),
      signals: from.get(Signals),
      write: (writes) => deps.main().write(writes),
      log: deps.logger,
    });
  // A connection belongs to one node, but webhook calls reach any node, so only their counts are shared.
  const broadcastCount: RateLimitsDeps["broadcast"] =
    clusterSync && ((channelId, key, by) => isWebhook(channelId) && clusterSync.shareCount(key, by));
  const tasks = createTaskRunner(() => from.all(TaskKinds));
  const notices = createDelayNotices({
    ...deps,
    outbox,
    events: from.get(LiveEvents),
    isAsking: (sessionId) => from.find(ToolConfirmations)?.isAsking(sessionId) ?? false,
    slowReply: config.slow_reply ?? SLOW_REPLY,
  });
  const bursts = createBursts({
    ...deps,
    getChannelType: (channelId) => channels()?.get(channelId)?.type,
    isCommand: (text) => findCommand(from.all(ChatCommands), text) !== undefined,
  });
  const settings = from.get(Settings);
  const shared = { ...deps, outbox, stoppedParts, notices, runner, outcomes, tasks, bursts, failPoint, settings };
  const gateway = createGateway({
    ...shared,
    processor: createMessageProcessor({
      ...shared,
      errorReply: config.error_reply ?? ERROR_REPLY,
      cutReply: config.cut_reply ?? CUT_REPLY,
    }),
    aliases,
    addressLimit: config.limit_address_per_minute,
    groups: { ...deps, outcomes },
    limits: createRateLimits({
      clock: deps.clock,
      getLimits: createLimitsLookup(config, channels),
      broadcast: broadcastCount,
    }),
    clusterSync,
    clusterBacklog: clusterSync && ((own) => createClusterBacklog({ ...deps, own, log: deps.logger })),
    dedupeTtlMs: dedupeTtl.getMs,
    limitReply: config.limit_reply ?? LIMIT_REPLY,
    supportsFiles: (channelId) => channels()?.get(channelId)?.capabilities.supports_file_send ?? false,
    isRetriedByPlatform: isWebhook,
    rejectOpenConfirmations: (sessionId) => from.find(ToolConfirmations)?.refuseOpen(sessionId),
  });
  return { gateway, outbox, stages, channels, dedupeTtl };
}

/** Caches the order of the stages. Plugins and their stages do not change while they run. */
function memoizeOrder(stages: () => readonly TurnStage[]): () => readonly TurnStage[] {
  let ordered: readonly TurnStage[] | undefined;
  return () => {
    ordered ??= orderStages(stages());
    return ordered;
  };
}

/** Returns a function that finds the limits of a channel: its own, else those of config.ini. */
function createLimitsLookup(config: GatewayConfig, channels: () => Channels | undefined) {
  return (channelId: string): Limits => {
    const own = (channels()?.get(channelId)?.config.rate_limits ?? {}) as Partial<Limits>;
    return {
      user: own.user ?? config.limit_user_per_minute,
      conversation: own.conversation ?? config.limit_conversation_per_minute,
      channel: own.channel ?? config.limit_channel_per_minute,
    };
  };
}
