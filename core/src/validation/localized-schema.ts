import Joi from "@hapi/joi";
import type { Localized } from "../localized.ts";

/** Schema of a text that a plugin declares: in English and Chinese, and in languages that the operator added. */
export const localizedSchema = Joi.object<Localized>({
  en: Joi.string().required(),
  zh: Joi.string().required(),
}).pattern(/^[a-z]{2,3}$/, Joi.string());
