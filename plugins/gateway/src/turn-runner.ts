import {
  type ChannelLink,
  type Channels,
  type ChatCommand,
  type Clock,
  type Effect,
  type InboundMessage,
  type LiveEvents,
  type Logger,
  type RunningTurn,
  runTurn,
  type Sessions,
  type ToldFailure,
  TURN_PHASES,
  type Turn,
  type TurnContext,
  type TurnPhase,
  type TurnStage,
} from "@parley/core";
import { staysHere } from "./deliveries.ts";
import type { EventLog } from "./event-log.ts";
import type { FailPoint } from "./fail-point.ts";
import { createShownDraft, type ShownDraft } from "./shown-draft.ts";
import type { Draft } from "./store/turns.ts";
import type { GatewayStore } from "./store.ts";
import { once } from "./tool-once.ts";
import { createTurnEffects, type TurnEffects } from "./turn-effects.ts";
import { createTurnProgress, type TurnProgress } from "./turn-progress.ts";
import { createTurnStream, type TurnStream } from "./turn-stream.ts";
import type { TurnWatch, WatchTurn } from "./turn-watch.ts";

const RECORDING: ReadonlySet<TurnPhase> = new Set(["prepare", "screen", "record-user"]);
const NO_CAPABILITIES = {
  supports_stream: false,
  supports_progress_updates: false,
  supports_file_send: false,
  supports_stop: false,
};

export interface TurnRunnerParts {
  /** In the order they run. */
  readonly stages: () => readonly TurnStage[];
  readonly sessions: Sessions;
  readonly channels: () => Channels | undefined;
  readonly commands: () => readonly ChatCommand[];
  readonly store: GatewayStore;
  readonly events: LiveEvents;
  readonly log: EventLog;
  readonly logger: Logger;
  readonly failPoint: FailPoint;
  /** The sending side of a channel, as it is now. */
  readonly link: (channelId: string) => ChannelLink | undefined;
  readonly watch: WatchTurn;
  readonly clock: Pick<Clock, "monotonic">;
}

export interface TurnRun {
  readonly traceId: string;
  readonly itemId: string;
  readonly fence: number;
  readonly message: InboundMessage;
  readonly draft: Draft | undefined;
  /** An earlier run of it was interrupted. */
  readonly isRepeated: boolean;
  readonly signal: AbortSignal;
}

/** One turn under way. */
export interface StartedTurn {
  readonly ended: Promise<Turn>;
  state(): Omit<RunningTurn, "startedAt">;
  /** The platform message that showed the answer while it was made; undefined when none did. */
  draftId(): Promise<string | undefined>;
  /** People see something of the answer on its platform. */
  isShown(): boolean;
  /** The same, or those who watch it in the console do, or see what is done for it. */
  isSeen(): boolean;
  /** What the end of the turn writes; `turn` absent: as far as it came. */
  effects(turn: Turn | undefined, isApplied: boolean, more?: readonly Effect[]): Promise<readonly Effect[]>;
  /** An answer of it was kept. */
  hasDraft(): boolean;
  /** Milliseconds of each phase that is over and took some. */
  times(): Readonly<Record<string, number>>;
  /** Tells the stages and those who watch that it ended without an answer; `error`: it failed for good. What that leaves. */
  unanswered(error: ToldFailure | null): Promise<readonly Effect[]>;
}

export interface TurnRunner {
  start(run: TurnRun): StartedTurn;
  /** Tells the stages and those who watch that a message gets no answer although no turn of it runs. Gives what that leaves. */
  endUnrun(run: Pick<TurnRun, "traceId" | "message" | "draft">, error: ToldFailure): Promise<readonly Effect[]>;
  /** A command that does not wait for the turns before it. */
  isImmediate(message: InboundMessage): boolean;
}

/** One turn with what it needs until it is over. */
interface UnderWay {
  readonly parts: TurnRunnerParts;
  readonly run: TurnRun;
  readonly effects: TurnEffects;
  readonly watched: TurnWatch;
  readonly shown: ShownDraft;
  readonly progress: TurnProgress;
  stream: TurnStream | undefined;
}

export function createTurnRunner(parts: TurnRunnerParts): TurnRunner {
  return {
    isImmediate({ text }) {
      const [word = ""] = text.trim().split(/\s+/, 1);
      return parts
        .commands()
        .some(({ name, aliases = [], isImmediate }) => isImmediate && [name, ...aliases].includes(word));
    },
    start: (run) => startTurn(parts, run),
    async endUnrun(run, error) {
      return tellUnanswered(parts, await firstTurn(parts, run), error);
    },
  };
}

