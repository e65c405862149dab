import Joi from "@hapi/joi";
import {
  acceptedLanguage,
  type Logger,
  newId,
  type RouteRequest,
  type RouteTable,
  rawReply,
  route,
} from "@parley/core";
import { shape } from "@parley/core/http";
import type { ConversationRequest } from "./answer/ask-conversation.ts";
import type { CompletionRequest } from "./answer/ask-model.ts";
import { respond } from "./answer/respond.ts";
import type { RunningAnswer } from "./answer/running-answer.ts";
import { errorForm } from "./error-form.ts";
import type { ModelList } from "./model-list.ts";
import { type CompletionBody, completionBody } from "./request/body.ts";
import { rejectOtherContent } from "./request/content.ts";
import { openaiTexts } from "./texts.ts";

const MAX_BYTES = 48 * 1024 * 1024;

export interface RoutesDeps {
  readonly list: ModelList;
  readonly askModel: (request: CompletionRequest) => Promise<RunningAnswer>;
  readonly askConversation: (request: ConversationRequest) => Promise<RunningAnswer>;
  readonly now: () => number;
  readonly log: Pick<Logger, "error">;
}

const modelData = shape({
  id: Joi.string().required(),
  object: Joi.valid("model").required(),
  created: Joi.number().integer().required(),
  owned_by: Joi.string().required(),
});

const completionData = shape({
  id: Joi.string().required(),
  object: Joi.valid("chat.completion").required(),
  created: Joi.number().integer().required(),
  model: Joi.string().required(),
  choices: Joi.array().items(Joi.object().unknown()).required(),
  usage: Joi.object().unknown().required(),
});

/** The routes of OpenAI's API. Their errors have its form too (`error-form.ts`). */
export function createRoutes(deps: RoutesDeps): RouteTable {
  const { list } = deps;
  return [
    route({
      method: "GET",
      path: "/v1/models",
      summary: "list the characters and models that clients of OpenAI's API can use",
      scope: "chat",
      reply: "raw",
      data: {
        "application/json": shape({
          object: Joi.valid("list").required(),
          data: Joi.array().items(modelData).required(),
        }),
      },
      refused: errorForm.data,
      run: async () => toJson({ object: "list", data: await list.list() }),
    }),
    route({
      method: "GET",
      path: "/v1/models/{model}",
      summary: "get one of these models",
      scope: "chat",
      reply: "raw",
      data: { "application/json": modelData },
      refused: errorForm.data,
      run: async ({ params }) => toJson(await list.get(params.model)),
    }),
    route({
      method: "POST",
      path: "/v1/chat/completions",
      summary: "answer messages in the form of OpenAI's API; with user, in a stored conversation",
      scope: "chat",
      reply: "raw",
      body: completionBody,
      data: { "application/json": completionData, "text/event-stream": Joi.string() },
      refused: errorForm.data,
      maxBytes: MAX_BYTES,
      timeoutMs: false,
      run: (request) => complete(deps, request),
    }),
  ];
}

function toJson(value: object) {
  return rawReply({ body: JSON.stringify(value), type: "application/json", headers: { "cache-control": "no-store" } });
}

async function complete(deps: RoutesDeps, request: RouteRequest<"/v1/chat/completions", CompletionBody>) {
  const { body, caller, signal, headers, requestId } = request;
  if (body.n > 1) throw openaiTexts.error("bad_request", "several_answers", {}, { field: "n" });
  rejectOtherContent(body.messages);
  const target = await deps.list.resolve(body.model);
  const asked = { body, target, caller, signal, idempotencyKey: headers["idempotency-key"] };
  const sessionId = headers["x-parley-session"];
  const { user } = body;
  const isStored = user !== undefined || sessionId !== undefined;
  const answer = await (isStored ? deps.askConversation({ ...asked, user, sessionId }) : deps.askModel(asked));
  const created = Math.floor(deps.now() / 1000);
  return respond(answer, {
    head: { id: newId("chatcmpl", deps.now()), created, model: body.model },
    body,
    signal,
    language: acceptedLanguage(headers["accept-language"] ?? ""),
    onUnexpected: (error) => deps.log.error("an answer of the OpenAI-compatible API broke off", { requestId, error }),
  });
}
