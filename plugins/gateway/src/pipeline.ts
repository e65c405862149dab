import {
  ChannelAdapters,
  Channels,
  ChatCommands,
  Collections,
  type Database,
  Environment,
  LiveEvents,
  Nodes,
  orderStages,
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
import { createAliases } from "./aliases.ts";
import { CUT_REPLY, ERROR_REPLY, type GatewayConfig, LIMIT_REPLY, SLOW_REPLY } from "./config.ts";
import { type CopyTimes, createCopyTimes } from "./copy-times.ts";
import { createDelayNotices } from "./delay-notices.ts";
import { createFailPoint } from "./fail-point.ts";
import { createGateway, type RunningGateway } from "./gateway.ts";
import { createItemWork } from "./item-work.ts";
import type { MinuteMetrics } from "./minute-metrics.ts";
import { createOtherNodes, type KeptSwitch } from "./other-nodes.ts";
import { createOutbox, type Outbox, type OutboxParts } from "./outbox.ts";
import { createOutcomes } from "./outcomes.ts";
import { createRateLimits, type Limits, type RateLimitsParts } from "./rate-limits.ts";
import type { Recordings } from "./recording.ts";
import type { Sharing } from "./sharing.ts";
import { createTaskWork } from "./task-work.ts";
import { createTurnRunner } from "./turn-runner.ts";
import type { Spans } from "./turn-spans.ts";
import { createTurnWatch } from "./turn-watch.ts";
import { createWaitingEverywhere } from "./waiting-everywhere.ts";

export interface PipelineParts extends Pick<OutboxParts, "store" | "log" | "logger" | "clock"> {
  readonly from: Resolver;
  readonly config: GatewayConfig;
  readonly redaction: Redaction;
  readonly metrics: MinuteMetrics;
  readonly recordings: Recordings;
  readonly spans: Spans | undefined;
  /** Of several nodes. */
  readonly sharing: Sharing | undefined;
  readonly truth: () => Database;
  /** True while turns should be fewer: the event loop is late. */
  readonly isOverloaded: () => boolean;
}

/** The way of a message: in at the gateway, through its turn, out by the outbox. */
export interface Pipeline {
  readonly gateway: RunningGateway;
  readonly outbox: Outbox;
  readonly stages: () => readonly TurnStage[];
  readonly channels: () => Channels | undefined;
  readonly copyTimes: CopyTimes;
}

export function createPipeline(parts: PipelineParts): Pipeline {
  const { from, store, config } = parts;
  const channels = () => from.find(Channels);
  const copyTimes = createCopyTimes(config, channels);
  const failPoint = createFailPoint(from.get(Environment));
  const stages = orderedOnce(() => from.all(TurnStages));
  const aliases = createAliases({ store: store.aliases, signals: () => from.find(Signals), log: parts.logger });
  const outbox = createOutbox({
    ...parts,
    failPoint,
    channels,
    sendTimeoutMs: (type) => from.all(ChannelAdapters).find((adapter) => adapter.type === type)?.sendTimeoutMs,
    random: Math.random,
    record: aliases.record,
    changed: () => gateway.changed(),
  });
  const runner = createTurnRunner({
    ...parts,
    stages,
    sessions: from.get(Sessions),
    channels,
    commands: () => from.all(ChatCommands),
    events: from.get(LiveEvents),
    failPoint,
    link: outbox.link,
    watch: createTurnWatch(parts.recordings, parts.spans),
  });
  const outcomes = createOutcomes(store, () => from.get(Sessions), parts.sharing !== undefined);
  const isWebhook = (channelId: string) => channels()?.get(channelId)?.transport === "webhook";
  const others =
    parts.sharing &&
    createOtherNodes({
      kept: () => from.get(Collections).open<KeptSwitch>("gateway-worker"),
      nodes: from.get(Nodes),
      signals: from.get(Signals),
      write: (writes) => parts.truth().write(writes),
      log: parts.logger,
    });
  // A connection is one node's alone, what comes by calls comes to any.
  const tell: RateLimitsParts["tell"] =
    others && ((channelId, key, by) => isWebhook(channelId) && others.counted(key, by));
  const tasks = createTaskWork(() => from.all(TaskKinds));
  const notices = createDelayNotices({
    ...parts,
    outbox,
    events: from.get(LiveEvents),
    isAsking: (sessionId) => from.find(ToolConfirmations)?.isAsking(sessionId) ?? false,
    slowReply: config.slow_reply ?? SLOW_REPLY,
  });
  const shared = { ...parts, outbox, notices, runner, outcomes, tasks, failPoint, settings: from.get(Settings) };
  const gateway = createGateway({
    ...shared,
    work: createItemWork({
      ...shared,
      errorReply: config.error_reply ?? ERROR_REPLY,
      cutReply: config.cut_reply ?? CUT_REPLY,
    }),
    aliases,
    addressLimit: config.limit_address_per_minute,
    groups: { ...parts, outcomes },
    limits: createRateLimits({ clock: parts.clock, limitsOf: limitsFrom(config, channels), tell }),
    others,
    waitingEverywhere: others && ((own) => createWaitingEverywhere({ ...parts, own, log: parts.logger })),
    copiesMs: copyTimes.of,
    limitReply: config.limit_reply ?? LIMIT_REPLY,
    takesFiles: (channelId) => channels()?.get(channelId)?.capabilities.supports_file_send ?? false,
    comesAgain: isWebhook,
    refuseOpen: (sessionId) => from.find(ToolConfirmations)?.refuseOpen(sessionId),
  });
  return { gateway, outbox, stages, channels, copyTimes };
}

/** Plugins and their stages do not change while they run. */
function orderedOnce(stages: () => readonly TurnStage[]): () => readonly TurnStage[] {
  let ordered: readonly TurnStage[] | undefined;
  return () => {
    ordered ??= orderStages(stages());
    return ordered;
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
