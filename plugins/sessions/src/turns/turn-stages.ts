import {
  derivedId,
  type Effect,
  FILTER_NOTICE,
  GROUP_MEMORY,
  isKnownTo,
  type Message,
  type Reply,
  type Turn,
  type TurnContext,
  type TurnStage,
  toTraceMessage,
  withEffects,
} from "@parley/core";
import { createBranches } from "../messages/branches.ts";
import { isForParticipants, toOperatorMetadata } from "../messages/operator-only.ts";
import { toProactiveEffects } from "../proactive/idle-job.ts";
import {
  applyFilter,
  now,
  publishEvent,
  publishMessage,
  publishMessagesRemoved,
  type SessionDeps,
} from "../session-deps.ts";
import { newMessage } from "../store/rows.ts";
import { sessionsTexts } from "../texts.ts";
import { clearUnanswered, toErrorEffect, toUnansweredEffects } from "./unanswered.ts";
import { findUserMessage } from "./user-message-id.ts";

/** Number of newest messages that the model may be given. */
export const HISTORY_LIMIT = 400;
/** The first message of a long history changes once in so many messages, which leaves the provider's cache of the prompt valid. */
const HISTORY_STEP = 100;

const TAKEN_OVER = { by: "sessions.taken-over", reason: "ignored", unanswered: "taken_over" } as const;

/** Stop reason when the conversation went on before another model was asked. */
const CONVERSATION_MOVED_ON = { by: "sessions.record-user", reason: "ignored", unanswered: "superseded" } as const;

/** True when an operator answers this message. Commands are answered in any case. */
function isTakenOver({ session, inbound, replies }: Turn): boolean {
  const isFromPlatform = inbound.channelId !== "web" && inbound.source === inbound.channelId;
  return Boolean(session.taken_over) && isFromPlatform && inbound.addressed && replies.length === 0;
}

