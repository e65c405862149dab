import {
  type ChannelLink,
  type Channels,
  type ChatCommand,
  type Clock,
  type Effect,
  type ElementHandler,
  type InboundMessage,
  type LiveEvents,
  type LocalizedError,
  type Logger,
  type Message,
  type RunningTurn,
  runTurn,
  type Session,
  type Sessions,
  type Spender,
  senderAddress,
  TURN_PHASES,
  type Turn,
  type TurnContext,
  type TurnPhase,
  type TurnStage,
  type UnansweredReason,
} from "@parley/core";
import { getNamePrefix, isConsoleOnly } from "../../deliver/deliveries.ts";
import type { StoppedParts } from "../../deliver/parts/stopped-parts.ts";
import type { FailPoint } from "../../fail-point.ts";
import type { EventLog } from "../../observe/event-log.ts";
import type { ObserveTurn, TurnObserver } from "../../observe/turn-observer.ts";
import type { GatewayStore } from "../../store/gateway-store.ts";
import { AnsweredLater } from "../bursts/answered-later.ts";
import { runOnce } from "./run-once.ts";
import { createStreamingDraft, type StreamingDraft } from "./streaming-draft.ts";
import { createTurnEffects, type TurnEffects } from "./turn-effects.ts";
import { createTurnProgress, type TurnProgress } from "./turn-progress.ts";
import type { TurnRun } from "./turn-run.ts";
import { createTurnStream, type TurnStream } from "./turn-stream.ts";

const RECORDING_PHASES: ReadonlySet<TurnPhase> = new Set(["prepare", "screen", "record-user"]);
const NO_CAPABILITIES = {
  supports_stream: false,
  supports_progress_updates: false,
  supports_file_send: false,
  supports_stop: false,
};

export interface TurnRunnerDeps {
  /** Returns all stages in the order in which they run. */
  readonly stages: () => readonly TurnStage[];
  readonly sessions: Sessions;
  readonly channels: () => Channels | undefined;
  readonly commands: () => readonly ChatCommand[];
  readonly findHandler: (id: string) => ElementHandler | undefined;
  readonly store: GatewayStore;
  readonly events: LiveEvents;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly failPoint: FailPoint;
  /** Returns the current link of a channel. */
  readonly link: (channelId: string) => ChannelLink | undefined;
  readonly observe: ObserveTurn;
  readonly clock: Pick<Clock, "monotonic">;
  /** Removes from the stored answers of a session what was not sent because the person wrote again. */
  readonly recordUnsaid: StoppedParts["record"];
}

/** A turn that is running. */
export interface StartedTurn {
  readonly ended: Promise<Turn>;
  state(): Omit<RunningTurn, "startedAt">;
  /** Ends the streaming draft and returns its platform id; undefined when there is none. */
  endDraft(): Promise<string | undefined>;
  /** True when people see part of the reply on the platform. */
  isVisibleOnPlatform(): boolean;
  /** True when people on the platform or in the console see part of the reply, or progress. */
  isVisible(): boolean;
  /** Returns the user's message once it is recorded. */
  userMessage(): Message | null;
  /** True while nobody can have seen part of the reply, and no tool has changed something. */
  canStartOver(): boolean;
  /** Returns the effects for the end of the turn. Without `turn`, they are those of its progress so far. */
  effects(turn: Turn | undefined, isApplied: boolean, more?: readonly Effect[]): Promise<readonly Effect[]>;
  /** True when a draft of the reply is stored. */
  hasDraft(): boolean;
  /** Returns the milliseconds of each completed phase, without phases that took no time. */
  getPhaseTimes(): Readonly<Record<string, number>>;
  /**
   * Notifies stages and clients that the turn has no reply; returns effects. `error` is set if it failed for good, `ended`
   * is the turn when it ran to its end.
   */
  endUnanswered(error: LocalizedError | null, reason: UnansweredReason, ended?: Turn): Promise<readonly Effect[]>;
  /** The same for a message that shares the answer to a later one, whose trace is `answeredWith`. */
  endMerged(reason: UnansweredReason, answeredWith: string): Promise<readonly Effect[]>;
}

export interface TurnRunner {
  start(run: TurnRun): StartedTurn;
  /** Notifies stages and clients that a message without a running turn gets no reply; returns the effects. */
  endWithoutTurn(
    run: Pick<TurnRun, "traceId" | "message" | "draft">,
    error: LocalizedError,
  ): Promise<readonly Effect[]>;
  /** True for a command that does not wait for earlier turns. */
  isImmediate(message: InboundMessage): boolean;
}

