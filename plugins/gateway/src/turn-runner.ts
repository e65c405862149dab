import {
  AppError,
  type ChannelLink,
  type Channels,
  type ChatCommand,
  type Clock,
  type Effect,
  FILTER_NOTICE,
  type InboundMessage,
  type LiveEvents,
  type Logger,
  type Reply,
  type ReplyDraft,
  type RunningTurn,
  runTurn,
  type Sessions,
  TURN_PHASES,
  type Turn,
  type TurnContext,
  type TurnOutcome,
  type TurnPhase,
  type TurnStage,
  tellApplied,
  writesOf,
} from "@parley/core";
import { staysHere } from "./deliveries.ts";
import type { EventLog } from "./event-log.ts";
import type { FailPoint, FailPointName } from "./fail-point.ts";
import type { Draft, GatewayStore } from "./store.ts";
import { createTurnEffects, type TurnEffects } from "./turn-effects.ts";
import { createTurnStream, type FinishReason, type TurnStream } from "./turn-stream.ts";
import type { WatchTurn } from "./turn-watch.ts";

/** An answer that took longer is kept: a turn run again does not ask for it twice. */
const DEAR_MS = 2_000;
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
  /** What the end of the turn writes; `turn` absent: as far as it came. */
  effects(turn: Turn | undefined, isApplied: boolean, more?: readonly Effect[]): Promise<readonly Effect[]>;
  /** An answer of it was kept. */
  hasDraft(): boolean;
  /** Tells the stages and those who watch that it ended without an answer; `error`: it failed for good. What that leaves. */
  unanswered(error: { readonly code: string; readonly error: string } | null): Promise<readonly Effect[]>;
}

export interface TurnRunner {
  start(run: TurnRun): StartedTurn;
  /** A command that does not wait for the turns before it. */
  isImmediate(message: InboundMessage): boolean;
}

export function createTurnRunner(parts: TurnRunnerParts): TurnRunner {
  const { stages, sessions, channels, commands, store, events, log, logger, failPoint, link, watch, clock } = parts;

  const firstTurn = async ({ traceId, message, draft }: TurnRun): Promise<Turn> => {
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
  };
  const stagesFor = ({ addressed, kind }: InboundMessage) => {
    const runs = addressed && (kind === "message" || kind === "regenerate");
    return runs ? stages() : stages().filter(({ phase }) => RECORDING.has(phase));
  };

  return {
    isImmediate({ text }) {
      const [word = ""] = text.trim().split(/\s+/, 1);
      return commands().some(({ name, aliases = [], isImmediate }) => isImmediate && [name, ...aliases].includes(word));
    },
    start(run) {
      const { traceId, itemId, fence, message, draft, signal, isRepeated } = run;
      const effects: TurnEffects = createTurnEffects(store.writeEarly);
      let stream: TurnStream | undefined;
      let stage: TurnPhase = draft ? draft.phase : "prepare";
      let last: Turn | undefined;
      let askedMs = 0;
      let isDear = false;
      let hasDraft = draft !== undefined;
      let growing: ReplyDraft | undefined;
      let shown = "";
      const from = draft && phaseAfter(draft.phase);
      const watched = watch({ traceId, fence, from: from ?? "prepare" });
      // Where a turn runs again after a crash, the message that was shown then is still the one to complete.
      const draftId = async () =>
        (await growing?.end()) ?? (fence > 1 ? ((await store.draftMessage(traceId)) ?? undefined) : undefined);
      const keep = (messageId: string) => {
        store
          .keepDraftMessage(traceId, messageId)
          .catch((error) => logger.warn("what is shown of an answer could not be noted", { traceId, error }));
      };

      const context: TurnContext = {
        signal,
        isRepeated,
        record: effects.record,
        emit(event) {
          stream?.emit(event);
          if (event.type === "delta") shown += event.text;
          if (event.type === "delta") growing?.update(shown);
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
          isDear = true;
          return watched.once(key, () => once({ store, failPoint, traceId, key }, call));
        },
        external: (call) => watched.external(call),
      };
      const keepDraft = async (turn: Turn) => {
        hasDraft = true;
        const early = effects.takeEarly();
        await store.saveDraft(itemId, traceId, fence, { phase: "answer", turn: drafted(turn) }, writesOf(early));
        tellApplied(early, []);
        failPoint("draft-stored");
      };
      const onPhase = (phase: TurnPhase, turn: Turn): Promise<void> | undefined => {
        watched.phase(phase, turn);
        if (phase === "decorate") traceDecoration(last, turn, context);
        stage = phase;
        last = turn;
        const place = REACHED[phase];
        if (place) failPoint(place);
        if (phase === "answer" && !isGuarded) stream?.end(finishOf(turn.replies));
        if (phase === "screen-reply" && turn.filter.blocked) stream?.end("filtered");
        else if (phase === "screen-reply" && isGuarded) {
          stream?.end(finishOf(turn.replies), turn.replies.at(-1)?.text ?? "");
        }
        effects.seen(turn);
        if (phase === "context") askedMs = clock.monotonic();
        if (phase !== "answer" || turn.replies.length === 0) return undefined;
        return isDear || clock.monotonic() - askedMs > DEAR_MS ? keepDraft(turn) : undefined;
      };
      let isGuarded = false;
      const go = async () => {
        const turn = await firstTurn(run);
        last = turn;
        watched.began(turn);
        isGuarded = stages().some((one) => one.guardsStream?.(turn));
        if (turn.capabilities.supports_stream && !isGuarded && !endsHere(turn)) {
          growing = link(message.channelId)?.draft?.(message.conversation, message.platformMessageId, keep);
        }
        stream = createTurnStream({ traceId, sessionId: turn.session.id, events, isGuarded });
        const options = { stages: stagesFor(message), context, onPhase };
        const ended = await runTurn(turn, { ...options, ...(from && { from }) });
        watched.ended(ended);
        if (ended.stopped) stream.end("filtered");
        return ended;
      };
      return {
        ended: go().catch(async (error) => {
          watched.failed(error);
          stream?.end("error");
          await growing?.end();
          throw error;
        }),
        draftId,
        state: () => ({ traceId, stage, ...(stream?.said() ?? { messageId: null, sender: "", text: "" }) }),
        effects: (turn, isApplied, more) => effects.take(turn ?? last, isApplied, more),
        hasDraft: () => hasDraft,
        async unanswered(error) {
          const turn = last;
          if (!turn) return [];
          const left: Effect[] = [];
          for (const one of stages()) {
            try {
              left.push(...((await one.unanswered?.(turn, error)) ?? []));
            } catch (cause) {
              logger.error("a stage could not clean up", { stage: one.id, error: cause });
            }
          }
          if (!error) return left;
          events.publish({
            type: "turn_error",
            session_id: turn.session.id,
            durable: true,
            payload: { trace_id: traceId, ...error },
          });
          return left;
        },
      };
    },
  };
}

