import { defineTexts } from "../define-texts.ts";
import type { AppError } from "../errors.ts";
import type { Localized } from "../localized.ts";
import { coreTexts } from "../texts.ts";
import type { ModelErrorCategory, ModelFailure } from "./models/models.ts";

/** Localized reasons for a missing answer, by error category. */
const CATEGORY_REASONS: Readonly<Record<ModelErrorCategory, Localized>> = {
  network: { en: "the connection failed", zh: "连接失败" },
  timeout: { en: "it did not answer in time", zh: "响应超时" },
  server_error: { en: "the provider has an error", zh: "服务商出错" },
  rate_limited: { en: "the provider's rate limit is reached", zh: "请求过于频繁" },
  quota: { en: "the provider account has no credit left", zh: "服务商账户额度已用完" },
  auth: { en: "the provider rejected the API key", zh: "服务商拒绝了密钥" },
  no_key: { en: "it has no API key", zh: "没有密钥" },
  invalid_response: { en: "its response could not be read", zh: "无法读取其应答" },
  model_missing: { en: "the provider does not have this model", zh: "服务商没有此模型" },
  context_length: { en: "the request is too long", zh: "请求过长" },
  bad_request: { en: "the provider rejected the request", zh: "服务商拒绝了请求" },
  content_refused: { en: "the provider rejected the content", zh: "服务商拒绝了内容" },
  exhausted: { en: "its token limit is reached", zh: "token 限额已用完" },
};

/** Localized reasons that are more precise than the category. */
const PRECISE_REASONS: Readonly<Record<NonNullable<ModelFailure["reason"]>, Localized>> = {
  empty: { en: "its answer was empty", zh: "应答为空" },
  broken_off: { en: "its answer was not sent to the end", zh: "应答没有发送完整" },
};

// All categories share one text; their keys tell callers the category.
const NO_ANSWER = { en: "the model did not answer: {why}", zh: "模型没有应答：{why}" } as const;
const fillAll = (text: string) => Object.fromEntries(Object.keys(CATEGORY_REASONS).map((category) => [category, text]));
const texts = defineTexts("models", { en: fillAll(NO_ANSWER.en), zh: fillAll(NO_ANSWER.zh) });

function toReason({ category, reason }: Pick<ModelFailure, "category" | "reason">): Localized {
  return reason === undefined ? CATEGORY_REASONS[category] : PRECISE_REASONS[reason];
}

const PASSING: ReadonlySet<ModelErrorCategory> = new Set([
  "network",
  "timeout",
  "server_error",
  "rate_limited",
  "invalid_response",
]);

/** Returns true when the failure may be over within a minute, so that a retry can succeed. */
export function mayPass({ category, mayPass: isKnownToPass }: Pick<ModelFailure, "category" | "mayPass">): boolean {
  return PASSING.has(category) || isKnownToPass === true;
}

/** Returns the localized reason a model gave no answer: the meaning of its category, then any further detail. */
export function toModelReason(failure: Pick<ModelFailure, "category" | "reason" | "detail" | "chinese">): Localized {
  const reason = toReason(failure);
  const details = toFurtherDetails(failure);
  return details.en === "" && details.zh === "" ? reason : coreTexts.localized("model_reason", { reason, details });
}

/** Returns the detail beyond the category; empty in both languages when the Chinese detail is empty. */
function toFurtherDetails({ detail, chinese = detail }: Pick<ModelFailure, "detail" | "chinese">): Localized {
  return { en: chinese === "" ? "" : detail, zh: chinese };
}

/**
 * Creates the error of a failed model: `timed_out`, `unavailable` when nothing usable is configured, else
 * `upstream_failed`. Its detail holds the reason, the further details and the response status separately.
 */
export function modelError(failure: ModelFailure): AppError {
  const { category, statusCode } = failure;
  const isUnusable = category === "no_key" || category === "exhausted";
  const code = category === "timeout" ? "timed_out" : isUnusable ? "unavailable" : "upstream_failed";
  const details = toFurtherDetails(failure);
  const params = {
    why: toModelReason(failure),
    reason: toReason(failure),
    ...(details.en + details.zh !== "" && { details }),
    ...(statusCode !== null && statusCode >= 400 && { status: statusCode }),
  };
  return texts.error(code, category, params as never, { isLasting: !mayPass(failure) });
}
