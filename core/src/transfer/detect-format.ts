import { isObject, type JsonObject } from "../json/index.ts";
import type { Localized } from "../localized.ts";

/** Formats of other programs, detected by content; the first match wins. */
const FORMATS: readonly (readonly [name: Localized, fits: (json: JsonObject) => boolean])[] = [
  [localized("a SillyTavern chat", "SillyTavern 聊天记录"), (json) => "mes" in json || "chat_metadata" in json],
  [localized("a ChatGPT export", "ChatGPT 导出文件"), (json) => isObject(json.mapping)],
  [localized("a Claude export", "Claude 导出文件"), (json) => Array.isArray(json.chat_messages)],
  [
    localized("an Open WebUI chat", "Open WebUI 聊天记录"),
    (json) => isObject(json.chat) && isObject(json.chat.history),
  ],
  [localized("a LibreChat conversation", "LibreChat 会话"), (json) => hasItem(json.messages, "isCreatedByUser")],
  [localized("an Agnai chat", "Agnai 聊天记录"), (json) => hasItem(json.messages, "msg")],
  [
    localized("a Telegram export", "Telegram 导出文件"),
    (json) => hasItem(json.messages, "from_id") || isObject(json.chats),
  ],
  [localized("a Discord export", "Discord 导出文件"), (json) => hasItem(json.messages, "author")],
  [localized("a Character.AI history", "Character.AI 历史记录"), (json) => isObject(json.histories)],
  [
    localized("a Messenger or Instagram export", "Messenger 或 Instagram 导出文件"),
    (json) => hasItem(json.messages, "sender_name"),
  ],
  [localized("a Slack export", "Slack 导出文件"), (json) => json.type === "message" && "ts" in json],
  [localized("a ShareGPT conversation", "ShareGPT 会话"), (json) => hasItem(json.conversations, "from")],
  [localized("a LobeChat export", "LobeChat 导出文件"), (json) => "exportType" in json && isObject(json.state)],
  [localized("a Chatbox export", "Chatbox 导出文件"), (json) => Array.isArray(json["chat-sessions-list"])],
  [localized("a KoboldAI story", "KoboldAI 故事"), (json) => "gamestarted" in json && Array.isArray(json.actions)],
  [
    localized("a text-generation-webui chat", "text-generation-webui 聊天记录"),
    (json) => Array.isArray(json.internal) && Array.isArray(json.visible),
  ],
  [localized("a SillyTavern chat", "SillyTavern 聊天记录"), (json) => hasItem(json.messages, "mes")],
  [localized("a NovelAI lorebook", "NovelAI Lorebook"), (json) => "lorebookVersion" in json],
  [localized("a NovelAI story", "NovelAI 故事"), (json) => "storyContainerVersion" in json],
  [localized("a NovelAI scenario", "NovelAI 剧本"), (json) => "scenarioVersion" in json],
  [
    localized("AI Dungeon story cards", "AI Dungeon 故事卡"),
    (json) => typeof json.keys === "string" && "value" in json,
  ],
  [localized("an Agnai character", "Agnai 角色"), (json) => json.kind === "character" && isObject(json.persona)],
  [
    localized("a Backyard AI character", "Backyard AI 角色"),
    (json) => isObject(json.character) && "aiName" in json.character,
  ],
  [localized("an Open WebUI model", "Open WebUI 模型"), (json) => isObject(json.params) && isObject(json.meta)],
  [localized("a LobeChat assistant", "LobeChat 助手"), (json) => isObject(json.config) && "systemRole" in json.config],
  [localized("an Agnai memory book", "Agnai 记忆书"), (json) => json.kind === "memory"],
  [localized("a RisuAI lorebook", "RisuAI Lorebook"), (json) => json.type === "risu" && Array.isArray(json.data)],
  [
    localized("a SillyTavern quick reply set", "SillyTavern 快捷回复"),
    (json) => "qrList" in json || "quickReplySlots" in json,
  ],
  [localized("a SillyTavern instruct template", "SillyTavern Instruct 模板"), (json) => "input_sequence" in json],
  [localized("a SillyTavern context template", "SillyTavern 上下文模板"), (json) => "story_string" in json],
  [
    localized("a SillyTavern reasoning template", "SillyTavern 推理模板"),
    (json) => "prefix" in json && "suffix" in json,
  ],
  [localized("a SillyTavern regex script", "SillyTavern 正则脚本"), (json) => "findRegex" in json],
  [
    localized("a SillyTavern prompt preset", "SillyTavern 提示词预设"),
    (json) => Array.isArray(json.prompts) || Array.isArray(json.prompt_order) || SAMPLERS.some((name) => name in json),
  ],
  [
    localized("a SillyTavern theme", "SillyTavern 主题"),
    (json) => "blur_strength" in json || "main_text_color" in json,
  ],
  [
    localized("a SillyTavern system prompt", "SillyTavern 系统提示词"),
    (json) => typeof json.content === "string" && typeof json.name === "string" && !("role" in json),
  ],
  [localized("a World Info file", "World Info 文件"), (json) => isObject(json.entries)],
  [localized("a lorebook", "Lorebook"), (json) => hasItem(json.entries, "keys")],
  [localized("a character card", "角色卡"), (json) => isObject(json.data) && typeof json.spec === "string"],
  [localized("a package of conversations", "会话包"), (json) => Array.isArray(json.sessions)],
];

const SAMPLERS = ["temp", "temp_openai", "temperature", "rep_pen", "top_k", "top_p", "genamt", "openai_max_context"];

/** Returns the known program that probably wrote a file of the wrong kind, by its content; undefined when unknown. */
export function detectFormat(given: unknown): Localized | undefined {
  // A list in the body of a request arrives as `{items}`.
  const list: unknown = isObject(given) && Array.isArray(given.items) ? given.items : given;
  const first: unknown = Array.isArray(list) ? list[0] : list;
  return isObject(first) ? FORMATS.find(([, fits]) => fits(first))?.[0] : undefined;
}

function localized(en: string, zh: string): Localized {
  return { en, zh };
}

function hasItem(list: unknown, field: string): boolean {
  return Array.isArray(list) && list.some((one) => isObject(one) && field in one);
}
