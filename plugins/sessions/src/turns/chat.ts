import {
  ANSWERS,
  assertMaySpeak,
  BY_SERVICE,
  type Caller,
  type ChatRequest,
  type InboundMessage,
  isGroupSession,
  reply,
  type Sender,
  type Session,
  type SpeakOrder,
  type TurnOutcome,
  type TurnStarted,
  toSender,
  toSpeakOrder,
} from "@parley/core";
import { resolveAttachments } from "../messages/attachments.ts";
import { isForParticipants } from "../messages/operator-only.ts";
import type { AskModelsBody, ChatBody, ContinueBody, RegenerateBody } from "../schemas/chat.ts";
import {
  applyFilter,
  assertChatModel,
  assertNotArchived,
  assertNotRunning,
  type SessionDeps,
} from "../session-deps.ts";
import { sessionsTexts } from "../texts.ts";
import { type AskModelsResult, createAskModels } from "./ask-models.ts";
import { type MessageWatcher, watchMessages } from "./message-watcher.ts";
import { createPresses, type Presses, toAppError } from "./presses.ts";
import { createQueueLimit } from "./queue-limit.ts";
import { assertHasContent } from "./turn-stages.ts";
import { findUserMessage } from "./user-message-id.ts";

/** Maximum wait for the stored message in requests that do not wait for the reply; a queued one is not stored yet. */
const MESSAGE_WAIT_MS = 1_000;
const CONTINUE_PROMPT =
  "Continue your last answer from exactly where it ends, in its language. Do not repeat any of it, and do not comment on this.";

/** Starts, repeats and stops turns on behalf of people. */
export interface Chat extends Presses {
  chat(idOrKey: string, request: ChatRequest): Promise<TurnStarted>;
  /** Answers a message again; `deliver` as in `ChatRequest`. */
  regenerate(
    idOrKey: string,
    messageId: string | undefined,
    sender: Sender,
    options?: { readonly deliver?: boolean; readonly order?: SpeakOrder; readonly modelId?: string | undefined },
  ): Promise<TurnStarted>;
  /** Handles the REST route for messages: waits for the turn unless the body says otherwise. */
  handleChat(idOrKey: string, body: ChatBody, caller: Caller, signal: AbortSignal): Promise<unknown>;
  handleRegenerate(idOrKey: string, body: RegenerateBody, caller: Caller, signal: AbortSignal): Promise<unknown>;
  /** Handles the REST route that sends one message to several models. */
  askModels(idOrKey: string, body: AskModelsBody, caller: Caller): Promise<AskModelsResult>;
  /** Handles the REST route that continues the last answer. */
  handleContinue(idOrKey: string, body: ContinueBody, caller: Caller, signal: AbortSignal): Promise<unknown>;
  stop(idOrKey: string, traceId: string | undefined): Promise<object>;
}