/** State of one running turn. */
interface RunState {
  readonly deps: TurnRunnerDeps;
  readonly run: TurnRun;
  readonly effects: TurnEffects;
  readonly observer: TurnObserver;
  readonly draft: StreamingDraft;
  readonly progress: TurnProgress;
  stream: TurnStream | undefined;
}

export function createTurnRunner(deps: TurnRunnerDeps): TurnRunner {
  return {
    isImmediate: ({ text, press }) =>
      press?.handler === undefined
        ? findCommand(deps.commands(), text)?.isImmediate === true
        : deps.findHandler(press.handler)?.isImmediate === true,
    start: (run) => startTurn(deps, run),
    async endWithoutTurn(run, error) {
      return notifyUnanswered(deps, await createInitialTurn(deps, run), error, "failed");
    },
  };
}

/** Returns the chat command that a text calls. */
export function findCommand(commands: readonly ChatCommand[], text: string): ChatCommand | undefined {
  const [word = ""] = text.trim().split(/\s+/, 1);
  return commands.find(({ name, aliases = [] }) => [name, ...aliases].includes(word));
}

function startTurn(deps: TurnRunnerDeps, run: TurnRun): StartedTurn {
  const { store, logger, failPoint, clock } = deps;
  const { traceId, fence, message } = run;
  const effects = createTurnEffects(store.writeEarly);
  const observer = deps.observe({ traceId, fence, from: getFirstPhase(run) });
  const progress = createTurnProgress({ store, failPoint, clock, effects, observer, run });
  const draft = createStreamingDraft({ store, logger, traceId, message, isRepeated: fence > 1 });
  const state: RunState = { deps, run, effects, observer, draft, progress, stream: undefined };
  return {
    ended: runStages(state),
    endDraft: draft.finish,
    isVisibleOnPlatform: draft.isVisible,
    isVisible: () => draft.isVisible() || (isConsoleOnly(message) && hasVisibleReply(state.stream)),
    userMessage: () => progress.last()?.userMessage ?? null,
    canStartOver: () =>
      !progress.isExpensive() && !draft.hasText() && !(isConsoleOnly(message) && hasVisibleReply(state.stream)),
    state: () => ({
      traceId,
      stage: progress.stage(),
      ...(state.stream?.getPartialReply() ?? { messageId: null, sender: "", text: "" }),
    }),
    effects: (turn, isApplied, more) => effects.take(turn ?? progress.last(), isApplied, more),
    hasDraft: progress.hasDraft,
    getPhaseTimes: progress.getPhaseTimes,
    async endMerged(reason, answeredWith) {
      const ended = progress.last();
      return ended ? notifyUnanswered(deps, { ...ended, answeredWith }, null, reason) : [];
    },
    async endUnanswered(error, reason, ended = progress.last()) {
      return ended ? notifyUnanswered(deps, ended, error, reason) : [];
    },
  };
}

/** True when part of the reply is visible to clients. */
function hasVisibleReply(stream: TurnStream | undefined): boolean {
  const { text = "", card } = stream?.getPartialReply() ?? {};
  return text !== "" || card !== undefined;
}

/** Returns the first phase to run: the phase after the stored draft, or `prepare` when there is none. */
function getFirstPhase({ draft }: TurnRun): TurnPhase {
  return (draft && TURN_PHASES[TURN_PHASES.indexOf(draft.phase) + 1]) ?? "prepare";
}

async function runStages(state: RunState): Promise<Turn> {
  const { deps, run, observer, draft, progress } = state;
  try {
    const turn = await createInitialTurn(deps, run);
    if (turn.session.reply_style === "sentences") await deps.recordUnsaid(turn.session.id);
    progress.onStarted(turn);
    observer.onStarted(turn);
    const isGuarded = deps.stages().some((stage) => stage.guardsStream?.(turn));
    if (turn.capabilities.supports_stream && !isGuarded && !isNeverStreamed(turn))
      draft.begin(deps.link(run.message.channelId));
    const stream = createTurnStream({ ...run, sessionId: turn.session.id, events: deps.events, isGuarded });
    state.stream = stream;
    const context = createTurnContext(state, turn.session);
    const onPhase = (phase: TurnPhase, now: Turn) => {
      const stored = progress.onPhaseDone(phase, now, context, stream);
      return phase === "record-user" && canBeAnswered(now) ? run.beforeAnswer(now) : stored;
    };
    const ended = await runTurn(turn, { stages: selectStages(deps, run), context, onPhase, from: getFirstPhase(run) });
    observer.onEnded(ended);
    if (ended.stopped) stream.end("filtered");
    return ended;
  } catch (error) {
    observer.onFailed(error);
    state.stream?.end(run.signal.reason instanceof AnsweredLater ? "stopped" : "error");
    await draft.end();
    throw error;
  }
}

