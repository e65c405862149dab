import Joi from "@hapi/joi";
import { LOG_LEVELS, type LogFeed, type LogThreshold, type Settings, setting } from "@parley/core";

/** Log levels of single plugins; `[log] level` of config.ini applies to all others. */
export const PLUGIN_LEVELS = setting<Readonly<Record<string, LogThreshold>>>({
  key: "log.levels",
  schema: Joi.object()
    .pattern(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, Joi.valid(...LOG_LEVELS))
    .default({}),
  title: { en: "Log levels of single plugins", zh: "单个插件的日志级别" },
  help: {
    en: "Set on each plugin's card on the Plugins page. All others use `[log] level` of config.ini.",
    zh: "可在“插件”页面的各插件卡片上选择；其余插件按 config.ini 中 `[log] level` 的级别记录。",
  },
  group: "system",
});

/** Applies the configured log levels of plugins, and their changes. Returns the function that ends this. */
export function applyLogLevels(settings: Settings, feed: LogFeed): () => void {
  feed.setLevels(settings.get(PLUGIN_LEVELS));
  return settings.watch(PLUGIN_LEVELS, (levels) => feed.setLevels(levels));
}