/** Creates the stage that records new, changed and deleted user messages before the model is asked. */
export function createRecordUserStage(deps: SessionDeps): TurnStage {
  const { messages, settings } = deps;
  const branches = createBranches(deps);
  const recordMessage = async (
    turn: Turn,
    { isRepeated, trace }: Pick<TurnContext, "isRepeated" | "trace">,
  ): Promise<Turn> => {
    const { inbound, session, traceId } = turn;
    // Group messages that do not address the bot are stored only if the operator enables that.
    if (!inbound.addressed && !settings.get(GROUP_MEMORY)) return turn;
    const filterResult = await applyFilter(deps, session, "user", turn.text, turn.attachments.length > 0);
    const rules = [...new Set([...turn.filter.rules, ...filterResult.rules])];
    const isCommand = turn.replies.some(({ kind }) => kind === "command");
    if (filterResult.blocked && isCommand) return turn;
    if (filterResult.blocked) return toBlockedTurn(turn, rules);
    const ref = { sessionId: session.id, traceId, tempId: inbound.tempId };
    const { id, existing } = await findUserMessage(deps, ref, isRepeated);
    if (existing) return reuseMessage(turn, existing);
    const message = newMessage({
      id,
      session_id: session.id,
      seq: await messages.nextSeq(session.id),
      kind: isCommand ? "command" : "normal",
      content: filterResult.text,
      attachments: turn.attachments,
      sender: inbound.sender.name,
      sender_id: inbound.sender.id,
      source: inbound.source,
      reply_to: inbound.replyTo ?? null,
      temp_id: inbound.tempId ?? null,
      trace_id: traceId,
      filtered: turn.filter.filtered || filterResult.filtered,
      filter_rule_count: rules.length,
      timestamp: now(deps),
      metadata: toUserMetadata(inbound),
      hidden: inbound.isHidden === true,
    });
    // The inbox has the message, so clients need not wait for its row.
    publishMessage(deps, "new_message", message);
    const writes = messages.appendWrites(message, session.channel_id, inbound.platformMessageId);
    const next = toProactiveEffects(deps, session, message);
    const stored = withEffects({ ...turn, userMessage: message }, { isEarly: true, writes }, ...next);
    if (!isTakenOver(turn)) return stored;
    const reason = sessionsTexts.message("trace_taken_over", { by: session.taken_over?.by ?? "" });
    trace({ status: "ignored", ...toTraceMessage(reason) });
    return { ...stored, stopped: TAKEN_OVER };
  };
  /** Continues with an existing message. If it will be answered, its earlier failure is cleared. */
  const reuseMessage = (turn: Turn, existing: Message): Turn => {
    const stopped = isTakenOver(turn) && { stopped: TAKEN_OVER };
    const cleared = clearUnanswered(existing);
    if (!cleared) return { ...turn, userMessage: existing, ...stopped };
    return withEffects({ ...turn, userMessage: cleared, ...stopped }, replaceEffect(cleared));
  };
  const replaceEffect = (message: Message): Effect => ({
    writes: messages.replaceWrites(message),
    applied: () => publishMessage(deps, "message_updated", message),
  });
  const applyEdit = async (turn: Turn): Promise<Turn> => {
    const old = await messages.findByPlatform(turn.session.id, turn.inbound.platformMessageId ?? "");
    if (!old || old.content === turn.text) return turn;
    const filterResult = await applyFilter(deps, turn.session, "user", turn.text, old.attachments.length > 0);
    if (filterResult.blocked) return turn;
    const next: Message = {
      ...old,
      content: filterResult.text,
      filtered: filterResult.filtered,
      edited_at: now(deps),
      revision: old.revision + 1,
    };
    const writes = [...messages.replaceWrites(next), ...messages.recountWrites(turn.session.id)];
    const applied = () => publishMessage(deps, "message_updated", next);
    return withEffects({ ...turn, userMessage: next }, { writes, applied });
  };
  const deleteRecalled = async (turn: Turn): Promise<Turn> => {
    const old = await messages.findByPlatform(turn.session.id, turn.inbound.platformMessageId ?? "");
    if (!old) return turn;
    const reattached = await branches.reattachWrites(old);
    const writes = [...reattached, ...messages.deleteWrites([old.id]), ...messages.recountWrites(turn.session.id)];
    return withEffects(turn, {
      writes,
      applied: () => publishMessagesRemoved(deps, turn.session.id, [old.id], "deleted"),
    });
  };
  /** True when the question for several models is still the last one, since later messages must not be replaced. */
  const isLatestQuestion = async ({ sessionId, messageId = "" }: Turn["inbound"]) => {
    const [question] = await messages.byIds([messageId]);
    if (question?.kind !== "normal" || question.session_id !== sessionId) return false;
    const [now, ...later] = await messages.liveFrom(sessionId, question.seq);
    return now?.id === messageId && later.every(({ role }) => role !== "user");
  };
  const regenerate = async (turn: Turn): Promise<Turn> => {
    const { session, inbound, traceId } = turn;
    if (inbound.modelIds && !(await isLatestQuestion(inbound))) return { ...turn, stopped: CONVERSATION_MOVED_ON };
    const userMessage = await messages.find(session.id, inbound.messageId ?? "");
    const later = await messages.liveFrom(session.id, userMessage.seq + 1);
    // They become a branch when the new reply is stored. Clients remove them now, and restore them if there is no reply.
    const ids = later.map(({ id }) => id);
    publishMessagesRemoved(deps, session.id, ids, "regenerated");
    const branchWrites = await branches.branchOffWrites(session, later, derivedId("branch", traceId));
    const removed: Effect = { writes: [...branchWrites, ...messages.recountWrites(session.id)] };
    const cleared = clearUnanswered(userMessage);
    if (!cleared) return withEffects({ ...turn, userMessage }, removed);
    return withEffects({ ...turn, userMessage: cleared }, removed, replaceEffect(cleared));
  };
  /** Returns a stopped turn with its user message, which is stored now unless an earlier run stored it. */
  const withUserMessage = async (turn: Turn): Promise<Turn> => {
    const { kind, messageId = "" } = turn.inbound;
    if (kind === "message") return recordMessage(turn, { isRepeated: true, trace() {} });
    const [userMessage] = kind === "regenerate" ? await messages.byIds([messageId]) : [];
    return { ...turn, ...(userMessage && { userMessage }) };
  };
  /** Publishes the messages again that a failed regeneration would have replaced. */
  const republishReplaced = async ({ inbound, session, userMessage }: Turn) => {
    if (inbound.kind !== "regenerate" || !userMessage) return;
    for (const message of await messages.liveFrom(session.id, userMessage.seq + 1)) {
      publishMessage(deps, "new_message", message);
    }
  };

  return {
    id: "sessions.record-user",
    phase: "record-user",
    after: ["files.fetch"],
    usesStorage: true,
    run(turn, context) {
      const { kind } = turn.inbound;
      if (kind === "edit") return applyEdit(turn);
      if (kind === "recall") return deleteRecalled(turn);
      return kind === "regenerate" ? regenerate(turn) : recordMessage(turn, context);
    },
    async unanswered(turn, error) {
      await republishReplaced(turn);
      if (!error) return toUnansweredEffects(deps, turn);
      const { userMessage, effects } = turn.userMessage ? { ...turn, effects: [] } : await withUserMessage(turn);
      if (!userMessage) return [];
      // The stored message is published, because the turn's change to it was undone.
      const [question = userMessage] = await messages.byIds([userMessage.id]);
      return [...effects, toErrorEffect(deps, turn, question, error)];
    },
  };
}