/** True when the turn goes on to ask a model: it is not stopped, and no command has replied. */
function canBeAnswered({ replies, stopped }: Turn): boolean {
  return replies.length === 0 && !stopped;
}

async function createInitialTurn(
  { sessions, channels }: TurnRunnerDeps,
  { traceId, message, draft }: Pick<TurnRun, "traceId" | "message" | "draft">,
): Promise<Turn> {
  const session = await sessions.openFor(message, draft?.turn.speakerId);
  // A reply was begun, so the message was one to answer.
  if (draft) return { ...draft.turn, inbound: { ...message, addressed: true }, session, history: [], prompt: [] };
  return {
    traceId,
    inbound: message,
    session,
    capabilities: channels()?.get(message.channelId)?.capabilities ?? NO_CAPABILITIES,
    text: message.text,
    attachments: message.attachments,
    history: [],
    prompt: [],
    replies: [],
    filter: { rules: [], filtered: false, blocked: false },
    effects: [],
    data: {},
  };
}

/** Returns the stages that run: those that record for an edit or deletion, and no commands for a message that is not for the bot. */
function selectStages({ stages }: TurnRunnerDeps, { message: { addressed, kind } }: TurnRun): readonly TurnStage[] {
  if (kind !== "message" && kind !== "regenerate") return stages().filter(({ phase }) => RECORDING_PHASES.has(phase));
  return addressed ? stages() : [...stages().filter(({ phase }) => phase !== "command"), UNADDRESSED_STAGE];
}

/** Ends the turn of a message that is not for the bot once it is recorded, unless a stage has made it one to answer. */
const UNADDRESSED_STAGE: TurnStage = {
  id: "gateway.unaddressed",
  phase: "record-user",
  concerns: ({ inbound }) => !inbound.addressed,
  run: async (turn) => ({ ...turn, stopped: { by: "gateway.unaddressed", reason: "ignored" } }),
};

function createTurnContext(
  { deps, run, effects, observer, draft, progress, stream }: RunState,
  session: Session,
): TurnContext {
  const { store, log, failPoint } = deps;
  const { traceId, itemId, message, signal, isRepeated } = run;
  return {
    signal,
    isRepeated,
    // The character that answers is known only after the message is recorded.
    get spender() {
      return toSpender(message, progress.last()?.session ?? session);
    },
    record: effects.record,
    emit(event) {
      stream?.emit(event);
      if (event.type === "start") draft.restart(getNamePrefix(progress.last()?.session ?? session));
      if (event.type === "delta") draft.append(event.text);
    },
    trace: ({ status, message: text, metadata }) =>
      log.add({
        traceId,
        status,
        message: text,
        channelId: message.channelId,
        itemId,
        ...(metadata && { metadata }),
      }),
    once(key, call) {
      progress.markExpensive();
      return observer.once(key, () => runOnce({ store, failPoint, traceId, key }, call));
    },
    external: (call) => observer.external(call),
  };
}

function toSpender(message: InboundMessage, { character_id }: Session): Spender {
  const { accountId, apiKeyId } = message.sender;
  return {
    person: senderAddress(message),
    channelId: message.channelId,
    ...(character_id !== null && { characterId: character_id }),
    ...(apiKeyId !== undefined && { apiKeyId }),
    ...(accountId !== undefined && { accountId }),
  };
}

async function notifyUnanswered(
  deps: TurnRunnerDeps,
  turn: Turn,
  error: LocalizedError | null,
  reason: UnansweredReason,
): Promise<readonly Effect[]> {
  const effects: Effect[] = [];
  const ended = { ...turn, unansweredReason: reason };
  for (const stage of deps.stages()) {
    try {
      effects.push(...((await stage.unanswered?.(ended, error)) ?? []));
    } catch (cause) {
      deps.logger.error("a stage could not clean up", { stage: stage.id, error: cause });
    }
  }
  if (!error) return effects;
  deps.events.publish({
    type: "turn_error",
    session_id: turn.session.id,
    durable: true,
    payload: { trace_id: turn.traceId, ...error },
  });
  return effects;
}

/** True when the reply is never streamed to a platform. */
function isNeverStreamed({ inbound }: Turn): boolean {
  return isConsoleOnly(inbound) || !inbound.addressed;
}
