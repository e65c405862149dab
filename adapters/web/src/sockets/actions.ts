import {
  ANONYMOUS,
  AppError,
  type Clock,
  type Gateway,
  hasScope,
  notFound,
  type Scope,
  type Sessions,
  type ToolConfirmations,
  toSender,
  toSharedError,
} from "@parley/core";
import { canonicalSessionId } from "@parley/core/channels";
import { webTexts } from "../texts.ts";
import type { Connection } from "./connection.ts";
import { type ClientFrames, type ClientFrameType, checkFrame, isClientFrameType, type RawFrame } from "./frames.ts";
import { CONSOLE_STREAM, type Streams } from "./streams.ts";

const MAX_JOINED = 100;
const TYPING_INTERVAL_MS = 2_000;

/** Dependencies of client actions. */
export interface ActionContext {
  readonly gateway: Gateway;
  readonly sessions: Sessions;
  readonly clock: Clock;
  /** Pending tool confirmations; undefined where no plugin provides them. */
  readonly confirmations: () => ToolConfirmations | undefined;
  readonly streams: Streams;
  listOthers(sessionId: string, except: Connection): readonly Connection[];
  /** Looks the caller's credential up again; closes the connection and returns false where it is invalid. */
  renewCaller(connection: Connection): Promise<boolean>;
  /** Counts the request of an API key with a rate limit; throws `rate_limited`. */
  countUse(connection: Connection): Promise<void> | undefined;
}

interface Action<Type extends ClientFrameType> {
  readonly scope: Scope;
  /** True when the credential must be renewed first, since the action changes something. */
  readonly needsFreshCaller?: boolean;
  /** Returns the fields of the `ack`; undefined when there is none. */
  run(
    frame: ClientFrames[Type],
    connection: Connection,
    context: ActionContext,
  ): Promise<object | undefined> | object | undefined;
}

const ACTIONS: { readonly [Type in Exclude<ClientFrameType, "auth">]: Action<Type> } = {
  join_session: {
    scope: "read",
    async run({ session_id, after_seq }, connection, context) {
      const { id } = await context.sessions.get(session_id);
      joinSession(connection, id, context, after_seq);
      return {};
    },
  },
  leave_session: {
    scope: "read",
    run({ session_id }, connection) {
      connection.joined.delete(canonicalSessionId(session_id));
      connection.visible.delete(canonicalSessionId(session_id));
      return {};
    },
  },
  send_message: {
    scope: "chat",
    needsFreshCaller: true,
    async run({ session_id, content, temp_id, sender, language, reply_to, attachments }, connection, { sessions }) {
      const { traceId, messageId, duplicated, blocked } = await sessions.chat(session_id, {
        content,
        attachments,
        tempId: temp_id,
        ...(reply_to !== undefined && { replyTo: reply_to }),
        source: "web",
        sender: { ...toConnectionSender(connection, sender), ...(language !== undefined && { language }) },
      });
      return { message_id: messageId, trace_id: traceId, duplicated, ...(blocked && { blocked }) };
    },
  },
  action: {
    scope: "chat",
    needsFreshCaller: true,
    async run({ session_id, message_id, element_id, item_id, language }, connection, { sessions }) {
      const { traceId, messageId, duplicated } = await sessions.press(session_id, {
        messageId: message_id,
        elementId: element_id,
        itemId: item_id,
        source: "web",
        sender: { ...toConnectionSender(connection), ...(language !== undefined && { language }) },
      });
      return { message_id: messageId, trace_id: traceId, duplicated };
    },
  },
  stop: {
    scope: "chat",
    needsFreshCaller: true,
    async run({ session_id, trace_id }, _connection, { sessions, gateway }) {
      const { id } = await sessions.get(session_id);
      return gateway.stop(id, trace_id);
    },
  },
  regenerate: {
    scope: "chat",
    needsFreshCaller: true,
    async run({ session_id, message_id }, connection, { sessions }) {
      const { traceId, removedIds } = await sessions.regenerate(session_id, message_id, toConnectionSender(connection));
      return { trace_id: traceId, removed_ids: removedIds };
    },
  },
  typing: {
    scope: "chat",
    run({ session_id: raw, active }, connection, context) {
      const session_id = canonicalSessionId(raw);
      if (!connection.joined.has(session_id))
        throw webTexts.error("conflict", "not_joined", {}, { field: "session_id" });
      const now = context.clock.monotonic();
      if (active && now - (connection.typingAt.get(session_id) ?? -Infinity) < TYPING_INTERVAL_MS) return {};
      if (active) connection.typingAt.set(session_id, now);
      const sender = connection.caller?.username;
      for (const other of context.listOthers(session_id, connection)) {
        other.send({ type: "typing", session_id, sender, active, is_ai: false });
      }
      return {};
    },
  },
  web_visibility: {
    scope: "read",
    run({ session_id, visible }, connection) {
      if (visible) connection.visible.add(canonicalSessionId(session_id));
      else connection.visible.delete(canonicalSessionId(session_id));
      return {};
    },
  },
  confirm_exec: {
    scope: "chat",
    needsFreshCaller: true,
    async run({ request_id, approved, session_id }, connection, { sessions, confirmations }) {
      const { id } = await sessions.get(session_id);
      const open = confirmations();
      if (!open) throw notFound("request", request_id);
      return open.answer({ sessionId: id, requestId: request_id, approved, by: toConnectionSender(connection) });
    },
  },
  subscribe: {
    scope: "read",
    run({ topics }, connection) {
      for (const topic of topics) connection.topics.add(topic);
      return {};
    },
  },
  unsubscribe: {
    scope: "read",
    run({ topics }, connection) {
      for (const topic of topics) connection.topics.delete(topic);
      return {};
    },
  },
  resume: {
    scope: "read",
    async run({ epoch, streams }, connection, context) {
      const isOurs = epoch === context.streams.epoch;
      for (const [stream, seq] of Object.entries(streams)) await resume(connection, stream, isOurs ? seq : -1, context);
      return {};
    },
  },
  ping: {
    scope: "read",
    run(_frame, connection) {
      connection.send({ type: "pong" });
      return undefined;
    },
  },
};

