import Joi from "@hapi/joi";
import { setting } from "@parley/core";

export const CURRENCY = setting<string>({
  key: "models.currency",
  schema: Joi.string()
    .pattern(/^[A-Z]{3}$/)
    .default("USD"),
  group: "general",
  title: { en: "Currency of model prices", zh: "模型价格的货币" },
  help: {
    en: "Three letters, such as USD, EUR or CNY. Nothing is converted: earlier amounts keep their numbers.",
    zh: "三个字母，例如 USD、EUR 或 CNY。不做换算：此前统计的费用数值不变。",
  },
});
