import {
  AppError,
  type Attachment,
  type Caller,
  createPartQueue,
  derivedId,
  type ErrorCode,
  type Files,
  type Gateway,
  HTTP_STATUS,
  type LiveEvent,
  type LiveEvents,
  type Sender,
  type Session,
  type Sessions,
  type TurnOutcome,
} from "@parley/core";
import type { Target } from "../model-list.ts";
import type { ChatMessage, CompletionBody } from "../request/body.ts";
import { listPictures, toInstructions, toText } from "../request/content.ts";
import { toParameters } from "../request/parameters.ts";
import type { Pictures } from "../request/pictures.ts";
import { openaiTexts } from "../texts.ts";
import type { CompletionRequest } from "./ask-model.ts";
import type { AnswerEnd, RunningAnswer } from "./running-answer.ts";

/** Field of a conversation's `metadata` with the key, user and model it belongs to. */
const METADATA = "openai_api";

export interface ConversationDeps {
  readonly sessions: () => Pick<Sessions, "openOwn" | "find" | "chat">;
  readonly gateway: () => Pick<Gateway, "outcome" | "stop">;
  readonly events: () => Pick<LiveEvents, "watch">;
  readonly files: () => Pick<Files, "put"> | undefined;
  readonly pictures: Pictures;
}

/** A request that belongs to a stored conversation, by the person or by its id. */
export type ConversationRequest = CompletionRequest & {
  readonly user?: string | undefined;
  readonly sessionId?: string | undefined;
};

/** The credential, person and model that a conversation belongs to. */
interface Owner {
  readonly credential: string;
  readonly user: string;
  readonly model: string;
}

/** Answers the new message of a request by a turn of a stored conversation. */
export async function askConversation(deps: ConversationDeps, request: ConversationRequest): Promise<RunningAnswer> {
  const { body, signal, idempotencyKey } = request;
  if (body.tools.length > 0) throw openaiTexts.error("bad_request", "tools_with_user", {}, { field: "tools" });
  const question = findQuestion(body.messages);
  const { session, owner } = await openConversation(deps, request);
  const attachments = await storePictures(deps, question, signal);
  const stream = watchReply(deps.events(), session.id);
  try {
    const instructions = toInstructions(body.messages);
    const { traceId } = await deps.sessions().chat(session.id, {
      content: question.map(toText).join("\n\n"),
      attachments,
      sender: toSender(request.caller, owner),
      source: "api",
      parameters: toParameters(body),
      ...(instructions !== "" && { instructions }),
      ...(idempotencyKey !== undefined && { tempId: toTempId(owner, idempotencyKey, body) }),
    });
    // What cannot be stopped ends by itself.
    const stop = () =>
      void deps
        .gateway()
        .stop(session.id, traceId)
        .catch(() => {});
    // Who repeats a request by its key wants the answer even when the connection breaks.
    if (idempotencyKey === undefined) {
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
    }
    const end = readEnd(deps, { traceId, signal, stream });
    // A client that has left reads neither the pieces nor the end.
    end.catch(() => {});
    return { pieces: stream.pieces, end, stop, sessionId: session.id };
  } catch (error) {
    stream.end();
    throw error;
  }
}

/** Returns the id under which a repeated request is known. The same key with another body is another request. */
function toTempId({ credential }: Owner, key: string, { stream: _stream, ...body }: CompletionBody): string {
  return derivedId("key", credential, key, JSON.stringify(body));
}

/** Returns what the user wrote since the last answer. */
function findQuestion(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const answered = messages.findLastIndex(({ role }) => role === "assistant" || role === "tool");
  const question = messages.slice(answered + 1).filter(({ role }) => role === "user");
  if (question.length === 0) throw openaiTexts.error("bad_request", "no_user_message", {}, { field: "messages" });
  return question;
}

async function openConversation(deps: ConversationDeps, { target, caller, user, sessionId }: ConversationRequest) {
  const credential = toCredential(caller);
  if (sessionId !== undefined) return findConversation(deps, { credential, sessionId, target });
  const owner: Owner = { credential, user: user ?? "", model: target.id };
  const session = await deps.sessions().openOwn({
    id: derivedId("sess", METADATA, credential, target.id, owner.user),
    type: "web",
    name: owner.user,
    metadata: { [METADATA]: owner },
    ...(target.characterId === undefined ? { session_mode: "plain" } : { character_id: target.characterId }),
    ...(target.modelId !== undefined && { model_id: target.modelId }),
  });
  return { session, owner };
}

