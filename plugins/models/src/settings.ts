import Joi from "@hapi/joi";
import { setting } from "@parley/core";

export const CURRENCY = setting<string>({
  key: "models.currency",
  schema: Joi.string()
    .pattern(/^[A-Z]{3}$/)
    .default("USD"),
  group: "general",
  title: { en: "Currency of the models' prices", zh: "模型价格的货币" },
  help: {
    en: "Three letters, such as USD, EUR or CNY. Nothing is converted: what was counted before keeps its number.",
    zh: "三个字母，例如 USD、EUR 或 CNY。不做换算：此前统计的费用数值不变。",
  },
});
