import { Joi } from "@parley/core";

/** Settings of `[plugin.world-books]`. */
export interface WorldBooksConfig {
  readonly regex_limit_ms: number;
  readonly regex_total_ms: number;
}

export const worldBooksConfig = Joi.object<WorldBooksConfig, true>({
  regex_limit_ms: Joi.number()
    .integer()
    .min(10)
    .max(1000)
    .default(100)
    .description("Milliseconds one regular expression may take per text"),
  regex_total_ms: Joi.number()
    .integer()
    .min(10)
    .max(5000)
    .default(200)
    .description("Milliseconds per message after which no more regular expressions are tried"),
});
