import { type RouteTable, route } from "@parley/core";
import { askModelsBody, chatBody, continueBody, pressBody, regenerateBody, stopBody } from "../schemas/chat.ts";
import {
  askModelsData,
  continueStartedData,
  regenerateData,
  regenerateStartedData,
  stopData,
  turnResult,
  turnStartedData,
} from "../schemas/responses.ts";
import type { Chat } from "../turns/chat.ts";
import { sessionPath } from "./paths.ts";

export function createChatRoutes(chat: Chat): RouteTable {
  return [
    route({
      method: "POST",
      path: `${sessionPath}/chat`,
      summary: "send a message and get the answer",
      data: turnResult,
      accepted: turnStartedData,
      scope: "chat",
      body: chatBody,
      timeoutMs: false,
      run: ({ params, body, caller, signal }) => chat.handleChat(params.session_id, body, caller, signal),
    }),
    route({
      method: "POST",
      path: `${sessionPath}/regenerate`,
      summary: "regenerate an answer",
      data: regenerateData,
      accepted: regenerateStartedData,
      scope: "chat",
      body: regenerateBody,
      timeoutMs: false,
      run: ({ params, body, caller, signal }) => chat.handleRegenerate(params.session_id, body, caller, signal),
    }),
    route({
      method: "POST",
      path: `${sessionPath}/ask-models`,
      summary: "send one message to several models; each answer is a variant of the reply",
      data: askModelsData,
      scope: "chat",
      body: askModelsBody,
      run: ({ params, body, caller }) => chat.askModels(params.session_id, body, caller),
    }),
    route({
      method: "POST",
      path: `${sessionPath}/continue`,
      summary: "continue the last answer",
      data: turnResult,
      accepted: continueStartedData,
      scope: "chat",
      body: continueBody,
      timeoutMs: false,
      run: ({ params, body, caller, signal }) => chat.handleContinue(params.session_id, body, caller, signal),
    }),
    route({
      method: "POST",
      path: `${sessionPath}/press`,
      summary: "press a button or select an item of a message",
      data: turnResult,
      accepted: continueStartedData,
      scope: "chat",
      body: pressBody,
      timeoutMs: false,
      run: ({ params, body, caller, signal }) => chat.handlePress(params.session_id, body, caller, signal),
    }),
    route({
      method: "POST",
      path: "/api/stop",
      summary: "stop the running answer, or with trace_id that one, even while it waits",
      data: stopData,
      scope: "chat",
      body: stopBody,
      run: ({ body }) => chat.stop(body.session_id, body.trace_id),
    }),
  ];
}
