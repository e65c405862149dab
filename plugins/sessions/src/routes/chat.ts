import { type RouteTable, route } from "@parley/core";
import {
  answeredAgain,
  askedModels,
  continuing,
  startedAgain,
  startedTurn,
  stoppedTurns,
  turnResult,
} from "../answers.ts";
import type { Chat } from "../chat.ts";
import { askModelsBody, chatBody, continueBody, regenerateBody, stopBody } from "../schemas/chat.ts";
import { one } from "./paths.ts";

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
      path: `${one}/ask-models`,
      summary: "ask several models the same; each answer is a variant of the reply",
      data: askedModels,
      scope: "chat",
      body: askModelsBody,
      run: ({ params, body, caller }) => chat.askModels(params.session_id, body, caller),
    }),
    route({
      method: "POST",
      path: `${one}/continue`,
      summary: "say more of the last answer",
      data: turnResult,
      accepted: continuing,
      scope: "chat",
      body: continueBody,
      timeoutMs: false,
      run: ({ params, body, caller, signal }) => chat.goOn(params.session_id, body, caller, signal),
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
