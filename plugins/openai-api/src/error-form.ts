import Joi from "@hapi/joi";
import { type ErrorAnswer, type ErrorForm, isOverBudget, type RejectedRequest } from "@parley/core";
import { shape } from "@parley/core/http";
import { openaiTexts } from "./texts.ts";

/** Beginning of the paths of OpenAI's API. */
export const API_PATH = "/v1/";
const MODEL_NOT_FOUND = "model_not_found";
const METHODS: readonly (readonly [path: RegExp, method: string])[] = [
  [/^\/v1\/models(\/[^/]+)?$/, "GET"],
  [/^\/v1\/chat\/completions$/, "POST"],
];

/** An error in the form of OpenAI's API. */
export interface OpenAiError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

type Described = Pick<RejectedRequest, "status" | "code" | "message" | "detail">;

/** The form of all error answers of OpenAI's API. */
export const errorForm: ErrorForm = {
  path: API_PATH,
  data: shape({
    error: shape({
      message: Joi.string().required(),
      type: Joi.string().required(),
      param: Joi.string().allow(null).required(),
      code: Joi.string().allow(null).required(),
    }).required(),
  }),
  toAnswer(rejected): ErrorAnswer {
    const isWrongMethod = rejected.code === "not_found" && !takesMethod(rejected);
    if (isWrongMethod) {
      const { message } = openaiTexts.error("not_found", "no_method", { method: rejected.method });
      const error = { message, type: "invalid_request_error", param: null, code: "method_not_supported" };
      return { status: 405, body: { error } };
    }
    return {
      body: { error: toOpenAiError(rejected) },
      // Clients of OpenAI repeat a 429 at once, which does not help before the budget's next period.
      ...(isOverBudget(rejected) && { headers: { "x-should-retry": "false" } }),
    };
  },
};

function takesMethod({ path, method }: RejectedRequest): boolean {
  const known = METHODS.filter(([pattern]) => pattern.test(path));
  return known.length === 0 || known.some(([, taken]) => taken === method);
}

/** Converts an error of the service to OpenAI's form. */
export function toOpenAiError({ status, code, message, detail }: Described): OpenAiError {
  const isUnknownModel = detail?.key === "openai_api.no_model";
  return {
    message,
    type: toType(status),
    param: detail?.field ?? null,
    code: isUnknownModel ? MODEL_NOT_FOUND : isOverBudget({ detail }) ? "insufficient_quota" : toCode(code),
  };
}

function toType(status: number): string {
  if (status === 429) return "rate_limit_error";
  if (status === 403) return "permission_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

/** The codes of OpenAI's API, where it has one. */
function toCode(code: RejectedRequest["code"]): string {
  if (code === "unauthorized") return "invalid_api_key";
  return code === "rate_limited" ? "rate_limit_exceeded" : code;
}
