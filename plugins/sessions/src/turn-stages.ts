import { AppError, derivedId, FILTER_NOTICE, type Message, type Reply, type Turn, type TurnStage } from "@parley/core";
import { isForPeople, metadataOf } from "./operator-only.ts";
import { now, type SessionParts, screened, tell, tellMessage, tellRemoved } from "./parts.ts";
import { newMessage } from "./rows.ts";
import type { Place } from "./tables.ts";

const HISTORY_LIMIT = 400;

/** The id the user's message of a turn has, also when the turn runs again. */
export function userMessageId(traceId: string): string {
  return derivedId("msg", traceId, "user");
}

function removedBy(traceId: string): Place {
  return `removed:${traceId}`;
}

/** Records what the user said, changed or withdrew, before the model is asked. */
export function recordUserStage(parts: SessionParts): TurnStage {
  const { sessions, messages, database, settings } = parts;
  const store = async (turn: Turn): Promise<Turn> => {
    const { inbound, session, traceId } = turn;
    // Talk of a group that is not meant for the bot is kept only where an operator wants its memory.
    if (!inbound.addressed && !settings.get<boolean>("features.group_memory")) return turn;
    const seen = await screened(parts, session, "user", turn.text, turn.attachments.length > 0);
    const rules = [...new Set([...turn.filter.rules, ...seen.rules])];
    const isCommand = turn.replies.some(({ kind }) => kind === "command");
    if (seen.blocked && isCommand) return turn;
    if (seen.blocked) return blockedTurn(turn, rules);
    const message = newMessage({
      id: userMessageId(traceId),
      session_id: session.id,
      kind: isCommand ? "command" : "normal",
      content: seen.text,
      attachments: turn.attachments,
      sender: inbound.sender.name,
      sender_id: inbound.sender.id,
      source: inbound.source,
      reply_to: inbound.replyTo ?? null,
      temp_id: inbound.tempId ?? null,
      trace_id: traceId,
      filtered: turn.filter.filtered || seen.filtered,
      filter_rule_count: rules.length,
      timestamp: now(parts),
      metadata: metadataOf(inbound),
    });
    const stored = await messages.append(message, session.channel_id, inbound.platformMessageId);
    tellMessage(parts, "new_message", stored);
    return { ...turn, userMessage: stored };
  };
  const edit = async (turn: Turn): Promise<Turn> => {
    const old = await messages.findByPlatform(turn.session.id, turn.inbound.platformMessageId ?? "");
    if (!old || old.content === turn.text) return turn;
    const seen = await screened(parts, turn.session, "user", turn.text, old.attachments.length > 0);
    if (seen.blocked) return turn;
    const next: Message = {
      ...old,
      content: seen.text,
      filtered: seen.filtered,
      edited_at: now(parts),
      revision: old.revision + 1,
    };
    await messages.replace(next, messages.recount(turn.session.id));
    tellMessage(parts, "message_updated", next);
    return { ...turn, userMessage: next };
  };
  const recall = async (turn: Turn): Promise<Turn> => {
    const old = await messages.findByPlatform(turn.session.id, turn.inbound.platformMessageId ?? "");
    if (!old) return turn;
    await database().write([...messages.remove([old.id]), ...messages.recount(turn.session.id)]);
    tellRemoved(parts, turn.session.id, [old.id], "deleted");
    return turn;
  };
  const regenerate = async (turn: Turn): Promise<Turn> => {
    const { session, traceId, inbound } = turn;
    const userMessage = await messages.find(session.id, inbound.messageId ?? "");
    const later = (await messages.liveFrom(session.id, userMessage.seq + 1)).map(({ id }) => id);
    await database().write([...messages.move(later, removedBy(traceId)), ...messages.recount(session.id)]);
    tellRemoved(parts, session.id, later, "regenerated");
    if (userMessage.error === null) return { ...turn, userMessage };
    const cleared: Message = { ...userMessage, error: null, revision: userMessage.revision + 1 };
    await messages.replace(cleared);
    tellMessage(parts, "message_updated", cleared);
    return { ...turn, userMessage: cleared };
  };
  const restore = async ({ session, traceId }: Turn) => {
    const ids = await messages.ids(session.id, removedBy(traceId));
    if (ids.length === 0) return;
    await database().write([...messages.move(ids, "live"), ...messages.recount(session.id)]);
    const back = new Set(ids);
    const { items } = await messages.page(await sessions.get(session.id), {
      order: "desc",
      limit: 500,
      offset: 0,
      include_hidden: true,
      include_system: true,
    });
    for (const message of items.toReversed()) if (back.has(message.id)) tellMessage(parts, "new_message", message);
  };

  return {
    id: "sessions.record-user",
    phase: "record-user",
    usesStorage: true,
    run(turn) {
      const { kind } = turn.inbound;
      if (kind === "edit") return edit(turn);
      if (kind === "recall") return recall(turn);
      return kind === "regenerate" ? regenerate(turn) : store(turn);
    },
    async failed(turn, error) {
      await restore(turn);
      if (!turn.userMessage) return;
      const old = await messages.find(turn.session.id, turn.userMessage.id);
      const next: Message = { ...old, error, revision: old.revision + 1 };
      await messages.replace(next);
      tellMessage(parts, "message_updated", next);
    },
  };
}