/** Finds a conversation by its id; one of another key counts as missing. */
async function findConversation(
  deps: ConversationDeps,
  {
    credential,
    sessionId,
    target,
  }: { readonly credential: string; readonly sessionId: string; readonly target: Target },
): Promise<{ readonly session: Session; readonly owner: Owner }> {
  const session = await deps.sessions().find(sessionId);
  const owner = session && readOwner(session);
  if (!session || owner?.credential !== credential)
    throw openaiTexts.error("not_found", "no_conversation", { id: sessionId }, { field: "X-Parley-Session" });
  if (owner.model !== target.id)
    throw openaiTexts.error("bad_request", "other_model", { model: owner.model }, { field: "model" });
  const { id, name } = session;
  return { session: await deps.sessions().openOwn({ id, type: "web", name }), owner };
}

function readOwner({ metadata }: Session): Owner | undefined {
  return metadata[METADATA] as Owner | undefined;
}

function toCredential({ kind, credentialId, accountId }: Caller): string {
  return kind === "api_key" ? credentialId : `account:${accountId}`;
}

/** Returns the person who writes: one for each key and user, with the rights of a stranger. */
function toSender({ kind, credentialId }: Caller, { credential, user }: Owner): Sender {
  const person = `${credential}:${user}`;
  return {
    id: person,
    name: user,
    username: person,
    isAdmin: false,
    isProgram: true,
    ...(kind === "api_key" && { apiKeyId: credentialId }),
  };
}

async function storePictures(
  { files, pictures }: ConversationDeps,
  question: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<readonly Attachment[]> {
  const loaded = await pictures.load(question.flatMap(listPictures), signal);
  const attachments: Attachment[] = [];
  for (const { mimeType, bytes } of loaded.values()) {
    const stored = await files()?.put(bytes, { name: `picture.${mimeType.slice("image/".length)}` }, signal);
    if (!stored) throw new AppError("unavailable", "files are switched off");
    attachments.push({ type: "image", url: stored.url, name: stored.name, mime_type: mimeType, size: stored.size });
  }
  return attachments;
}

/** The text of a reply while it is generated. */
interface ReplyStream {
  readonly pieces: AsyncIterable<string>;
  /** Passes on the events of this turn, those before it was known included. */
  follow(traceId: string): void;
  /** Passes on what is missing of the final text, and ends the stream. */
  end(text?: string): void;
}

function watchReply(events: Pick<LiveEvents, "watch">, sessionId: string): ReplyStream {
  const queue = createPartQueue<string>(() => {});
  let early: LiveEvent[] | undefined = [];
  let followed: string | undefined;
  let messageId: unknown;
  let text = "";
  let sent = "";
  const send = () => {
    // A reply that began anew goes on where both texts are alike.
    if (text.length <= sent.length || !text.startsWith(sent)) return;
    queue.push(text.slice(sent.length));
    sent = text;
  };
  const read = ({ type, payload }: LiveEvent) => {
    if (type === "ai_stream_start" && payload.trace_id === followed) {
      messageId = (payload.message as { readonly id?: unknown } | undefined)?.id;
      text = "";
    }
    if (type !== "ai_stream_chunk" || messageId === undefined || payload.message_id !== messageId) return;
    text += String(payload.chunk);
    send();
  };
  const unwatch = events.watch((event) => {
    if (event.session_id !== sessionId || !event.type.startsWith("ai_stream_")) return;
    if (early) early.push(event);
    else read(event);
  });
  return {
    pieces: queue.parts,
    follow(traceId) {
      followed = traceId;
      for (const event of early ?? []) read(event);
      early = undefined;
    },
    end(finalText = "") {
      unwatch();
      text = finalText;
      send();
      queue.end();
    },
  };
}

async function readEnd(
  { gateway }: ConversationDeps,
  { traceId, signal, stream }: { readonly traceId: string; readonly signal: AbortSignal; readonly stream: ReplyStream },
): Promise<AnswerEnd> {
  stream.follow(traceId);
  try {
    const end = toEnd(await gateway().outcome(traceId, signal));
    stream.end(end.text);
    return end;
  } catch (error) {
    stream.end();
    throw error;
  }
}

function toEnd(outcome: TurnOutcome): AnswerEnd {
  const { state, error, replies, blocked, notice, usage } = outcome;
  if (state === "failed" && error) throw toAppError(error);
  const last = replies.at(-1);
  // The part that arrived is stored; for the client it is no answer.
  if (last?.error) throw toAppError(last.error);
  return {
    text: replies.map(({ content }) => content).join("\n\n"),
    finishReason: blocked ? "content_filter" : last?.stop_reason === "length" ? "length" : "stop",
    refusal: blocked && notice !== "" ? notice : null,
    toolCalls: [],
    usage,
  };
}

function toAppError({ code, error, detail }: NonNullable<TurnOutcome["error"]>): AppError {
  return new AppError(code in HTTP_STATUS ? (code as ErrorCode) : "internal", error, detail && { detail });
}
