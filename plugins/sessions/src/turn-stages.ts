import {
  derivedId,
  type Effect,
  FILTER_NOTICE,
  GROUP_MEMORY,
  type Message,
  type Reply,
  type ToldFailure,
  type Turn,
  type TurnContext,
  type TurnStage,
  withEffects,
} from "@parley/core";
import { createBranches } from "./branches.ts";
import { isForPeople, metadataOf } from "./operator-only.ts";
import { now, type SessionParts, screened, tell, tellMessage, tellRemoved } from "./parts.ts";
import { newMessage } from "./rows.ts";
import { sessionFailure } from "./said-failures.ts";
import { userMessageOf } from "./said-once.ts";

const HISTORY_LIMIT = 400;

const LEFT_TO_OPERATOR = { by: "sessions.taken-over", reason: "ignored" } as const;

/** The conversation went on before this model was asked the same as others. */
const WENT_ON = { by: "sessions.record-user", reason: "ignored" } as const;

/** Whether an operator answers this message; commands answer themselves. */
function isTakenOver({ session, inbound, replies }: Turn): boolean {
  const isOfPeople = inbound.channelId !== "web" && inbound.source === inbound.channelId;
  return Boolean(session.taken_over) && isOfPeople && inbound.addressed && replies.length === 0;
}