/** Creates the stage that adds earlier messages to the prompt. */
export function createHistoryStage({ messages }: SessionDeps): TurnStage {
  return {
    id: "sessions.history",
    phase: "context",
    usesStorage: true,
    concerns: ({ replies }) => replies.length === 0,
    async run(turn) {
      const { userMessage, inbound, session } = turn;
      const stored = await messages.history(session, HISTORY_LIMIT + (session.message_count % HISTORY_STEP));
      const all = stored.filter((message) => isKnownTo(session, session.character_id, message));
      // Private questions of operators must not influence replies to the people on the channel.
      const history = inbound.channelId === "web" || inbound.isOperatorOnly ? all : all.filter(isForParticipants);
      // Later messages wait for their own turns.
      const before = history.filter(({ seq, id }) => !userMessage || (seq < userMessage.seq && id !== userMessage.id));
      return { ...turn, history: userMessage ? [...before, userMessage] : before };
    },
  };
}

/** Creates the stage that filters the replies again, stores them, and notifies clients. */
export function createRecordReplyStage(deps: SessionDeps): TurnStage {
  const { messages } = deps;
  return {
    id: "sessions.record-reply",
    phase: "record-reply",
    after: ["gateway.elements"],
    usesStorage: true,
    async run(turn) {
      const { session, traceId } = turn;
      const recorded: Message[] = [];
      const replies: Reply[] = [];
      const effects: Effect[] = [];
      for (const reply of turn.replies) {
        // The reply to a command does not come from the AI.
        const isCommand = reply.kind === "command";
        const filterResult = await applyFilter(
          deps,
          session,
          "ai",
          isCommand ? "" : reply.text,
          reply.attachments.length > 0,
        );
        if (filterResult.blocked) continue;
        const text = isCommand ? reply.text : filterResult.text;
        const made = toReplyMessage(turn, reply, text, reply.filtered === true || filterResult.filtered, now(deps));
        const message = { ...made, seq: await messages.nextSeq(session.id) };
        recorded.push(message);
        replies.push({ ...reply, text });
        effects.push({
          writes: messages.appendWrites(message, session.channel_id),
          applied() {
            publishMessage(deps, "new_message", message);
            publishEvent(deps, session.id, "ai_response", { trace_id: traceId, message });
          },
        });
      }
      const error = turn.replies.find((reply) => reply.error)?.error;
      if (error && turn.userMessage) effects.push(toErrorEffect(deps, turn, turn.userMessage, error));
      return withEffects({ ...turn, replies, recorded }, ...effects);
    },
  };
}

function toUserMetadata(inbound: Turn["inbound"]): Message["metadata"] {
  const { modelIds, press } = inbound;
  return {
    ...toOperatorMetadata(inbound),
    ...(modelIds && { asked_models: modelIds }),
    ...(press && { pressed: { element_id: press.elementId, item_id: press.itemId } }),
  };
}

/** Returns the turn as blocked, because a rule was added between screening and storing. */
function toBlockedTurn(turn: Turn, rules: readonly string[]): Turn {
  return {
    ...turn,
    text: "",
    filter: { rules, filtered: true, blocked: true },
    stopped: { by: "sessions.record-user", reason: "filtered", notice: FILTER_NOTICE },
  };
}

function toReplyMessage(turn: Turn, reply: Reply, content: string, filtered: boolean, timestamp: string): Message {
  const { session, traceId, inbound, userMessage } = turn;
  const stopReason = reply.cut === "user" || reply.cut === "timeout" || reply.cut === "length" ? reply.cut : null;
  return newMessage({
    id: reply.id,
    session_id: session.id,
    role: "assistant",
    kind: reply.kind,
    content,
    attachments: reply.attachments,
    ...(reply.elements && { elements: reply.elements }),
    sender: reply.sender ?? session.sender_name,
    source: inbound.source,
    character_id: session.character_id,
    reply_to: userMessage?.id ?? null,
    trace_id: traceId,
    filtered,
    filter_rule_count: filtered ? turn.filter.rules.length : 0,
    error: reply.error ?? null,
    stopped: reply.cut === "user" || reply.cut === "timeout",
    stop_reason: stopReason,
    model: reply.model ?? null,
    model_id: reply.modelId ?? null,
    usage: reply.usage ?? null,
    thinking: reply.thinking ?? null,
    tool_calls: reply.toolCalls ?? [],
    timestamp,
    metadata: {
      ...reply.metadata,
      ...toOperatorMetadata(inbound),
      ...(inbound.modelIds && { asked_model: inbound.modelId }),
    },
  });
}

export function assertHasContent(content: string, attachments: readonly unknown[]): void {
  if (content.trim() === "" && attachments.length === 0)
    throw sessionsTexts.error("bad_request", "nothing_said", {}, { field: "content" });
}
