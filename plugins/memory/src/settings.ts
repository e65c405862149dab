import Joi from "@hapi/joi";
import { type Models, type Settings, setting } from "@parley/core";

export const MEMORY_ENABLED = setting<boolean>({
  key: "features.memory",
  schema: Joi.boolean().strict().default(true),
  group: "answering",
  title: { en: "Remember people", zh: "记住人们说过的事" },
  help: {
    en: "Keeps what people say about themselves and recalls it when relevant. When off, nothing is kept or recalled.",
    zh: "保存人们关于自己说过的事，并在相关时再次想起。关闭后不保存也不回忆。",
  },
});

export interface MemorySwitchDeps {
  readonly settings: () => Settings;
  readonly models: () => Models | undefined;
}

/** Resolves to true when memory is on, by the setting and the AI configuration. */
export async function isMemoryEnabled({ settings, models }: MemorySwitchDeps): Promise<boolean> {
  return settings().get(MEMORY_ENABLED) && ((await models()?.usesMemory()) ?? true);
}

/** State of the memory switch, for tools that check it at every turn; only the AI configuration's part is cached. */
export interface MemorySwitch {
  isOn(): boolean;
  /** Reads the AI configuration again. */
  refresh(): Promise<void>;
}

export function createMemorySwitch({ settings, models }: MemorySwitchDeps): MemorySwitch {
  let isUsed = true;
  return {
    isOn: () => isUsed && settings().get(MEMORY_ENABLED),
    async refresh() {
      isUsed = (await models()?.usesMemory()) ?? true;
    },
  };
}

export const EXTRACTION_MODE = setting<"model" | "local">({
  key: "memory.finding",
  schema: Joi.valid("model", "local").default("model"),
  group: "answering",
  title: { en: "Memory extraction", zh: "记忆提取方式" },
  help: {
    en: "The model reads each message again after it is answered. Fixed patterns cost nothing but find less.",
    zh: "聊天模型会在回复后再读一遍消息；固定规则不产生费用，但能发现的较少。",
  },
  options: { model: { en: "Chat model", zh: "聊天模型" }, local: { en: "Fixed patterns", zh: "固定规则" } },
});

export const RECALL_TOKENS = setting<number>({
  key: "memory.recall_tokens",
  schema: Joi.number().integer().min(50).max(8_000).strict().default(600),
  group: "answering",
  title: { en: "Token budget for memories in the prompt", zh: "提示词中记忆的上限（token）" },
  help: {
    en: "At most six memories are recalled per answer, within this budget.",
    zh: "每次回复最多想起六条记忆，且不超过此上限。",
  },
});