/** What plugins made of the replies: texts they changed, what they hung on them. */
function traceDecoration(before: Turn | undefined, { replies }: Turn, { trace }: TurnContext): void {
  if (!before || before.replies === replies) return;
  const had = new Set(before.replies.flatMap(({ attachments }) => attachments));
  const added = replies.flatMap(({ attachments }) => attachments.filter((one) => !had.has(one)));
  const attachments = added.map(({ type, name = "", source = "" }) => ({ type, name, source }));
  const changed = replies.filter(({ text }, index) => text !== before.replies[index]?.text).length;
  if (attachments.length === 0 && changed === 0) return;
  trace({
    status: "dispatched",
    message: "the reply was decorated",
    metadata: { what: "decorate", attachments, changed_texts: changed },
  });
}

/** What a turn starts from is read again where it runs again. */
function drafted({
  inbound: _inbound,
  session: _session,
  history: _history,
  prompt: _prompt,
  ...turn
}: Turn): Draft["turn"] {
  return turn;
}

/** Nothing is shown on a platform while the answer is made. */
function endsHere({ inbound }: Turn): boolean {
  return staysHere(inbound) || !inbound.addressed;
}

/** Names of the places a test may end the process at (gateway-delivery §13). */
const REACHED: Partial<Record<TurnPhase, FailPointName>> = {
  screen: "filtered",
  "record-user": "user-recorded",
  context: "model-start",
  answer: "model-done",
  "screen-reply": "reply-filtered",
  "record-reply": "reply-recorded",
};

function phaseAfter(phase: TurnPhase): TurnPhase | undefined {
  return TURN_PHASES[TURN_PHASES.indexOf(phase) + 1];
}

function finishOf(replies: readonly Reply[]): FinishReason {
  const cut = replies.at(-1)?.cut;
  if (cut === undefined) return "stop";
  return cut === "user" ? "stopped" : cut === "length" ? "length" : "error";
}

/** A call that changed something is not made again; one whose end is not known is not repeated (gateway-delivery §5). */
export async function once<Result>(
  {
    store,
    failPoint,
    traceId,
    key,
  }: Pick<TurnRunnerParts, "store" | "failPoint"> & { readonly traceId: string; readonly key: string },
  call: () => Promise<Result>,
): Promise<Result> {
  const earlier = await store.ledger(traceId, key);
  if (earlier?.state === "done") return JSON.parse(earlier.result ?? "null");
  if (earlier) throw new AppError("unavailable", "the outcome of this call is not known, it is not repeated");
  await store.startLedger(traceId, key);
  failPoint("tool-started");
  const result = await call();
  await store.finishLedger(traceId, key, JSON.stringify(result ?? null));
  failPoint("tool-done");
  return result;
}

/** What a turn came to, for those who wait for it. */
export function outcomeOf(turn: Turn, state: TurnOutcome["state"]): TurnOutcome {
  const last = turn.replies.at(-1);
  const usage = last?.usage ?? turn.usage;
  return {
    traceId: turn.traceId,
    state,
    userMessage: turn.userMessage ?? null,
    replies: turn.recorded ?? [],
    filtered: turn.filter.filtered,
    blocked: turn.filter.blocked,
    stopped: last?.cut === "user",
    ruleIds: turn.filter.rules,
    notice: turn.stopped?.notice ?? (turn.filter.blocked ? FILTER_NOTICE : ""),
    usage: usage ? { ...usage, model: last?.model ?? null, model_id: last?.modelId ?? null } : null,
    error: last?.error ?? null,
  };
}

export function noOutcome(
  traceId: string,
  state: TurnOutcome["state"],
  error: TurnOutcome["error"] = null,
): TurnOutcome {
  return {
    traceId,
    state,
    userMessage: null,
    replies: [],
    filtered: false,
    blocked: false,
    stopped: state === "stopped",
    ruleIds: [],
    notice: "",
    usage: null,
    error,
  };
}
