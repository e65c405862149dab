import Joi from "@hapi/joi";
import { type RouteTable, route, toSender } from "@parley/core";
import { listQuery, toPage } from "@parley/core/http";
import { answeredQuestionData, openQuestionList } from "../../response-schemas.ts";
import type { Confirmations } from "./confirmations.ts";

const base = "/api/confirmations";

/** Creates the routes of open confirmations, for people outside the conversation. */
export function createConfirmationRoutes(confirmations: Confirmations): RouteTable {
  return [
    route({
      method: "GET",
      path: base,
      summary: "list the tool calls that wait for a person",
      data: openQuestionList,
      query: listQuery(),
      run: ({ query }) => toPage(confirmations.open(), query),
    }),
    route({
      method: "POST",
      path: `${base}/{request_id}`,
      summary: "allow or reject a waiting tool call; needs a login, an API key gets 403",
      data: answeredQuestionData,
      scope: "chat",
      body: Joi.object<{ approved: boolean }, true>({ approved: Joi.boolean().strict().required() }),
      run: ({ params, body, caller }) => confirmations.answerById(params.request_id, body.approved, toSender(caller)),
    }),
  ];
}