function startTurn(parts: TurnRunnerParts, run: TurnRun): StartedTurn {
  const { store, logger, failPoint, clock } = parts;
  const { traceId, fence, message } = run;
  const effects = createTurnEffects(store.writeEarly);
  const watched = parts.watch({ traceId, fence, from: firstPhase(run) });
  const progress = createTurnProgress({ store, failPoint, clock, effects, watched, run });
  const shown = createShownDraft({ store, logger, traceId, message, isRepeated: fence > 1 });
  const one: UnderWay = { parts, run, effects, watched, shown, progress, stream: undefined };
  return {
    ended: runStages(one),
    draftId: shown.messageId,
    isShown: shown.isShown,
    isSeen: () => shown.isShown() || (staysHere(message) && isWatched(one.stream)),
    state: () => ({
      traceId,
      stage: progress.stage(),
      ...(one.stream?.said() ?? { messageId: null, sender: "", text: "" }),
    }),
    effects: (turn, isApplied, more) => effects.take(turn ?? progress.last(), isApplied, more),
    hasDraft: progress.hasDraft,
    times: progress.times,
    unanswered: (error) => unanswered(one, error),
  };
}

/** Tells whether the people who watch a turn can see any of its answer. */
function isWatched(stream: TurnStream | undefined): boolean {
  const { text = "", card } = stream?.said() ?? {};
  return text !== "" || card !== undefined;
}

/** The phase it begins with: a turn whose answer was kept goes on after it. */
function firstPhase({ draft }: TurnRun): TurnPhase {
  return (draft && TURN_PHASES[TURN_PHASES.indexOf(draft.phase) + 1]) ?? "prepare";
}

async function runStages(one: UnderWay): Promise<Turn> {
  const { parts, run, watched, shown, progress } = one;
  try {
    const turn = await firstTurn(parts, run);
    progress.began(turn);
    watched.began(turn);
    const isGuarded = parts.stages().some((stage) => stage.guardsStream?.(turn));
    if (turn.capabilities.supports_stream && !isGuarded && !endsHere(turn))
      shown.begin(parts.link(run.message.channelId));
    const stream = createTurnStream({ ...run, sessionId: turn.session.id, events: parts.events, isGuarded });
    one.stream = stream;
    const context = contextOf(one);
    const onPhase = (phase: TurnPhase, now: Turn) => progress.reached(phase, now, context, stream);
    const ended = await runTurn(turn, { stages: stagesFor(parts, run), context, onPhase, from: firstPhase(run) });
    watched.ended(ended);
    if (ended.stopped) stream.end("filtered");
    return ended;
  } catch (error) {
    watched.failed(error);
    one.stream?.end("error");
    await shown.end();
    throw error;
  }
}

async function firstTurn(
  { sessions, channels }: TurnRunnerParts,
  { traceId, message, draft }: Pick<TurnRun, "traceId" | "message" | "draft">,
): Promise<Turn> {
  const session = await sessions.openFor(message);
  if (draft) return { ...draft.turn, inbound: message, session, history: [], prompt: [] };
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

function stagesFor({ stages }: TurnRunnerParts, { message: { addressed, kind } }: TurnRun): readonly TurnStage[] {
  const runs = addressed && (kind === "message" || kind === "regenerate");
  return runs ? stages() : stages().filter(({ phase }) => RECORDING.has(phase));
}

function contextOf({ parts, run, effects, watched, shown, progress, stream }: UnderWay): TurnContext {
  const { store, log, failPoint } = parts;
  const { traceId, itemId, message, signal, isRepeated } = run;
  return {
    signal,
    isRepeated,
    record: effects.record,
    emit(event) {
      stream?.emit(event);
      if (event.type === "start") shown.restart();
      if (event.type === "delta") shown.grow(event.text);
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
      progress.actedOnce();
      return watched.once(key, () => once({ store, failPoint, traceId, key }, call));
    },
    external: (call) => watched.external(call),
  };
}

async function unanswered({ parts, progress }: UnderWay, error: ToldFailure | null): Promise<readonly Effect[]> {
  const turn = progress.last();
  return turn ? tellUnanswered(parts, turn, error) : [];
}

async function tellUnanswered(
  parts: TurnRunnerParts,
  turn: Turn,
  error: ToldFailure | null,
): Promise<readonly Effect[]> {
  const left: Effect[] = [];
  for (const one of parts.stages()) {
    try {
      left.push(...((await one.unanswered?.(turn, error)) ?? []));
    } catch (cause) {
      parts.logger.error("a stage could not clean up", { stage: one.id, error: cause });
    }
  }
  if (!error) return left;
  parts.events.publish({
    type: "turn_error",
    session_id: turn.session.id,
    durable: true,
    payload: { trace_id: turn.traceId, ...error },
  });
  return left;
}

/** Nothing is shown on a platform while the answer is made. */
function endsHere({ inbound }: Turn): boolean {
  return staysHere(inbound) || !inbound.addressed;
}