/** Runs the action of a frame and acknowledges it when it has an id; a failure becomes an `ack` or `error`, never a throw. */
export async function handleFrame(
  connection: Connection,
  { type, id, fields }: RawFrame,
  context: ActionContext,
): Promise<void> {
  try {
    if (!isClientFrameType(type) || type === "auth") throw new AppError("bad_request", `type: '${type}' is not known`);
    const { scope, needsFreshCaller, run } = ACTIONS[type] as Action<ClientFrameType>;
    const frame = checkFrame(type, fields);
    const counting = type === "ping" ? undefined : context.countUse(connection);
    // Joining and replaying happen in one step, so that no event is missed in between.
    if (counting) await counting;
    if (needsFreshCaller && !(await context.renewCaller(connection))) return;
    if (!connection.caller || !hasScope(connection.caller, scope)) {
      throw toSharedError("permission_denied", "scope_missing", { scope });
    }
    const answer = await run(frame, connection, context);
    if (id !== undefined && answer !== undefined) connection.send({ type: "ack", id, ok: true, ...answer });
  } catch (error) {
    const { code, message, detail } = AppError.is(error) ? error : webTexts.error("internal", "internal");
    const failure = { error: message, code, ...(detail && { detail }) };
    if (id === undefined) connection.send({ type: "error", ...failure });
    else connection.send({ type: "ack", id, ok: false, ...failure });
    if (!AppError.is(error)) throw error;
  }
}

// Subscription, replay and the partial reply happen in one step, so that no event is missed in between.
function joinSession(connection: Connection, sessionId: string, context: ActionContext, afterSeq?: number): void {
  const { streams, gateway } = context;
  if (connection.joined.size >= MAX_JOINED && !connection.joined.has(sessionId)) {
    throw webTexts.error("rate_limited", "many_joined", { most: MAX_JOINED });
  }
  connection.joined.add(sessionId);
  const running = gateway.running(sessionId);
  connection.send({
    type: "joined_session",
    session_id: sessionId,
    seq: streams.getNewestSeq(sessionId),
    running: running
      ? { trace_id: running.traceId, message_id: running.messageId, started_at: running.startedAt }
      : null,
  });
  if (afterSeq !== undefined) replayEvents(connection, sessionId, afterSeq, context);
  if (running?.card) connection.send({ type: "thinking_card", session_id: sessionId, ...running.card });
  if (!running?.messageId) return;
  connection.send({
    type: "ai_stream_start",
    session_id: sessionId,
    trace_id: running.traceId,
    message: { id: running.messageId, role: "assistant", sender: running.sender, content: running.text },
  });
}

async function resume(connection: Connection, stream: string, seq: number, context: ActionContext): Promise<void> {
  if (stream === CONSOLE_STREAM) return replayEvents(connection, stream, seq, context);
  const session = await context.sessions.find(stream);
  if (session) joinSession(connection, session.id, context, seq);
  else
    connection.send({
      type: "error",
      session_id: stream,
      error: `session '${stream}' does not exist`,
      code: "not_found",
    });
}

function replayEvents(connection: Connection, stream: string, seq: number, { streams }: ActionContext): void {
  const missed = streams.replayAfter(stream, seq);
  if (missed.kind === "gap") connection.send({ type: "resync", session_id: stream });
  else for (const event of missed.events) connection.sendEvent(event);
}

function toConnectionSender({ caller = ANONYMOUS }: Connection, name?: string) {
  return toSender(caller, { name });
}
