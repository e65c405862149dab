import Joi from "@hapi/joi";
import { displayName, type Localized, resource, textOf, withLabel } from "@parley/core";

export const APPLIES_TO = ["person", "conversation", "character", "channel", "api_key", "account", "all"] as const;

/** A limit on tokens and money in a day or month. */
export interface BudgetFields {
  readonly name: string;
  readonly applies_to: (typeof APPLIES_TO)[number];
  /** Id of the only target; "" gives each one a budget of its own. */
  readonly target_id: string;
  readonly period: "day" | "month";
  /** null: no limit. */
  readonly limit_tokens: number | null;
  readonly limit_cost: number | null;
  readonly action: "refuse" | "cheaper";
  readonly cheaper_model_id: string | null;
  /** Message to the person; "" for the service's own. */
  readonly message: Localized;
  readonly enabled: boolean;
  /** IANA time zone; "" for the service's. */
  readonly timezone: string;
}

const MAX_TOKENS = 1_000_000_000_000;
const MAX_COST = 1_000_000_000;
const MAX_MESSAGE = 500;

const toLabel = (en: string, zh: string) => ({ title: { en, zh } });

/** Schema of an IANA time zone, checked by `Intl`, which throws a readable message. */
const timezone = Joi.string()
  .allow("")
  .max(64)
  .custom((value: string) => {
    new Intl.DateTimeFormat("en", { timeZone: value });
    return value;
  });

const message = Joi.object({
  en: textOf(MAX_MESSAGE).default(""),
  zh: textOf(MAX_MESSAGE).default(""),
});

/** The resource of budgets. */
export const budgets = resource<BudgetFields>({
  kind: "budget",
  most: 1_000,
  path: "/api/budgets",
  param: "budget_id",
  idPrefix: "bud",
  title: { one: { en: "budget", zh: "预算" }, many: { en: "budgets", zh: "预算" } },
  about: {
    en: "Limits on the tokens and money that people, conversations and API keys may spend.",
    zh: "限制每个人、会话或 API 密钥可用的 token 与费用。",
  },
  chosenId: Joi.string().pattern(/^bud_[0-9a-z]{20}$/),
  fields: {
    name: withLabel(displayName(100).required(), toLabel("Name", "名称")),
    applies_to: withLabel(
      Joi.string()
        .valid(...APPLIES_TO)
        .required(),
      toLabel("Applies to", "适用对象"),
    ),
    target_id: withLabel(textOf(200).default(""), toLabel("Target", "目标")),
    period: withLabel(Joi.string().valid("day", "month").default("month"), toLabel("Period", "周期")),
    limit_tokens: withLabel(
      Joi.number().integer().min(0).max(MAX_TOKENS).allow(null).default(null),
      toLabel("Token limit", "token 上限"),
    ),
    limit_cost: withLabel(
      Joi.number().min(0).max(MAX_COST).allow(null).default(null),
      toLabel("Cost limit", "费用上限"),
    ),
    action: withLabel(Joi.string().valid("refuse", "cheaper").default("refuse"), toLabel("When used up", "用完后")),
    cheaper_model_id: withLabel(Joi.string().max(100).allow(null).default(null), {
      ...toLabel("Cheaper model", "更便宜的模型"),
      record: "model",
    }),
    message: withLabel(message.default({ en: "", zh: "" }), toLabel("Message", "提示语")),
    enabled: withLabel(Joi.boolean().default(true), toLabel("Enabled", "启用")),
    timezone: withLabel(timezone.default(""), toLabel("Time zone", "时区")),
  },
  search: ["name", "target_id"],
  filters: ["applies_to", "enabled"],
  sort: ["name", "-updated_at"],
  cached: true,
  // Spending is counted by target, so another kind of target would begin with the amounts of the old one.
  fixed: ["applies_to"],
  scopes: { read: "admin", change: "admin" },
});