export function createChat(deps: SessionDeps): Chat {
  const { sessions, messages, gateway, channels, settings } = deps;
  const withQueueLimit = createQueueLimit(gateway);
  const assertAnswersEnabled = (session: Session) => {
    if (!settings.get(ANSWERS)) {
      throw sessionsTexts.error("unavailable", "answers_off");
    }
    if (session.channel_id === "web" && channels()?.get("web")?.enabled === false) {
      throw sessionsTexts.error("conflict", "web_off");
    }
  };
  const toInboundMessage = (session: Session, request: ChatRequest): InboundMessage => ({
    channelId: session.channel_id,
    sessionId: session.id,
    conversation: { id: session.conversation_id ?? session.id, isGroup: isGroupSession(session) },
    kind: "message",
    sender: request.sender,
    text: request.content,
    attachments: request.attachments,
    addressed: true,
    source: request.source,
    ...(session.channel_id !== "web" && request.deliver !== true && { isOperatorOnly: true }),
    ...(request.isHidden === true && { isHidden: true }),
    ...(request.speakerIds !== undefined && { speakerIds: request.speakerIds }),
    ...(request.replyTo !== undefined && { replyTo: request.replyTo }),
    ...(request.instructions !== undefined && { instructions: request.instructions }),
    ...(request.parameters !== undefined && { parameters: request.parameters }),
    ...(request.tempId !== undefined && { tempId: request.tempId, dedupeKey: `${session.id}:${request.tempId}` }),
  });
  /** Returns the message of a turn that has started or starts at once; null when the turn must wait. */
  const findStartedMessage = async (
    sessionId: string,
    { messageId, traceId }: TurnStarted,
    watcher: MessageWatcher,
  ) => {
    if (messageId === null) return null;
    const [stored] = await messages.byIds([messageId]);
    const running = gateway().running(sessionId);
    const isQueued = running !== undefined && running.traceId !== traceId;
    return stored ?? (isQueued ? null : watcher.waitFor(messageId, MESSAGE_WAIT_MS));
  };

  /** True when the filter will block the message, so that its sender can be notified at once. */
  const isBlocked = async (session: Session, { content, attachments, sender }: ChatRequest): Promise<boolean> => {
    if (sender.isAdmin && content.trimStart().startsWith("/")) return false;
    return (await applyFilter(deps, session, "user", content, attachments.length > 0, true)).blocked;
  };

  const chat = async (idOrKey: string, request: ChatRequest): Promise<TurnStarted> => {
    const session = await sessions.get(idOrKey);
    if (request.deliver === true) assertMaySpeak({ channelId: session.channel_id }, request.order ?? BY_SERVICE);
    assertNotArchived(session);
    assertHasContent(request.content, request.attachments);
    const attachments = await resolveAttachments(deps, session.id, request.attachments);
    if (request.replyTo !== undefined) await messages.find(session.id, request.replyTo);
    assertAnswersEnabled(session);
    const blocked = await isBlocked(session, request);
    const inbound = toInboundMessage(session, { ...request, attachments });
    const { traceId, duplicated } = await withQueueLimit(session.id, () => gateway().accept(inbound));
    const { id } = await findUserMessage(deps, { sessionId: session.id, traceId, tempId: request.tempId }, false);
    return { traceId, duplicated, messageId: blocked ? null : id, blocked, removedIds: [] };
  };
  const regenerate: Chat["regenerate"] = async (
    idOrKey,
    messageId,
    sender,
    { deliver = false, order = BY_SERVICE, modelId } = {},
  ) => {
    const session = await sessions.get(idOrKey);
    if (deliver) assertMaySpeak({ channelId: session.channel_id }, order);
    await assertChatModel(deps, modelId);
    assertNotArchived(session);
    assertNotRunning(deps, session);
    assertAnswersEnabled(session);
    const { question, removedIds } = await findQuestion(deps, session, messageId);
    if (deliver && session.channel_id !== "web" && !isForParticipants(question)) {
      throw sessionsTexts.error("bad_request", "not_for_people", {}, { field: "deliver" });
    }
    const { traceId, duplicated } = await gateway().accept({
      ...toInboundMessage(session, {
        content: question.content,
        attachments: question.attachments,
        sender,
        source: "web",
        deliver,
      }),
      kind: "regenerate",
      messageId: question.id,
      ...(modelId !== undefined && { modelId }),
    });
    return { traceId, duplicated, messageId: question.id, blocked: false, removedIds };
  };
  const waitFor = async (started: TurnStarted, signal: AbortSignal) =>
    toTurnResult(await gateway().outcome(started.traceId, signal));

  return {
    chat,
    regenerate,
    ...createPresses({ deps, assertAnswersEnabled, toInboundMessage, waitFor }),
    askModels: createAskModels({ deps, withQueueLimit, assertAnswersEnabled, toInboundMessage, isBlocked }),
    async handleChat(idOrKey, body, caller, signal) {
      const { content, message, attachments, sender, sender_id, reply_to, temp_id, wait, deliver } = body;
      if (content !== undefined && message !== undefined && content !== message) {
        throw sessionsTexts.error("bad_request", "content_differs", {}, { field: "content" });
      }
      const session = wait ? undefined : await sessions.get(idOrKey);
      using watcher = session && watchMessages(deps.events, session.id);
      const started = await chat(idOrKey, {
        content: content ?? message ?? "",
        attachments,
        sender: toSender(caller, { name: sender, id: sender_id }),
        source: "api",
        deliver,
        order: toSpeakOrder(caller),
        ...(reply_to !== undefined && { replyTo: reply_to }),
        ...(temp_id !== undefined && { tempId: temp_id }),
      });
      if (!session || !watcher) {
        const { data, notice } = await waitFor(started, signal);
        return reply({ data, message: notice });
      }
      const user_message = await findStartedMessage(session.id, started, watcher);
      return reply({ status: 202, data: { trace_id: started.traceId, user_message, blocked: started.blocked } });
    },
    async handleRegenerate(idOrKey, { message_id, model_id: modelId, wait, deliver }, caller, signal) {
      const started = await regenerate(idOrKey, message_id, toSender(caller), {
        deliver,
        order: toSpeakOrder(caller),
        modelId,
      });
      const removed_ids = started.removedIds;
      if (!wait) return reply({ status: 202, data: { trace_id: started.traceId, removed_ids } });
      const { data, notice } = await waitFor(started, signal);
      return reply({ data: { ...data, removed_ids }, message: notice });
    },
    async handleContinue(idOrKey, { wait, deliver }, caller, signal) {
      const session = await sessions.get(idOrKey);
      assertNotRunning(deps, session);
      const last = await messages.last(session.id, "live");
      if (last?.role !== "assistant" || last.kind !== "normal" || last.metadata.sent_by_operator === true)
        throw sessionsTexts.error("conflict", "not_by_ai");
      if (deliver && session.channel_id !== "web" && !isForParticipants(last))
        throw sessionsTexts.error("bad_request", "not_for_people", {}, { field: "deliver" });
      const started = await chat(session.id, {
        content: CONTINUE_PROMPT,
        attachments: [],
        sender: toSender(caller),
        source: "web",
        deliver,
        order: toSpeakOrder(caller),
        isHidden: true,
      });
      if (!wait) return reply({ status: 202, data: { trace_id: started.traceId } });
      const { data, notice } = await waitFor(started, signal);
      return reply({ data, message: notice });
    },
    async stop(idOrKey, traceId) {
      const session = await sessions.get(idOrKey);
      if (channels()?.get(session.channel_id)?.capabilities.supports_stop === false) {
        throw sessionsTexts.error("conflict", "stop_unoffered");
      }
      return gateway().stop(session.id, traceId);
    },
  };
}

