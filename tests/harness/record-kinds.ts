/** A kind of record that people create, change and delete over REST. */
export interface RecordKind {
  readonly path: string;
  /** Returns the body of a creation; `name` is unique. */
  readonly draft: (name: string) => object;
  /** Name of the id field. Default: `id`. */
  readonly id?: string;
  /** Name of a text field to change; undefined for kinds without revisions. */
  readonly field?: string;
}

export const RECORD_KINDS: readonly RecordKind[] = [
  { path: "/api/sessions", draft: (name) => ({ name }), field: "name" },
  { path: "/api/characters", draft: (name) => ({ name }), field: "name" },
  { path: "/api/world-books", draft: (name) => ({ name }), field: "name" },
  { path: "/api/personality/custom-presets", draft: (name) => ({ name }), field: "name" },
  {
    path: "/api/ai-models",
    draft: (name) => ({ name, model: "m", base_url: "http://127.0.0.1:9/v1" }),
    field: "model",
  },
  { path: "/api/workflows", draft: (name) => ({ name, description: "d" }), field: "description" },
  { path: "/api/skills", draft: (name) => ({ name, description: "d" }), field: "description" },
  {
    path: "/api/tools",
    draft: (name) => ({ name, description: "d", implementation: { type: "static", result: "x" } }),
    field: "description",
  },
  { path: "/api/task-center", draft: (name) => ({ name, prompt: "p" }), field: "prompt" },
  {
    path: "/api/channels",
    draft: (id) => ({ id, name: "a", type: "generic", transport: "webhook" }),
    field: "name",
  },
  { path: "/api/api-keys", draft: (name) => ({ name, scopes: ["read"] }), field: "name" },
  { path: "/api/accounts", draft: (name) => ({ name, role: "reader" }) },
  { path: "/api/login-tokens", draft: () => ({}), id: "hash_full" },
  { path: "/api/knowledge", draft: (title) => ({ title, content: "c" }), field: "title" },
  { path: "/api/memory", draft: (title) => ({ title, content: "c" }), field: "title" },
  {
    path: "/api/mcp-servers",
    draft: (name) => ({ name, transport: "streamable-http", url: "http://127.0.0.1:9/mcp" }),
    field: "name",
  },
  { path: "/api/message-filter", draft: (pattern) => ({ pattern, type: "keyword", action: "strip" }) },
  { path: "/api/prompts", draft: (name) => ({ name, content: "c" }), field: "content" },
  { path: "/api/personas", draft: (name) => ({ name }), field: "name" },
  { path: "/api/budgets", draft: (name) => ({ name, applies_to: "all" }), field: "name" },
  {
    path: "/api/person-links",
    draft: (name) => ({ name, target_id: `imA:user:${name}`, same_as: `imB:user:${name}` }),
  },
];
