import { deletedData, listQuery, type RouteTable, reply, route, sessionShape } from "@parley/core";
import {
  answeredAgain,
  changedFavorite,
  changedMessage,
  clearedMessages,
  compressed,
  debugData,
  exportedJson,
  exportedOne,
  favoriteList,
  greetingsData,
  importedData,
  messageList,
  promptData,
  removedMessage,
  removedPrompt,
  restored,
  sessionList,
  startedAgain,
  startedTurn,
  stoppedTurns,
  storedData,
  summarized,
  timelineEntry,
  timelineList,
  turnResult,
} from "./answers.ts";
import type { Chat } from "./chat.ts";
import type { ContextRows } from "./context-rows.ts";
import type { Export } from "./export.ts";
import type { Import } from "./import.ts";
import type { MessageRows } from "./message-rows.ts";
import type { OperatorSend } from "./operator-send.ts";
import {
  bindBody,
  chatBody,
  clearQuery,
  compressBody,
  exportAllQuery,
  exportQuery,
  favoriteBody,
  forkBody,
  importBody,
  messageDraft,
  messagePatch,
  messageQuery,
  promptBody,
  regenerateBody,
  restoreBody,
  sessionDraft,
  sessionPatch,
  sessionQuery,
  stopBody,
  summaryBody,
  timelineBody,
  timelineQuery,
} from "./schema.ts";
import type { SessionRows } from "./session-rows.ts";

const base = "/api/sessions";
const one = `${base}/{session_id}` as const;
const messages = `${one}/messages` as const;
const message = `${messages}/{message_id}` as const;
const IMPORT_BYTES = 50 * 1024 * 1024;
const IMPORT_MS = 300_000;

export function sessionRoutes(
  rows: SessionRows,
  get: (id: string) => Promise<object>,
  debug: (id: string) => Promise<object>,
): RouteTable {
  return [
    route({
      method: "GET",
      path: base,
      summary: "list the sessions",
      data: sessionList,
      query: sessionQuery,
      run: ({ query }) => rows.list(query),
    }),
    route({
      method: "POST",
      path: base,
      summary: "create a session",
      data: sessionShape,
      scope: "chat",
      body: sessionDraft,
      run: ({ body }) => rows.create(body),
    }),
    route({
      method: "GET",
      path: one,
      summary: "one session",
      data: sessionShape,
      run: ({ params }) => get(params.session_id),
    }),
    route({
      method: "PUT",
      path: one,
      summary: "change a session",
      data: sessionShape,
      body: sessionPatch,
      run: ({ params, body, ifMatch }) => rows.update(params.session_id, body, ifMatch),
    }),
    route({
      method: "DELETE",
      path: one,
      summary: "delete a session",
      data: deletedData,
      run: ({ params }) => rows.remove(params.session_id),
    }),
    route({
      method: "GET",
      path: `${one}/debug`,
      summary: "the state of a session",
      data: debugData,
      run: ({ params }) => debug(params.session_id),
    }),
    route({
      method: "POST",
      path: `${one}/archive`,
      summary: "archive a session",
      data: sessionShape,
      run: ({ params }) => rows.archive(params.session_id),
    }),
    route({
      method: "POST",
      path: `${one}/restore`,
      summary: "restore an archived session",
      data: sessionShape,
      run: ({ params }) => rows.restore(params.session_id),
    }),
    route({
      method: "POST",
      path: `${one}/fork`,
      summary: "go on from a message in a new session",
      data: sessionShape,
      body: forkBody,
      run: ({ params, body }) => rows.fork(params.session_id, body),
    }),
    route({
      method: "PUT",
      path: `${one}/bind-character`,
      summary: "bind a character",
      data: sessionShape,
      body: bindBody,
      run: ({ params, body }) => rows.bind(params.session_id, body),
    }),
    route({
      method: "GET",
      path: `${one}/greetings`,
      summary: "what its character could begin with",
      data: greetingsData,
      run: async ({ params }) => ({ items: await rows.greetings(params.session_id) }),
    }),
  ];
}

export function messageRoutes(rows: MessageRows, send: OperatorSend): RouteTable {
  const favorites = `${one}/message-favorites` as const;
  return [
    route({
      method: "GET",
      path: messages,
      summary: "messages, in pages",
      data: messageList,
      query: messageQuery,
      run: ({ params, query }) => rows.list(params.session_id, query),
    }),
    route({
      method: "POST",
      path: messages,
      summary: "store a message without an answer; deliver: say it to the people of a channel",
      data: storedData,
      accepted: storedData,
      scope: "chat",
      body: messageDraft,
      timeoutMs: false,
      run: async ({ params, body, caller }) =>
        body.deliver ? reply(await send(params.session_id, body, caller)) : rows.add(params.session_id, body),
    }),
    route({
      method: "PUT",
      path: message,
      summary: "change a message, or cut off what follows",
      data: changedMessage,
      scope: "chat",
      body: messagePatch,
      run: ({ params, body, ifMatch }) => rows.update(params.session_id, params.message_id, body, ifMatch),
    }),
    route({
      method: "DELETE",
      path: message,
      summary: "delete a message",
      data: removedMessage,
      scope: "chat",
      run: ({ params }) => rows.remove(params.session_id, params.message_id),
    }),
    route({
      method: "DELETE",
      path: messages,
      summary: "delete all messages",
      data: clearedMessages,
      scope: "chat",
      query: clearQuery,
      run: ({ params, query }) => rows.clear(params.session_id, query.include_archive),
    }),
    route({
      method: "GET",
      path: favorites,
      summary: "collections of kept messages",
      data: favoriteList,
      query: listQuery(),
      run: ({ params, query }) => rows.favorites(params.session_id, query),
    }),
    route({
      method: "PUT",
      path: favorites,
      summary: "keep messages in a collection",
      data: changedFavorite,
      scope: "chat",
      body: favoriteBody,
      run: ({ params, body }) => rows.setFavorite(params.session_id, body),
    }),
  ];
}