/** Shows the model what was said before. */
export function historyStage({ messages }: SessionParts): TurnStage {
  return {
    id: "sessions.history",
    phase: "context",
    usesStorage: true,
    async run(turn) {
      if (turn.replies.length > 0) return turn;
      const all = await messages.history(turn.session, HISTORY_LIMIT);
      const { userMessage, inbound } = turn;
      // What operators asked for themselves must not come out in an answer to the people outside.
      const history = inbound.channelId === "web" || inbound.isOperatorOnly ? all : all.filter(isForPeople);
      // What came meanwhile waits for its own turn.
      const before = history.filter(({ seq, id }) => !userMessage || (seq < userMessage.seq && id !== userMessage.id));
      return { ...turn, history: userMessage ? [...before, userMessage] : before };
    },
  };
}

/** Stores the replies, filtered once more, and tells those who watch (spec 4.17.8). */
export function recordReplyStage(parts: SessionParts): TurnStage {
  const { messages, database } = parts;
  return {
    id: "sessions.record-reply",
    phase: "record-reply",
    usesStorage: true,
    async run(turn) {
      const { session, traceId, inbound } = turn;
      const recorded: Message[] = [];
      const replies: Reply[] = [];
      for (const reply of turn.replies) {
        // A command's answer is not the AI's (spec 4.17.8).
        const isCommand = reply.kind === "command";
        const seen = await screened(parts, session, "ai", isCommand ? "" : reply.text, reply.attachments.length > 0);
        if (seen.blocked) continue;
        const text = isCommand ? reply.text : seen.text;
        const message = messageOf(turn, reply, text, turn.filter.filtered || seen.filtered, now(parts));
        const stored = await messages.append(message, session.channel_id);
        recorded.push(stored);
        replies.push({ ...reply, text });
        tellMessage(parts, "new_message", stored);
        tell(parts, session.id, "ai_response", { trace_id: traceId, message: stored });
      }
      const isAgain = inbound.kind === "regenerate";
      const removed = isAgain ? await messages.ids(session.id, removedBy(traceId)) : [];
      const writes = recorded.length > 0 ? messages.remove(removed) : messages.move(removed, "live");
      if (removed.length > 0) await database().write([...writes, ...messages.recount(session.id)]);
      const error = turn.replies.find((reply) => reply.error)?.error;
      const userMessage =
        error && turn.userMessage ? await withError(parts, turn.userMessage, error) : turn.userMessage;
      return { ...turn, replies, recorded, ...(userMessage && { userMessage }) };
    },
  };
}

/** A rule came in between the screening and the storing of a message. */
function blockedTurn(turn: Turn, rules: readonly string[]): Turn {
  return {
    ...turn,
    text: "",
    filter: { rules, filtered: true, blocked: true },
    stopped: { by: "sessions.record-user", reason: "filtered", notice: FILTER_NOTICE },
  };
}

function messageOf(turn: Turn, reply: Reply, content: string, filtered: boolean, timestamp: string): Message {
  const { session, traceId, inbound, userMessage } = turn;
  const cut = reply.cut === "user" || reply.cut === "timeout" || reply.cut === "length" ? reply.cut : null;
  return newMessage({
    id: reply.id,
    session_id: session.id,
    role: "assistant",
    kind: reply.kind,
    content,
    attachments: reply.attachments,
    sender: reply.sender ?? session.sender_name,
    source: inbound.source,
    character_id: session.character_id,
    reply_to: userMessage?.id ?? null,
    trace_id: traceId,
    filtered,
    filter_rule_count: turn.filter.rules.length,
    error: reply.error ?? null,
    stopped: reply.cut === "user" || reply.cut === "timeout",
    stop_reason: cut,
    model: reply.model ?? null,
    model_id: reply.modelId ?? null,
    usage: reply.usage ?? null,
    thinking: reply.thinking ?? null,
    tool_calls: reply.toolCalls ?? [],
    timestamp,
    metadata: metadataOf(inbound),
  });
}

async function withError(
  parts: SessionParts,
  message: Message,
  error: { readonly code: string; readonly error: string },
): Promise<Message> {
  const old = await parts.messages.find(message.session_id, message.id);
  if (old.error !== null) return old;
  const next: Message = { ...old, error, revision: old.revision + 1 };
  await parts.messages.replace(next);
  tellMessage(parts, "message_updated", next);
  return next;
}

export function refuseNothing(content: string, attachments: readonly unknown[]): void {
  if (content.trim() === "" && attachments.length === 0)
    throw new AppError("bad_request", "content: is empty and nothing is attached");
}