/** Records what the user said, changed or withdrew, before the model is asked. */
export function recordUserStage(parts: SessionParts): TurnStage {
  const { messages, settings } = parts;
  const branches = createBranches(parts);
  const store = async (turn: Turn, { isRepeated, trace }: Pick<TurnContext, "isRepeated" | "trace">): Promise<Turn> => {
    const { inbound, session, traceId } = turn;
    // Talk of a group that is not meant for the bot is kept only where an operator wants its memory.
    if (!inbound.addressed && !settings.get(GROUP_MEMORY)) return turn;
    const seen = await screened(parts, session, "user", turn.text, turn.attachments.length > 0);
    const rules = [...new Set([...turn.filter.rules, ...seen.rules])];
    const isCommand = turn.replies.some(({ kind }) => kind === "command");
    if (seen.blocked && isCommand) return turn;
    if (seen.blocked) return blockedTurn(turn, rules);
    const said = { sessionId: session.id, traceId, tempId: inbound.tempId };
    const { id, there } = await userMessageOf(parts, said, isRepeated);
    if (there) return again(turn, there);
    const message = newMessage({
      id,
      session_id: session.id,
      seq: await messages.nextSeq(session.id),
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
      metadata: { ...metadataOf(inbound), ...(inbound.modelIds && { asked_models: inbound.modelIds }) },
      hidden: inbound.isHidden === true,
    });
    // It is on disk as what came in; those who look need not wait for its row.
    tellMessage(parts, "new_message", message);
    const writes = messages.appends(message, session.channel_id, inbound.platformMessageId);
    const stored = withEffects({ ...turn, userMessage: message }, { isEarly: true, writes });
    if (!isTakenOver(turn)) return stored;
    trace({ status: "ignored", message: `${session.taken_over?.by} answers in this conversation, not the AI` });
    return { ...stored, stopped: LEFT_TO_OPERATOR };
  };
  /** A message that is there already; one that failed before shows that no more when it is answered. */
  const again = (turn: Turn, there: Message): Turn => {
    const stopped = isTakenOver(turn) && { stopped: LEFT_TO_OPERATOR };
    if (there.error === null) return { ...turn, userMessage: there, ...stopped };
    const cleared: Message = { ...there, error: null, revision: there.revision + 1 };
    return withEffects({ ...turn, userMessage: cleared, ...stopped }, replacing(cleared));
  };
  const replacing = (message: Message): Effect => ({
    writes: messages.replaces(message),
    applied: () => tellMessage(parts, "message_updated", message),
  });
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
    const writes = [...messages.replaces(next), ...messages.recount(turn.session.id)];
    const applied = () => tellMessage(parts, "message_updated", next);
    return withEffects({ ...turn, userMessage: next }, { writes, applied });
  };
  const recall = async (turn: Turn): Promise<Turn> => {
    const old = await messages.findByPlatform(turn.session.id, turn.inbound.platformMessageId ?? "");
    if (!old) return turn;
    const closed = await branches.closingUp(old);
    const writes = [...closed, ...messages.remove([old.id]), ...messages.recount(turn.session.id)];
    return withEffects(turn, { writes, applied: () => tellRemoved(parts, turn.session.id, [old.id], "deleted") });
  };
  /** Whether the question that several models are asked is there, and the last one: what was said after it is not put aside. */
  const isOpen = async ({ sessionId, messageId = "" }: Turn["inbound"]) => {
    const [question] = await messages.byIds([messageId]);
    if (question?.kind !== "normal" || question.session_id !== sessionId) return false;
    const [now, ...later] = await messages.liveFrom(sessionId, question.seq);
    return now?.id === messageId && later.every(({ role }) => role !== "user");
  };
  const regenerate = async (turn: Turn): Promise<Turn> => {
    const { session, inbound, traceId } = turn;
    if (inbound.modelIds && !(await isOpen(inbound))) return { ...turn, stopped: WENT_ON };
    const userMessage = await messages.find(session.id, inbound.messageId ?? "");
    const later = await messages.liveFrom(session.id, userMessage.seq + 1);
    // They go when the new answer is stored; whoever looks sees them go now, and come back if there is none.
    const ids = later.map(({ id }) => id);
    tellRemoved(parts, session.id, ids, "regenerated");
    const aside = await branches.puttingAside(session, later, derivedId("branch", traceId));
    const removed: Effect = { writes: [...aside, ...messages.recount(session.id)] };
    if (userMessage.error === null) return withEffects({ ...turn, userMessage }, removed);
    const cleared: Message = { ...userMessage, error: null, revision: userMessage.revision + 1 };
    return withEffects({ ...turn, userMessage: cleared }, removed, replacing(cleared));
  };
  /** A turn that does not run, with its user's message as an earlier run stored it, or as it is stored now. */
  const withQuestion = async (turn: Turn): Promise<Turn> => {
    const { kind, messageId = "" } = turn.inbound;
    if (kind === "message") return store(turn, { isRepeated: true, trace() {} });
    const [userMessage] = kind === "regenerate" ? await messages.byIds([messageId]) : [];
    return { ...turn, ...(userMessage && { userMessage }) };
  };
  /** What a regeneration would have replaced is shown again. */
  const showAgain = async ({ inbound, session, userMessage }: Turn) => {
    if (inbound.kind !== "regenerate" || !userMessage) return;
    for (const message of await messages.liveFrom(session.id, userMessage.seq + 1)) {
      tellMessage(parts, "new_message", message);
    }
  };

  return {
    id: "sessions.record-user",
    phase: "record-user",
    after: ["files.fetch"],
    usesStorage: true,
    run(turn, context) {
      const { kind } = turn.inbound;
      if (kind === "edit") return edit(turn);
      if (kind === "recall") return recall(turn);
      return kind === "regenerate" ? regenerate(turn) : store(turn, context);
    },
    async unanswered(turn, error) {
      await showAgain(turn);
      if (!error) return [];
      const { userMessage, effects } = turn.userMessage ? { ...turn, effects: [] } : await withQuestion(turn);
      if (!userMessage) return [];
      // As it is stored: that an earlier failure was cleared came to nothing with the turn.
      const [question = userMessage] = await messages.byIds([userMessage.id]);
      return [...effects, withError(parts, turn, question, error)];
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

/** Stores the replies, filtered once more, and tells those who watch. */
export function recordReplyStage(parts: SessionParts): TurnStage {
  const { messages } = parts;
  return {
    id: "sessions.record-reply",
    phase: "record-reply",
    usesStorage: true,
    async run(turn) {
      const { session, traceId } = turn;
      const recorded: Message[] = [];
      const replies: Reply[] = [];
      const effects: Effect[] = [];
      for (const reply of turn.replies) {
        // A command's answer is not the AI's (spec 4.17.8).
        const isCommand = reply.kind === "command";
        const seen = await screened(parts, session, "ai", isCommand ? "" : reply.text, reply.attachments.length > 0);
        if (seen.blocked) continue;
        const text = isCommand ? reply.text : seen.text;
        const made = messageOf(turn, reply, text, reply.filtered === true || seen.filtered, now(parts));
        const message = { ...made, seq: await messages.nextSeq(session.id) };
        recorded.push(message);
        replies.push({ ...reply, text });
        effects.push({
          writes: messages.appends(message, session.channel_id),
          applied() {
            tellMessage(parts, "new_message", message);
            tell(parts, session.id, "ai_response", { trace_id: traceId, message });
          },
        });
      }
      const error = turn.replies.find((reply) => reply.error)?.error;
      if (error && turn.userMessage) effects.push(withError(parts, turn, turn.userMessage, error));
      return withEffects({ ...turn, replies, recorded }, ...effects);
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
    filter_rule_count: filtered ? turn.filter.rules.length : 0,
    error: reply.error ?? null,
    stopped: reply.cut === "user" || reply.cut === "timeout",
    stop_reason: cut,
    model: reply.model ?? null,
    model_id: reply.modelId ?? null,
    usage: reply.usage ?? null,
    thinking: reply.thinking ?? null,
    tool_calls: reply.toolCalls ?? [],
    timestamp,
    metadata: {
      ...reply.metadata,
      ...metadataOf(inbound),
      ...(inbound.modelIds && { asked_model: inbound.modelId }),
    },
  });
}

/** The user's message shows that it was not answered, or not whole; of several models, by which. */
function withError(parts: SessionParts, { inbound }: Turn, message: Message, error: ToldFailure): Effect {
  const { modelIds, modelId = "" } = inbound;
  const failed = { ...(message.metadata.failed_models as object | undefined), [modelId]: error };
  const metadata = modelIds ? { ...message.metadata, failed_models: failed } : message.metadata;
  const next: Message = { ...message, error, metadata, revision: message.revision + 1 };
  return {
    // Whoever changed it meanwhile is right.
    writes: parts.messages.replaces(next, "if it is as before"),
    applied: ([changed]) => {
      if (changed?.changes === 1) tellMessage(parts, "message_updated", next);
    },
  };
}

export function refuseNothing(content: string, attachments: readonly unknown[]): void {
  if (content.trim() === "" && attachments.length === 0)
    throw sessionFailure("bad_request", "nothing_said", {}, { field: "content" });
}
