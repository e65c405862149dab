const IMA_GROUP = /^imA_group[_:](.+?)(?:_user)?$/;
const IMA_PRIVATE = /^imA_private[_:](.+?)$/;

/** Reserved channel ids, which have another meaning where a channel id is expected. */
export const RESERVED_CHANNEL_IDS: readonly string[] = ["global", "internal", "mcp", "presets"];

/** Returns the canonical channel id or conversation of a raw value; unknown values are returned unchanged. */
export function normalizeChannelId(raw: string): string {
  if (raw === "imA_group" || raw === "imA_private") return "imA";
  return canonicalSessionId(raw, { keepWeb: true });
}

/** Returns the public id of a session from any raw form: `web:<id>` → `<id>`, `imA_group_1_user` → `imA:group:1`. */
export function canonicalSessionId(raw: string, { keepWeb = false } = {}): string {
  const group = IMA_GROUP.exec(raw)?.[1];
  if (group) return `imA:group:${group}`;
  const user = IMA_PRIVATE.exec(raw)?.[1];
  if (user) return `imA:private:${user}`;
  return !keepWeb && raw.startsWith("web:") ? raw.slice("web:".length) : raw;
}

/** Returns the session key for filter rules and character state: `web:<id>` for console sessions, else the id itself. */
export function sessionKey(sessionId: string): string {
  return sessionId.includes(":") ? sessionId : `web:${sessionId}`;
}

/** Returns the session id of a conversation on a channel: `<channel id>:<conversation>`. */
export function sessionIdOf(channelId: string, conversation: string): string {
  return channelId === "web" ? conversation : `${channelId}:${conversation}`;
}
