/** Bundled plugins, enabled unless config.ini disables them; the order applies among plugins that do not depend on each other. */
export const BUNDLED_PLUGINS: Readonly<Record<string, string>> = {
  // First, so that it ends last and still receives the spans of the others.
  telemetry: "@parley/plugin-telemetry",
  storage: "@parley/plugin-storage",
  records: "@parley/plugin-records",
  operations: "@parley/plugin-operations",
  jobs: "@parley/plugin-jobs",
  "text-index": "@parley/plugin-text-index",
  accounts: "@parley/plugin-accounts",
  models: "@parley/plugin-models",
  budgets: "@parley/plugin-budgets",
  // Before sessions: attachments are fetched before the message is stored.
  files: "@parley/plugin-files",
  sessions: "@parley/plugin-sessions",
  groups: "@parley/plugin-groups",
  // Before chat: a character's reaction is known when the prompt is assembled.
  characters: "@parley/plugin-characters",
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
  // After its dependencies: sessions, models, channels.
  automation: "@parley/plugin-automation",
  filter: "@parley/plugin-filter",
  web: "@parley/adapter-web",
  ima: "@parley/adapter-ima",
  imb: "@parley/adapter-imb",
  imc: "@parley/adapter-imc",
  widget: "@parley/adapter-widget",
  "chat-sdk": "@parley/adapter-chat-sdk",
  generic: "@parley/adapter-generic",
  "openai-api": "@parley/plugin-openai-api",
  // Last: clients connect once everything they can call is ready.
  "mcp-bridge": "@parley/plugin-mcp-bridge",
};

/** Former bundled plugins, by name, with the plugin that contains them now. */
export const MERGED_PLUGINS: Readonly<Record<string, string>> = { personality: "characters" };

/** True for a package of this repository, bundled or not. */
export const isFirstParty = (packageName: string): boolean => packageName.startsWith("@parley/");
