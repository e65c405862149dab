import { Joi, withLabel } from "@parley/core";

/** Settings of the section `[plugin.world-books]`. */
export interface WorldBooksConfig {
  readonly regex_limit_ms: number;
  readonly regex_total_ms: number;
}

export const worldBooksConfig = Joi.object<WorldBooksConfig, true>({
  regex_limit_ms: withLabel(Joi.number().integer().min(10).max(1000).default(100), {
    title: { en: "Time limit per regular expression (ms)", zh: "正则表达式时限（毫秒）" },
    help: {
      en: "Milliseconds one regular expression may take per text",
      zh: "单个正则表达式处理一段文本的最长耗时（毫秒）",
    },
  }),
  regex_total_ms: withLabel(Joi.number().integer().min(10).max(5000).default(200), {
    title: { en: "Time limit for all regular expressions (ms)", zh: "全部正则表达式时限（毫秒）" },
    help: {
      en: "Milliseconds per message after which no more regular expressions are tried",
      zh: "处理一条消息时，超过此毫秒数后不再尝试其余正则表达式",
    },
  }),
});
