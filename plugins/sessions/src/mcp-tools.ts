import Joi from "@hapi/joi";
import { AppError, type Message, messageText, type Session, type Tool, type TurnOutcome, tool } from "@parley/core";
import type { Page } from "@parley/core/http";
import type { SessionService } from "./conversations/session-service.ts";
import { sessionDraft } from "./schemas/sessions.ts";
import type { MessageStore } from "./store/message-store.ts";
import type { SessionStore } from "./store/session-store.ts";
import { sessionsTexts } from "./texts.ts";
import type { Chat } from "./turns/chat.ts";

const TURN_TIMEOUT_MS = 300_000;
const MAX_CONTENT_CHARS = 4000;
const RECENT_MESSAGE_COUNT = 20;

export interface SessionToolsDeps {
  readonly service: SessionService;
  readonly sessions: SessionStore;
  readonly messages: MessageStore;
  readonly chat: Chat;
  readonly outcome: (traceId: string, signal: AbortSignal) => Promise<TurnOutcome>;
}

interface SessionsQuery extends Page {
  readonly type?: string;
  readonly archived: boolean;
}
interface MessagesQuery {
  readonly session_id: string;
  readonly limit: number;
  readonly before_id?: string;
}
interface NewSession {
  readonly name?: string;
  readonly session_mode: "character" | "plain";
  readonly sender_name?: string;
  readonly system_prompt?: string;
  readonly first_message?: string;
  readonly character_id?: string;
}
interface NewMessage {
  readonly session_id: string;
  readonly content: string;
  readonly sender: string;
}

const READ_OPTIONS = { risk: "read", scope: "gateway.read", audience: ["mcp", "web-agent"] } as const;
const WRITE_OPTIONS = { risk: "high", scope: "gateway.manage", audience: ["mcp", "web-agent"] } as const;
const sessionId = Joi.string().trim().min(1).max(200).required();

