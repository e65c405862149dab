/** Bundled plugins, enabled unless config.ini disables them; the order applies among equals. */
export const FIRST_PARTY: Readonly<Record<string, string>> = {
  // First, so that it ends last: what ends with the others is still told.
  telemetry: "@parley/plugin-telemetry",
  storage: "@parley/plugin-storage",
  records: "@parley/plugin-records",
  operations: "@parley/plugin-operations",
  jobs: "@parley/plugin-jobs",
  "text-index": "@parley/plugin-text-index",
  accounts: "@parley/plugin-accounts",
  models: "@parley/plugin-models",
  // Before sessions: what a message carries is fetched before the message is stored.
  files: "@parley/plugin-files",
  sessions: "@parley/plugin-sessions",
  // Before chat: how a character takes a message is known when the prompt is gathered.
  characters: "@parley/plugin-characters",
  personality: "@parley/plugin-personality",
  "world-books": "@parley/plugin-world-books",
  knowledge: "@parley/plugin-knowledge",
  memory: "@parley/plugin-memory",
  tools: "@parley/plugin-tools",
  skills: "@parley/plugin-skills",
  chat: "@parley/plugin-chat",
  sticker: "@parley/plugin-sticker",
  voice: "@parley/plugin-voice",
  sharing: "@parley/plugin-sharing",
  push: "@parley/plugin-push",
  gateway: "@parley/plugin-gateway",
  channels: "@parley/plugin-channels",
  // After what it works with: sessions, models, channels.
  automation: "@parley/plugin-automation",
  filter: "@parley/plugin-filter",
  web: "@parley/adapter-web",
  ima: "@parley/adapter-ima",
  imb: "@parley/adapter-imb",
  imc: "@parley/adapter-imc",
  generic: "@parley/adapter-generic",
  // Last: clients come in when everything they can ask is there.
  "mcp-bridge": "@parley/plugin-mcp-bridge",
};

export function isFirstParty(packageName: string): boolean {
  return packageName.startsWith("@parley/");
}