export function chatRoutes(chat: Chat): RouteTable {
  return [
    route({
      method: "POST",
      path: `${one}/chat`,
      summary: "say something and get the answer",
      data: turnResult,
      accepted: startedTurn,
      scope: "chat",
      body: chatBody,
      timeoutMs: false,
      run: ({ params, body, caller, signal }) => chat.answer(params.session_id, body, caller, signal),
    }),
    route({
      method: "POST",
      path: `${one}/regenerate`,
      summary: "answer again",
      data: answeredAgain,
      accepted: startedAgain,
      scope: "chat",
      body: regenerateBody,
      timeoutMs: false,
      run: ({ params, body, caller, signal }) => chat.answerAgain(params.session_id, body, caller, signal),
    }),
    route({
      method: "POST",
      path: "/api/stop",
      summary: "stop the running answer; with trace_id that one, also while it waits",
      data: stoppedTurns,
      scope: "chat",
      body: stopBody,
      run: ({ body }) => chat.stop(body.session_id, body.trace_id),
    }),
  ];
}

export function contextRoutes(context: ContextRows): RouteTable {
  const prompt = `${one}/custom-prompt` as const;
  const timeline = `${one}/runtime-timeline` as const;
  return [
    route({
      method: "POST",
      path: `${one}/compress`,
      summary: "replace older messages by a summary",
      data: compressed,
      body: compressBody,
      timeoutMs: false,
      run: ({ params, body, signal }) => context.compress(params.session_id, body.keep_last, signal),
    }),
    route({
      method: "POST",
      path: `${one}/ai-summary`,
      summary: "a summary of the session",
      data: summarized,
      body: summaryBody,
      timeoutMs: false,
      run: ({ params, body: { max_chars, save_memories }, signal, caller }) =>
        context.summarize(params.session_id, max_chars, signal, save_memories ? caller.username : undefined),
    }),
    route({
      method: "POST",
      path: `${one}/restore-from-archive`,
      summary: "bring compressed messages back",
      data: restored,
      body: restoreBody,
      run: ({ params, body }) => context.restore(params.session_id, body.turns ?? body.count ?? 1),
    }),
    route({
      method: "GET",
      path: prompt,
      summary: "the session's own prompt",
      data: promptData,
      run: ({ params }) => context.customPrompt(params.session_id),
    }),
    route({
      method: "PUT",
      path: prompt,
      summary: "set the session's own prompt",
      data: promptData,
      body: promptBody,
      run: ({ params, body }) => context.setCustomPrompt(params.session_id, body.content),
    }),
    route({
      method: "DELETE",
      path: prompt,
      summary: "remove the session's own prompt",
      data: removedPrompt,
      run: ({ params }) => context.setCustomPrompt(params.session_id, null),
    }),
    route({
      method: "GET",
      path: timeline,
      summary: "how the character's state changed",
      data: timelineList,
      query: timelineQuery,
      run: ({ params, query }) => context.timeline(params.session_id, query),
    }),
    route({
      method: "POST",
      path: timeline,
      summary: "note the character's state",
      data: timelineEntry,
      body: timelineBody,
      run: ({ params, body }) => context.addToTimeline(params.session_id, body),
    }),
  ];
}

export function transferRoutes(exported: Export, imported: Import): RouteTable {
  return [
    route({
      method: "GET",
      path: `${one}/export`,
      summary: "a session as a file",
      data: exportedOne,
      reply: "raw",
      query: exportQuery,
      run: ({ params, query }) => exported.one(params.session_id, query),
    }),
    route({
      method: "GET",
      path: `${base}/export`,
      summary: "sessions as a file",
      data: exportedJson,
      reply: "raw",
      query: exportAllQuery,
      run: ({ query }) => exported.all(query),
    }),
    route({
      method: "POST",
      path: `${base}/import`,
      summary: "take in exported sessions",
      data: importedData,
      payload: "json-or-file",
      maxBytes: IMPORT_BYTES,
      timeoutMs: IMPORT_MS,
      body: importBody,
      run: ({ body }) => imported.take(body),
    }),
  ];
}