export function createSessionTools({ service, sessions, messages, chat, outcome }: SessionToolsDeps): readonly Tool[] {
  const loadNewest = async (session: Session, limit: number, before?: string) => {
    const query = { order: "desc", limit, offset: 0, include_system: false, include_hidden: false } as const;
    const { items, total } = await messages.page(session, { ...query, ...(before !== undefined && { before }) });
    return { items: items.toReversed(), total };
  };
  return [
    tool<SessionsQuery>({
      ...READ_OPTIONS,
      name: "web_list_sessions",
      help: { en: "Lists conversations, newest first.", zh: "列出会话，最新的在前。" },
      purpose: "Lists conversations, newest first.",
      args: Joi.object({
        type: Joi.string().max(32),
        archived: Joi.boolean().default(false),
        limit: Joi.number().integer().min(1).max(500).default(50),
        offset: Joi.number().integer().min(0).default(0),
      }),
      async run({ archived, ...query }) {
        const { items, total } = await sessions.list({ ...query, archived: archived ? "true" : "false" });
        const truncated = query.offset + items.length < total;
        return { sessions: items.map(toSessionSummary), count: items.length, total, truncated };
      },
    }),
    tool<{ session_id: string }>({
      ...READ_OPTIONS,
      name: "web_get_session",
      help: { en: "Shows a conversation and its latest messages.", zh: "查看一个会话及其最近的消息。" },
      purpose: "Returns one conversation with its last messages.",
      args: Joi.object({ session_id: sessionId }),
      async run(asked) {
        const session = await sessions.get(asked.session_id);
        const { items } = await loadNewest(session, RECENT_MESSAGE_COUNT);
        const { scenario, tags } = session;
        return { session: { ...toSessionSummary(session), scenario, tags, messages: items.map(toMessageView) } };
      },
    }),
    tool<MessagesQuery>({
      ...READ_OPTIONS,
      name: "web_get_messages",
      help: {
        en: "Shows the messages of a conversation, oldest first; before_id pages back.",
        zh: "查看会话的消息，最早的在前；用 before_id 向前翻页。",
      },
      purpose: "Lists messages of a conversation, oldest first; before_id returns earlier ones.",
      args: Joi.object({
        session_id: sessionId,
        limit: Joi.number().integer().min(1).max(200).default(50),
        before_id: Joi.string().max(64),
      }),
      async run({ session_id, limit, before_id }) {
        const { items, total } = await loadNewest(await sessions.get(session_id), limit, before_id);
        return { messages: items.map(toMessageView), count: items.length, total, truncated: items.length < total };
      },
    }),
    tool<NewSession>({
      ...WRITE_OPTIONS,
      name: "web_create_session",
      help: { en: "Creates a conversation in the console.", zh: "在控制台新建会话。" },
      purpose: "Creates a conversation in the console.",
      args: Joi.object({
        name: sessionDraft.extract("name"),
        session_mode: Joi.string().valid("character", "plain").default("character"),
        sender_name: sessionDraft.extract("sender_name"),
        system_prompt: sessionDraft.extract("system_prompt"),
        first_message: sessionDraft.extract("first_message"),
        character_id: Joi.string().max(64),
      }),
      async run(draft) {
        const { id, name } = await service.create(draft);
        return { session_id: id, name };
      },
    }),
    tool<NewMessage>({
      ...WRITE_OPTIONS,
      name: "web_send_message",
      help: { en: "Sends a message in a conversation and waits for the answer.", zh: "在会话中发送消息并等待回答。" },
      purpose: "Sends a message in a conversation and waits for the answer.",
      enabledBy: "send_message_enabled",
      timeoutMs: TURN_TIMEOUT_MS,
      args: Joi.object({
        session_id: sessionId,
        content: messageText().trim().min(1).disallow("").required(),
        sender: Joi.string().trim().min(1).max(100).default("mcp_user"),
      }),
      async run({ session_id, content, sender: name }, context) {
        // A turn that waits for another turn of its own session would deadlock.
        if (context.sessionId !== undefined) throw new AppError("conflict", "a turn cannot start another one");
        const sender = { id: context.callerId, name, isAdmin: false, isProgram: true };
        const started = await chat.chat(session_id, { content, attachments: [], sender, source: "mcp" });
        context.progress("the message is stored, the answer is being made");
        return toToolResult(await outcome(started.traceId, context.signal));
      },
    }),
    tool<{ session_id: string }>({
      ...WRITE_OPTIONS,
      name: "web_delete_session",
      help: { en: "Deletes a conversation and its messages.", zh: "删除会话及其消息。" },
      purpose: "Deletes a conversation and its messages.",
      deletes: true,
      args: Joi.object({ session_id: sessionId }),
      async run(asked) {
        const { id } = await sessions.get(asked.session_id);
        await service.remove(id);
        return { session_id: id };
      },
    }),
  ];
}

function toSessionSummary(session: Session) {
  const { id, name, type, sender_name, character_id, message_count, created_at, updated_at, archived, session_mode } =
    session;
  return { id, name, type, sender_name, character_id, message_count, created_at, updated_at, archived, session_mode };
}

function toMessageView({ id, role, sender, content, timestamp, source }: Message) {
  const isTruncated = content.length > MAX_CONTENT_CHARS;
  return {
    id,
    role,
    sender,
    content: content.slice(0, MAX_CONTENT_CHARS),
    timestamp,
    source,
    ...(isTruncated && { truncated: true }),
  };
}

function toToolResult({ traceId, state, userMessage, replies, filtered, blocked, error }: TurnOutcome) {
  if (state === "failed" && !error) throw sessionsTexts.error("upstream_failed", "not_answered");
  if (state === "failed" && error)
    throw new AppError("upstream_failed", error.error, error.detail && { detail: error.detail });
  return {
    message_id: userMessage?.id ?? null,
    trace_id: traceId,
    replies: replies.map(toMessageView),
    filtered,
    blocked,
  };
}