/** Finds the message to answer again, and the messages that the new reply replaces. */
async function findQuestion({ messages }: SessionDeps, session: Session, messageId: string | undefined) {
  const { items } = await messages.page(session, {
    order: "desc",
    limit: 500,
    offset: 0,
    include_hidden: false,
    include_system: false,
  });
  const conversation = items.filter(({ kind }) => kind === "normal");
  const last = messageId === undefined ? conversation[0] : await messages.find(session.id, messageId);
  if (!last) throw sessionsTexts.error("bad_request", "nothing_to_repeat", {}, { field: "message_id" });
  if (messageId !== undefined && last.role !== "assistant")
    throw sessionsTexts.error("bad_request", "not_reply", {}, { field: "message_id" });
  if (last.metadata.sent_by_operator === true)
    throw sessionsTexts.error("bad_request", "by_operator", {}, { field: "message_id" });
  const question =
    last.role === "user" ? last : conversation.find(({ role, seq }) => role === "user" && seq < last.seq);
  if (!question) throw sessionsTexts.error("bad_request", "no_question", {}, { field: "message_id" });
  const later = await messages.liveFrom(session.id, question.seq + 1);
  return { question, removedIds: later.map(({ id }) => id) };
}

/** Converts the outcome of a turn to the REST response; throws the error of a failed turn. */
function toTurnResult(outcome: TurnOutcome) {
  if (outcome.state === "failed" && outcome.error) {
    throw toAppError(outcome.error);
  }
  const usage = outcome.usage ?? {
    input_tokens: 0,
    output_tokens: 0,
    total_tokens: 0,
    cost: null,
    model: null,
    model_id: null,
  };
  const data = {
    trace_id: outcome.traceId,
    user_message: outcome.userMessage,
    replies: outcome.replies,
    filtered: outcome.filtered,
    blocked: outcome.blocked,
    stopped: outcome.stopped,
    usage,
  };
  return { data, notice: outcome.notice };
}
