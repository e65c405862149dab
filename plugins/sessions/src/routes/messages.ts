import { messageShape, type RouteTable, reply, route } from "@parley/core";
import { listQuery } from "@parley/core/http";
import type { Branches } from "../messages/branches.ts";
import type { MessageFeedback } from "../messages/message-feedback.ts";
import type { MessageSearch } from "../messages/message-search.ts";
import type { MessageService } from "../messages/message-service.ts";
import type { SendAsOperator } from "../messages/operator-send.ts";
import {
  clearQuery,
  favoriteBody,
  messageDraft,
  messagePatch,
  messageQuery,
  ratingBody,
  searchQuery,
} from "../schemas/messages.ts";
import {
  allFavoritesData,
  answerList,
  branchSwitchData,
  favoriteChangeData,
  favoriteList,
  forkList,
  messageChangeData,
  messageDeletedData,
  messageList,
  messageSearchData,
  messagesClearedData,
  storedMessageData,
} from "../schemas/responses.ts";
import { sessionPath } from "./paths.ts";

const messagesPath = `${sessionPath}/messages` as const;
const messagePath = `${messagesPath}/{message_id}` as const;

export function createMessageRoutes(service: MessageService, send: SendAsOperator): RouteTable {
  const favorites = `${sessionPath}/message-favorites` as const;
  return [
    route({
      method: "GET",
      path: messagesPath,
      summary: "list messages in pages",
      data: messageList,
      query: messageQuery,
      run: ({ params, query }) => service.list(params.session_id, query),
    }),
    route({
      method: "POST",
      path: messagesPath,
      summary: "store a message without an answer; deliver: send it to the people of the channel",
      data: storedMessageData,
      accepted: storedMessageData,
      scope: "chat",
      body: messageDraft,
      timeoutMs: false,
      run: async ({ params, body, caller }) =>
        body.deliver ? reply(await send(params.session_id, body, caller)) : service.add(params.session_id, body),
    }),
    route({
      method: "PUT",
      path: messagePath,
      summary: "change a message, or remove those after it",
      data: messageChangeData,
      scope: "chat",
      body: messagePatch,
      run: ({ params, body, ifMatch }) => service.update(params.session_id, params.message_id, body, ifMatch),
    }),
    route({
      method: "DELETE",
      path: messagePath,
      summary: "delete a message",
      data: messageDeletedData,
      scope: "chat",
      run: ({ params }) => service.remove(params.session_id, params.message_id),
    }),
    route({
      method: "DELETE",
      path: messagesPath,
      summary: "delete all messages",
      data: messagesClearedData,
      scope: "chat",
      query: clearQuery,
      run: ({ params, query }) => service.clear(params.session_id, query.include_archive),
    }),
    route({
      method: "GET",
      path: favorites,
      summary: "list collections of favorite messages",
      data: favoriteList,
      query: listQuery(),
      run: ({ params, query }) => service.favorites(params.session_id, query),
    }),
    route({
      method: "PUT",
      path: favorites,
      summary: "save messages in a collection",
      data: favoriteChangeData,
      scope: "chat",
      body: favoriteBody,
      run: ({ params, body }) => service.setFavorite(params.session_id, body),
    }),
  ];
}

export function createFeedbackRoutes(feedback: MessageFeedback): RouteTable {
  return [
    route({
      method: "PUT",
      path: `${messagePath}/rating`,
      summary: "rate an answer as good or bad; null removes the rating",
      data: messageShape,
      scope: "chat",
      body: ratingBody,
      run: ({ params, body }) => feedback.rate(params.session_id, params.message_id, body),
    }),
    route({
      method: "GET",
      path: "/api/message-favorites",
      summary: "list collections of favorite messages of all sessions",
      data: allFavoritesData,
      query: listQuery(),
      run: ({ query }) => feedback.favorites(query),
    }),
  ];
}

export function createBranchRoutes(branches: Branches, search: MessageSearch): RouteTable {
  return [
    route({
      method: "GET",
      path: `${sessionPath}/branches`,
      summary: "list the points where the conversation has several continuations",
      data: forkList,
      run: ({ params }) => branches.list(params.session_id),
    }),
    route({
      method: "GET",
      path: `${messagePath}/answers`,
      summary: "list all answers to a message, including hidden ones",
      data: answerList,
      run: ({ params }) => branches.answers(params.session_id, params.message_id),
    }),
    route({
      method: "POST",
      path: `${sessionPath}/branches/{branch_id}/show`,
      summary: "show another branch; the visible one becomes a branch",
      data: branchSwitchData,
      scope: "chat",
      run: ({ params }) => branches.show(params.session_id, params.branch_id),
    }),
    route({
      method: "GET",
      path: "/api/messages",
      summary: "search messages by text, and answers by rating",
      data: messageSearchData,
      query: searchQuery,
      run: ({ query }) => search(query),
    }),
  ];
}
