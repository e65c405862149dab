import type { Localized } from "../resource/field-schemas.ts";

type Json = Readonly<Record<string, unknown>>;

/** Names of what other programs write, by what is in it; the first that fits. */
const LIKENESSES: readonly (readonly [name: Localized, fits: (json: Json) => boolean])[] = [
  [named("a SillyTavern chat", "SillyTavern 聊天记录"), (json) => "mes" in json || "chat_metadata" in json],
  [named("a ChatGPT export", "ChatGPT 导出文件"), (json) => isJson(json.mapping)],
  [named("a Claude export", "Claude 导出文件"), (json) => Array.isArray(json.chat_messages)],
  [named("an Open WebUI chat", "Open WebUI 聊天记录"), (json) => isJson(json.chat) && isJson(json.chat.history)],
  [named("a LibreChat conversation", "LibreChat 会话"), (json) => hasItem(json.messages, "isCreatedByUser")],
  [named("an Agnai chat", "Agnai 聊天记录"), (json) => hasItem(json.messages, "msg")],
  [named("a Telegram export", "Telegram 导出文件"), (json) => hasItem(json.messages, "from_id") || isJson(json.chats)],
  [named("a Discord export", "Discord 导出文件"), (json) => hasItem(json.messages, "author")],
  [named("a Character.AI history", "Character.AI 历史记录"), (json) => isJson(json.histories)],
  [named("a SillyTavern chat", "SillyTavern 聊天记录"), (json) => hasItem(json.messages, "mes")],
  [named("a NovelAI lorebook", "NovelAI Lorebook"), (json) => "lorebookVersion" in json],
  [named("a NovelAI story", "NovelAI 故事"), (json) => "storyContainerVersion" in json],
  [named("an Agnai memory book", "Agnai 记忆书"), (json) => json.kind === "memory"],
  [named("a RisuAI lorebook", "RisuAI Lorebook"), (json) => json.type === "risu" && Array.isArray(json.data)],
  [
    named("a SillyTavern quick reply set", "SillyTavern 快捷回复"),
    (json) => "qrList" in json || "quickReplySlots" in json,
  ],
  [named("a SillyTavern instruct template", "SillyTavern Instruct 模板"), (json) => "input_sequence" in json],
  [named("a SillyTavern context template", "SillyTavern 上下文模板"), (json) => "story_string" in json],
  [named("a SillyTavern reasoning template", "SillyTavern 推理模板"), (json) => "prefix" in json && "suffix" in json],
  [named("a SillyTavern regex script", "SillyTavern 正则脚本"), (json) => "findRegex" in json],
  [
    named("a SillyTavern prompt preset", "SillyTavern 提示词预设"),
    (json) => Array.isArray(json.prompts) || Array.isArray(json.prompt_order) || SAMPLERS.some((name) => name in json),
  ],
  [named("a SillyTavern theme", "SillyTavern 主题"), (json) => "blur_strength" in json || "main_text_color" in json],
  [
    named("a SillyTavern system prompt", "SillyTavern 系统提示词"),
    (json) => typeof json.content === "string" && typeof json.name === "string" && !("role" in json),
  ],
  [named("a World Info file", "World Info 文件"), (json) => isJson(json.entries)],
  [named("a lorebook", "Lorebook"), (json) => hasItem(json.entries, "keys")],
  [named("a character card", "角色卡"), (json) => isJson(json.data) && typeof json.spec === "string"],
  [named("a package of conversations", "会话包"), (json) => Array.isArray(json.sessions)],
];

const SAMPLERS = ["temp", "temp_openai", "temperature", "rep_pen", "top_k", "top_p", "genamt", "openai_max_context"];

/** Tells which known program wrote a file that is not what was asked for, by its content; undefined: nobody knows. */
export function likenessOf(given: unknown): Localized | undefined {
  const first: unknown = Array.isArray(given) ? given[0] : given;
  return isJson(first) ? LIKENESSES.find(([, fits]) => fits(first))?.[0] : undefined;
}

function named(en: string, zh: string): Localized {
  return { en, zh };
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasItem(list: unknown, field: string): boolean {
  return Array.isArray(list) && list.some((one) => isJson(one) && field in one);
}
