import { localize } from "../i18n/localize.ts";

/** Names of prompt parts, [English, Chinese]: first by source, then by key, for keys that several sources share. */
const NAMES: Readonly<Record<string, readonly [string, string]>> = {
  "chat.profile": ["Name and scene", "名称与场景"],
  "characters.profile": ["Character", "角色设定"],
  "characters.state": ["Mood and energy", "心情与精力"],
  "characters.relationship": ["Relationship", "关系"],
  "characters.reaction": ["How to react", "反应方式"],
  "characters.post-history": ["Character: closing instructions", "角色：末尾指令"],
  "personality.profile": ["Personality", "人设"],
  "personality.post-history": ["Personality: closing instructions", "人设：末尾指令"],
  "world-books.before-character": ["World books, before the character", "世界书（角色之前）"],
  "world-books.after-character": ["World books, after the character", "世界书（角色之后）"],
  "characters.persona-profile": ["Persona", "用户设定"],
  "memory.using": ["How to use memories", "记忆使用说明"],
  "knowledge.citing": ["How to cite knowledge", "知识引用说明"],
  "skills.list": ["Skills", "技能"],
  "global.safety": ["Rules of the service", "服务规则"],
  "global.heartbeat": ["Heartbeat", "心跳"],
  "app.behavior": ["Rules of the channel", "渠道规则"],
  "character.profile": ["Character", "角色设定"],
  "character.post_history": ["Closing instructions", "末尾指令"],
  "persona.profile": ["Persona", "用户设定"],
  "character.memories": ["Memories", "记忆"],
  "session.custom_prompt": ["The conversation's own prompt", "会话的自定义提示词"],
  "tool.instructions": ["How to use tools", "工具使用说明"],
  "knowledge.rag": ["Knowledge", "知识"],
  world_book: ["World books", "世界书"],
};

/** Returns the localized name of a prompt part; the key for parts of third-party packages. */
export function localizePromptPart(key: string, source: string, language: string): string {
  const [en = key, zh = key] = NAMES[source] ?? NAMES[key] ?? [];
  return localize({ en, zh }, language);
}
