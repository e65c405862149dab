import { listQuery, messageShape, type RouteTable, reply, route } from "@parley/core";
import {
  allFavorites,
  answerList,
  changedFavorite,
  changedMessage,
  clearedMessages,
  favoriteList,
  forkList,
  foundMessages,
  messageList,
  removedMessage,
  shownBranch,
  storedData,
} from "../answers.ts";
import type { Branches } from "../branches.ts";
import type { KeptMessages } from "../kept-messages.ts";
import type { MessageRows } from "../message-rows.ts";
import type { MessageSearch } from "../message-search.ts";
import type { OperatorSend } from "../operator-send.ts";
import {
  clearQuery,
  favoriteBody,
  messageDraft,
  messagePatch,
  messageQuery,
  ratingBody,
  searchQuery,
} from "../schemas/messages.ts";
import { one } from "./paths.ts";

const messages = `${one}/messages` as const;
const message = `${messages}/{message_id}` as const;

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

/** What people keep of what was said, and what they think of it. */
export function keptRoutes(kept: KeptMessages): RouteTable {
  return [
    route({
      method: "PUT",
      path: `${message}/rating`,
      summary: "say whether an answer was good or bad; null: neither",
      data: messageShape,
      scope: "chat",
      body: ratingBody,
      run: ({ params, body }) => kept.rate(params.session_id, params.message_id, body),
    }),
    route({
      method: "GET",
      path: "/api/message-favorites",
      summary: "collections of kept messages, of all sessions",
      data: allFavorites,
      query: listQuery(),
      run: ({ query }) => kept.favorites(query),
    }),
  ];
}

/** What else was said: in other words, and elsewhere. */
export function branchRoutes(branches: Branches, search: MessageSearch): RouteTable {
  return [
    route({
      method: "GET",
      path: `${one}/branches`,
      summary: "where the conversation went on in more than one way",
      data: forkList,
      run: ({ params }) => branches.list(params.session_id),
    }),
    route({
      method: "GET",
      path: `${message}/answers`,
      summary: "all answers to a message, those that are not shown too",
      data: answerList,
      run: ({ params }) => branches.answers(params.session_id, params.message_id),
    }),
    route({
      method: "POST",
      path: `${one}/branches/{branch_id}/show`,
      summary: "go on with another branch; the one that is shown is kept",
      data: shownBranch,
      scope: "chat",
      run: ({ params }) => branches.show(params.session_id, params.branch_id),
    }),
    route({
      method: "GET",
      path: "/api/messages",
      summary: "find words in what was said, and answers that were rated",
      data: foundMessages,
      query: searchQuery,
      run: ({ query }) => search(query),
    }),
  ];
}
