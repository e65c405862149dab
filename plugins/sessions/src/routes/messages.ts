import { listQuery, messageShape, type RouteTable, reply, route } from "@parley/core";
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

export function messageRoutes(service: MessageService, send: SendAsOperator): RouteTable {
  const favorites = `${sessionPath}/message-favorites` as const;
  return [
    route({
      method: "GET",
      path: messagesPath,
      summary: "messages, in pages",
      data: messageList,
      query: messageQuery,
      run: ({ params, query }) => service.list(params.session_id, query),
    }),
    route({
      method: "POST",
      path: messagesPath,
      summary: "store a message without an answer; deliver: say it to the people of a channel",
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
      summary: "change a message, or cut off what follows",
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
      summary: "collections of kept messages",
      data: favoriteList,
      query: listQuery(),
      run: ({ params, query }) => service.favorites(params.session_id, query),
    }),
    route({
      method: "PUT",
      path: favorites,
      summary: "keep messages in a collection",
      data: favoriteChangeData,
      scope: "chat",
      body: favoriteBody,
      run: ({ params, body }) => service.setFavorite(params.session_id, body),
    }),
  ];
}

/** Routes of favorites and ratings. */
export function feedbackRoutes(feedback: MessageFeedback): RouteTable {
  return [
    route({
      method: "PUT",
      path: `${messagePath}/rating`,
      summary: "say whether an answer was good or bad; null: neither",
      data: messageShape,
      scope: "chat",
      body: ratingBody,
      run: ({ params, body }) => feedback.rate(params.session_id, params.message_id, body),
    }),
    route({
      method: "GET",
      path: "/api/message-favorites",
      summary: "collections of kept messages, of all sessions",
      data: allFavoritesData,
      query: listQuery(),
      run: ({ query }) => feedback.favorites(query),
    }),
  ];
}

/** Routes of branches and message search. */
export function branchRoutes(branches: Branches, search: MessageSearch): RouteTable {
  return [
    route({
      method: "GET",
      path: `${sessionPath}/branches`,
      summary: "where the conversation went on in more than one way",
      data: forkList,
      run: ({ params }) => branches.list(params.session_id),
    }),
    route({
      method: "GET",
      path: `${messagePath}/answers`,
      summary: "all answers to a message, those that are not shown too",
      data: answerList,
      run: ({ params }) => branches.answers(params.session_id, params.message_id),
    }),
    route({
      method: "POST",
      path: `${sessionPath}/branches/{branch_id}/show`,
      summary: "go on with another branch; the one that is shown is kept",
      data: branchSwitchData,
      scope: "chat",
      run: ({ params }) => branches.show(params.session_id, params.branch_id),
    }),
    route({
      method: "GET",
      path: "/api/messages",
      summary: "find words in what was said, and answers that were rated",
      data: messageSearchData,
      query: searchQuery,
      run: ({ query }) => search(query),
    }),
  ];
}
