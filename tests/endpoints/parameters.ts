/** Values of an optional parameter; `{name}` in a text is replaced by the result of the call's `params`. */
type Samples = Readonly<Record<string, readonly unknown[]>>;

export interface Optional {
  readonly query?: Samples;
  readonly body?: Samples;
}

const SWITCH = ["true", "false", "1", "0"];
const FLAG = [true, false];
const TIMES = ["2026-01-06T10:15:00Z", "2026-01-06T10:15:00.000+02:00"];
const PAGE = { limit: ["1", "500", "501"], offset: ["0", "7"] };
/** Order of a list of a resource: a field, or `-` and a field. */
const BUDGET = {
  target_id: ["", "imA:group:7"],
  period: ["day", "month"],
  limit_tokens: [null, 1_000_000],
  limit_cost: [null, 1_000.5],
  action: ["refuse"],
  cheaper_model_id: [null],
  message: [{ en: "Enough.", zh: "够了。" }],
  enabled: FLAG,
  timezone: ["", "Asia/Shanghai"],
};
const SORT = { sort: ["name", "-updated_at"] };
const RANGE = { date_range: ["today", "7d", "30d", "all"] };
const PURPOSES = ["chat", "vision", "embedding", "rerank", "tts", "stt", "image_generation"];
const FACES = { sender_name: ["Ada"], sender_avatar: [""], sender_portrait: [""], scenario: ["a park"] };
const SESSION = {
  name: ["a name", "😀"],
  session_mode: ["character", "plain"],
  character_ids: [[]],
  speaker_order: ["mention", "round", "judge"],
  system_prompt: ["Be brief."],
  ...FACES,
  persona_id: [null],
  group_trigger: ["mention", "never", null],
  group_probability: [0.5],
  group_cooldown_s: [0],
  group_hourly_limit: [0, 100],
  quiet_hours: ["", "22:00-07:00"],
  burst: ["off", "wait", "interrupt"],
  burst_ms: [0, 300],
  reply_style: ["whole", "sentences"],
  reset_after_idle_h: [0, 720],
  reset_daily_at: ["", "04:00"],
  first_message: ["Hello."],
  tags: [["one", "two"], []],
  folder: ["Travel", ""],
  favorite: FLAG,
  pinned: FLAG,
  model_id: [null],
  parameters: [{ temperature: 0.5, max_tokens: null }],
  metadata: [{ any: { thing: 1 } }],
};
const MESSAGE = {
  role: ["user", "assistant", "system"],
  sender: ["Ada"],
  timestamp: TIMES,
  attachments: [[]],
  hidden: FLAG,
  metadata: [{ any: 1 }],
};
const SHARE = {
  expires_days: [1, 365],
  include_character: FLAG,
  include_user_messages: FLAG,
  include_names: FLAG,
  include_files: FLAG,
  message_start: [1, null],
  message_end: [2, null],
  password: ["sesame", null],
};
const SKILL = {
  description: ["about"],
  aliases: [["other"], []],
  enabled: FLAG,
  parameters: [{}],
  implementation: [{ type: "prompt" }],
  skill_md: ["# Skill"],
};
const TOOL = { enabled: FLAG, parameters: [{ type: "object" }], requires_confirm: FLAG };
const MODEL = {
  protocol: ["openai_chat"],
  base_url: ["http://127.0.0.1:9/v1"],
  api_key: ["sk-sample"],
  api_key_env: ["SAMPLE_API_KEY"],
  provider: ["somebody"],
  append_base_url_path: FLAG,
  supports_tools: FLAG,
  supports_reasoning: FLAG,
  supports_stream: FLAG,
  temperature: [0, 2],
  top_p: [0.5],
  frequency_penalty: [-2, 2],
  presence_penalty: [-2, 2],
  max_tokens: [100],
  max_context_length: [8_000],
  system_prompt: ["Be brief."],
  timeout_s: [30],
  retry_count: [0],
};
const MODEL_RECORD = {
  ...MODEL,
  // A model of the same server that has a key (plugins/models/src/models.test.ts).
  api_key_from: [],
  enabled: FLAG,
  priority: [1],
  failover_timeout_s: [30],
  token_limit_daily: [0],
  token_limit_weekly: [0],
  input_price: [0.1],
  output_price: [0.1],
  cache_read_price: [0.01],
  cache_write_price: [0.1],
  voice: ["alloy"],
  audio_format: ["mp3"],
  language: ["en"],
  speed: [1],
  pitch: [1],
  volume: [1],
  dimensions: [512],
  extra_headers_env: [{}],
  extra_body: [{}],
};
const PLAN = { cron: "*/5 8-18 * * mon-fri", interval_minutes: 5, timezone: "Europe/Berlin" };
const STEPS = [
  { id: "a", action: "ai", input: { prompt: "{{content}}", system: "s", tools: [], model_id: "m" }, output_var: "x" },
  {
    id: "b",
    action: "tool",
    input: { name: "look", arguments: { a: ["{{x}}"] } },
    condition: { var: "x", op: "not_empty" },
    retry: 5,
    timeout_s: 600,
    on_error: "continue",
  },
  { id: "c", action: "delay", input: { seconds: 86_400 } },
];
const WORKFLOW = {
  enabled: FLAG,
  trigger: ["cron", "interval", "manual"],
  config: [{ ...PLAN, target_type: "none", max_iterations: 50, tools: ["look"] }, {}],
  steps: [STEPS, []],
};
const TASK = {
  description: ["about", ""],
  enabled: FLAG,
  trigger: ["cron", "interval"],
  config: [PLAN, { run_at: "2999-01-01T00:00:00Z" }, {}],
  target_session_id: [null],
};
const DOCUMENT = {
  source: ["manual", ""],
  tags: [["one", "two"], []],
  base_id: ["default", "A_b-1"],
  metadata: [{ any: { thing: 1 } }],
};
const CHANNEL = {
  transport: ["webhook"],
  description: ["what it is"],
  enabled: FLAG,
  config: [{}],
  capabilities: [{ supports_stream: false }],
  secrets: [{}],
};
const WINDOWS = [
  null,
  { from: "2026-12-01" },
  { until: "2026-12-24" },
  { days: ["mon", "sun"] },
  { start: "22:00", end: "06:00" },
];
const RULE = {
  type: ["keyword", "regex"],
  action: ["strip", "recall"],
  replacement: ["", "***"],
  group: ["", "Holidays"],
  window: WINDOWS,
  filter_target: ["user", "ai", "both"],
  whole_word: FLAG,
  enabled: FLAG,
};
const SERVER = {
  description: ["what it is"],
  enabled: FLAG,
  auto_connect: [false],
  headers_env: [{}],
  timeout_s: [1, 600],
  tool_allow: [["look"], []],
  tool_deny: [["look"], []],
  confirm_tools: [["*"], []],
  trusted_tools: [["look"], []],
};
/** Parameters of entries that start a program. */
const PROCESS = { command: [], args: [], env: [], env_names: [] };
const KEY = { enabled: FLAG, expires_at: ["2099-01-01T00:00:00Z", null], rate_limit_per_minute: [0, 6_000] };

const CHARACTER = {
  description: ["somebody"],
  avatar: ["", "https://example.com/a.png"],
  portrait: [""],
  tags: [["one", "two"], []],
  basic_info: ["a captain"],
  personality: ["dry"],
  scenario: ["a port"],
  example_dialogues: ["{{user}}: hi"],
  response_format: ["short"],
  first_message: ["Hello."],
  alternate_greetings: [["Ahoy."]],
  rules: [["never lie"]],
  initial_state: [{ mood: "开心", 好感度: 60 }, { state: { energy: 10 } }],
  system_prompt: ["You are Ada."],
  system_prompt_mode: ["auto", "manual"],
  post_history_instructions: ["Stay calm."],
  creator: ["somebody"],
  character_version: ["1.0"],
  creator_notes: ["for tests"],
  world_book_ids: [[]],
  card_spec: ["native", "v3"],
  extensions: [{ any: { thing: 1 } }],
  card_extra: [{ any: 1 }],
  favorite: FLAG,
};
const MEMORY = {
  summary: ["in short", ""],
  kind: ["fact", "other"],
  priority: ["high", "low"],
  importance: [1, 10],
  target_id: ["web:user:ann", null],
  tags: [["one"], []],
  emotion_impact: [{ joy: 1 }],
};
const WORLD_ENTRY = {
  name: ["The inn", ""],
  keywords: [["inn", "酒馆"], []],
  enabled: FLAG,
  priority: [-1_000, 1_000],
  weight: [7],
  case_sensitive: FLAG,
  match_mode: ["any", "all"],
  use_regex: [false],
  secondary_keywords: [["port"], []],
  selective: FLAG,
  selective_logic: ["and_any", "not_all"],
  trigger_sources: [["user", "history"], ["scene_state"]],
  always_on: FLAG,
  state_triggers: [{}, { location: ["tavern"] }],
  cooldown_turns: [0, 1_000],
  max_injections_per_session: [3],
  tags: [["one"], []],
  entry_type: ["location", "secret"],
  insertion_order: [0, 100_000],
  card: [{}, { extensions: { probability: 50 } }],
};
const WORLD_BOOK = {
  behaviour: ["native", "world_info"],
  description: ["of a port"],
  character_ids: [[], ["Mira"]],
  enabled: FLAG,
  card: [{ scan_depth: 2 }],
};
const SCOPED = { query: { scope_id: ["default", "imA:group:1"], session_id: [] } };
const TARGETED = { query: { target_id: ["default", "imA:user:1"], session_id: [] } };

/** Optional parameters of each route, with values that must work. */
export const OPTIONAL: Readonly<Record<string, Optional>> = {
  "GET /api/login-tokens": { query: PAGE },
  "POST /api/login-tokens": { body: { username: ["phone"], expires_days: [1, 3_650] } },
  "GET /api/accounts": { query: { q: ["somebody"], role: ["admin", "reader"], ...SORT, ...PAGE } },
  "PUT /api/accounts/{account_id}": { body: { role: ["operator", "admin"], name: [] } },
  "GET /api/account/logins": { query: PAGE },
  "POST /api/account/password": { body: { end_others: FLAG } },
  "GET /authorize": { query: { scope: ["read", "read write"], state: ["s"], resource: [] } },
  "GET /api/oauth-grants": { query: { q: ["one"], ...SORT, ...PAGE } },
  "GET /api/api-keys": { query: { q: ["one"], enabled: SWITCH, ...SORT, ...PAGE } },
  "POST /api/api-keys": { body: KEY },
  "PUT /api/api-keys/{key_id}": { body: { name: ["other {key_id}"], scopes: [["read"], ["chat", "mcp"]], ...KEY } },
  "POST /api/verify-token": { body: { token: ["{token}"], optional: FLAG } },

  "GET /api/characters": {
    query: { q: ["one", "%"], tag: ["one"], tags: ["one"], favorite: SWITCH, ...SORT, ...PAGE },
  },
  "POST /api/characters": { body: { ...CHARACTER, id: [], preset_id: [] } },
  "PUT /api/characters/{character_id}": { body: { name: ["other"], ...CHARACTER } },
  "GET /api/characters/{character_id}/state": SCOPED,
  "PUT /api/characters/{character_id}/state": {
    ...SCOPED,
    body: { mood: ["平静"], mood_intensity: [0, 0.5, 7], energy: [50, -3], scene: [{}, { place: ["a", "b"] }] },
  },
  "GET /api/characters/{character_id}/relationships": TARGETED,
  "PUT /api/characters/{character_id}/relationships": {
    ...TARGETED,
    body: {
      affection: [0],
      trust: [50],
      security: [100],
      familiarity: [101],
      dependency: [-1],
      jealousy: [7],
    },
  },
  "GET /api/characters/{character_id}/debug/latest-turn": SCOPED,
  "GET /api/knowledge": {
    query: {
      ...PAGE,
      q: ["tea"],
      tag: ["one"],
      base_id: ["default"],
      index_status: ["pending", "indexing", "indexed", "failed", "stale"],
      sort: ["created_at", "-created_at"],
    },
  },
  "POST /api/knowledge": { body: { ...DOCUMENT, wait_index: FLAG } },
  "PUT /api/knowledge/{doc_id}": { body: { title: ["other"], content: ["x"], ...DOCUMENT, wait_index: FLAG } },
  "POST /api/knowledge/batch": {
    body: { base_id: ["other"], version: [1], type: ["knowledge_export"], exported_at: TIMES, total: [1] },
  },
  "POST /api/knowledge/search": {
    body: {
      top_k: [1, 50],
      mode: ["hybrid", "vector", "text"],
      base_id: ["default"],
      tags: [["one"], []],
      doc_ids: [["doc_unknown"], []],
      min_score: [0, 0.5, 1],
    },
  },
  "POST /api/knowledge/files": { body: { file: [], base_id: [], tags: [] } },
  "POST /api/knowledge/pages": { body: { base_id: ["other"], tags: [["one"], []] } },
  "POST /api/knowledge/rebuild": { body: { wait: [true] } },
  "GET /api/knowledge/export": { query: { base_id: ["default"], download: SWITCH } },
  "POST /api/sessions/{session_id}/public": { body: SHARE },
  "POST /api/sessions/{session_id}/public/preview": { body: SHARE },
  "GET /api/push/subscriptions": { query: PAGE },
  "POST /api/push/subscribe": { body: { session_id: [null] } },
  "POST /api/push/unsubscribe": { body: { endpoint: [], id: ["sub_unknown"] } },
  "POST /api/push/test": { body: { session_id: [null], title: ["Hello", ""], body: ["there", ""] } },
  "GET /public/{public_id}": { query: { page: [2] } },
  "POST /api/avatar/random-talk": {
    body: { topic: ["the weather", ""], frontend: [{}, { is_loading: true }], avatar: [{}, { mood: "happy", age: 3 }] },
  },
  "POST /api/avatar/menu-options": { body: { frontend: [{ current_page: "/" }], avatar: [{ name: "Pip" }] } },
  "GET /api/avatar/history": { query: { limit: ["1", "200"], offset: ["0", "7"] } },
  "POST /api/avatar/comment": { body: { session_id: ["{session_id}"] } },
  "POST /api/tts/synthesize": {
    body: {
      voice: ["alloy", ""],
      speed: [0.25, 4],
      format: ["mp3", "wav", "opus", "aac", "flac"],
      model_id: ["{model_id}"],
    },
  },
  "POST /api/stt/transcribe": { body: { audio: [], language: [], model_id: [] } },
  "POST /qrcode/generate": {
    body: { text: [], data: [], size: [64, 1024], margin: [0, 10], level: ["L", "Q", "H"], format: ["svg"] },
  },
  "GET /qrcode/session/{session_id}": {
    query: { size: [128, 1024], margin: [0, 10], level: ["L", "Q"], format: ["svg"] },
  },
  "PUT /api/personality": { body: { name: ["Ada"], preset_id: ["preset_default"], ...CHARACTER } },
  "POST /api/personality/preview": { body: { preset_id: [], ...CHARACTER } },
  "GET /api/personality/presets": { query: PAGE },
  "GET /api/personality/custom-presets": {
    query: {
      q: ["one"],
      tag: ["rare"],
      tags: ["rare"],
      favorite: SWITCH,
      ids: ["", "preset_1,preset_2"],
      ...SORT,
      ...PAGE,
    },
  },
  "POST /api/personality/custom-presets": { body: { ...CHARACTER, id: [] } },
  "PUT /api/personality/custom-presets/{preset_id}": { body: { name: ["other"], ...CHARACTER } },
  "POST /api/personality/custom-presets/{preset_id}/upload-to-platform": {
    body: { platform: ["cards"], visibility: ["private", "public"] },
  },
  "POST /api/personality/import": {
    query: { save: SWITCH, as: ["preset", "character"], import_world_book: SWITCH },
    body: { file: [] },
  },
  "POST /api/personality/import-all": { body: { file: [] } },
  "POST /api/personality/ai-generate": { body: { name: [], language: [], save: [] } },
  "POST /api/personality/ai-generate-state": { body: { preset_id: [], character_id: [] } },
  "POST /api/personality/ai-generate-first-message": {
    body: { preset_id: [], character_id: [], count: [], style: [] },
  },
  "POST /api/personality/generate-portrait": { body: { preset_id: [], character_id: [], card: [], size: [] } },
  "DELETE /api/personality/portrait": { query: { url: [] } },
  "POST /api/personality/clean-unused-portraits": { body: { dry_run: FLAG } },
  "POST /api/personality/export": {
    body: { character_id: [], card: [], format: ["zip", "json_v2", "json_v3"], include_world_book: FLAG },
  },
  "GET /api/personality/export-all": { query: { format: ["zip", "json"], download: SWITCH } },
  "POST /api/characters/runtime/initialize": { body: { force: FLAG, character_ids: [[]] } },
  "GET /api/skills": { query: { q: ["a"], enabled: SWITCH, ...SORT, ...PAGE } },
  "POST /api/skills": { body: { id: [], ...SKILL } },
  "PUT /api/skills/{skill_id}": { body: { ...SKILL, name: [], description: ["other"] } },
  "DELETE /api/skills/{skill_id}": { query: { delete_storage: SWITCH } },
  "POST /api/config-transfer/export": { body: { sections: [["settings"]], include_secrets: FLAG } },
  "POST /api/config-transfer/import": {
    body: { file: [], password: [], dry_run: [], mode: [], sections: [], confirm: [] },
  },
  "POST /api/skills/upload-folder": { body: { folder_name: [], skill_md: [], skill_config: [], overwrite: [] } },
  "GET /api/skills/storage": { query: PAGE },
  "GET /api/skills/storage/{skill_name}/file/{file_name}": { query: { download: ["false"] } },
  "POST /api/skills/storage/{skill_name}/file/{file_name}": { body: { encoding: ["utf8"], file: [] } },
  "GET /api/skills/storage/{skill_name}/script/{script_name}": { query: { download: ["false"] } },
  "POST /api/skills/storage/{skill_name}/script/{script_name}": { body: { encoding: ["utf8"], file: [] } },
  "GET /api/tools": {
    query: { q: ["time"], source: ["custom", "builtin", "plugin"], enabled: SWITCH, ...SORT, ...PAGE },
  },
  "POST /api/tools": { body: { id: [], ...TOOL } },
  "PUT /api/tools/{tool_id}": {
    body: { ...TOOL, name: [], implementation: [{ type: "static", result: "" }] },
  },
  "POST /api/tools/try": { body: { parameters: TOOL.parameters, arguments: [{}], tool_id: ["tool_of_nobody"] } },
  "GET /api/memory": {
    query: {
      q: ["tea", "%"],
      type: ["all", "long", "short"],
      tag: ["one"],
      target_id: ["web:user:ann"],
      character_id: [],
      character_name: ["nobody"],
      session_id: [],
      priority: ["high"],
      kind: ["fact"],
      replaced: SWITCH,
      sort: ["-said_at", "created_at"],
      ...PAGE,
    },
  },
  "POST /api/memory": {
    body: {
      ...MEMORY,
      type: ["long", "short"],
      character_id: [null],
      character_name: ["nobody"],
      session_id: [null],
      // Only with type short.
      expire_days: [],
      source: ["manual", "import"],
      said_at: ["2026-01-06T10:00:00Z"],
    },
  },
  "DELETE /api/memory": {
    body: { character_id: ["char_none"], type: ["short"] },
    query: { target_id: ["web:user:x"] },
  },
  "PUT /api/memory/{memory_id}": {
    body: {
      ...MEMORY,
      title: ["other"],
      type: ["short", "long"],
      character_id: [null],
      character_name: ["nobody"],
      session_id: [null],
      expire_days: [1, 3_650],
      source: ["manual"],
      said_at: ["2026-01-06T10:00:00Z"],
    },
  },
  "GET /api/memory/export": {
    query: { type: ["all", "short"], character_id: [], target_id: ["web:user:ann"], download: SWITCH },
  },
  "POST /api/memory/import": {
    query: { mode: ["merge", "replace"] },
    body: { items: [[]], version: [1], type: ["memory_export"], exported_at: ["2026-01-06T10:00:00Z"], total: [1] },
  },
  "POST /api/memory/merge": { body: { title: ["both"], content: ["likes tea and coffee"] } },
  "GET /api/characters/{character_id}/memories": {
    query: { target_id: ["web:user:ann"], type: ["long"], q: ["me"], ...PAGE },
  },
  "POST /api/characters/{character_id}/memories": {
    body: { ...MEMORY, title: ["about me"], type: ["long", "short"], expire_days: [] },
  },
  "GET /api/prompts": { query: { q: ["sum"], tags: ["work"], is_shared: SWITCH, ...SORT, ...PAGE } },
  "POST /api/prompts": { body: { id: [], tags: [["work"], []], is_shared: FLAG } },
  "PUT /api/prompts/{prompt_id}": {
    body: { name: ["a name"], content: ["Hello."], tags: [["work"]], is_shared: FLAG },
  },
  "GET /api/personas": { query: { q: ["ann"], is_default: SWITCH, ...SORT, ...PAGE } },
  "POST /api/personas": { body: { description: ["Tall."], avatar: [""], is_default: FLAG } },
  "PUT /api/personas/{persona_id}": {
    body: { name: ["Ben"], description: ["Tall."], avatar: [""], is_default: FLAG },
  },
  "GET /api/budgets": {
    query: { q: ["each"], applies_to: ["person", "all"], enabled: SWITCH, ...SORT, ...PAGE },
  },
  "POST /api/budgets": { body: { id: [], ...BUDGET } },
  "PUT /api/budgets/{budget_id}": { body: { name: ["Other"], applies_to: ["conversation"], ...BUDGET } },
  "GET /api/budgets/{budget_id}/usage": { query: PAGE },
  "GET /api/person-links": { query: { q: ["Ann"], ...SORT, ...PAGE } },
  "POST /api/person-links": { body: { persona_id: [null] } },
  "PUT /api/person-links/{link_id}": { body: { name: ["Ben"], target_id: [], same_as: [], persona_id: [null] } },

  "GET /api/world-books": {
    query: { q: ["book", "%"], enabled: SWITCH, character_id: ["Mira"], character_ids: ["Mira"], ...SORT, ...PAGE },
  },
  "POST /api/world-books": { body: { ...WORLD_BOOK, id: [], entries: [[], [{ content: "An inn." }]] } },
  "PUT /api/world-books/{book_id}": { body: { name: ["other"], ...WORLD_BOOK } },
  "GET /api/world-books/{book_id}/entries": {
    query: {
      q: ["inn", "%"],
      entry_type: ["lore"],
      enabled: SWITCH,
      sort: ["-priority", "priority", "insertion_order", "name", "-updated_at"],
      ...PAGE,
    },
  },
  "POST /api/world-books/{book_id}/entries": { body: WORLD_ENTRY },
  "PUT /api/world-books/{book_id}/entries/{entry_id}": { body: { ...WORLD_ENTRY, content: ["Other."] } },
  "POST /api/world-books/{book_id}/entries/batch": { body: { atomic: FLAG } },
  "POST /api/world-books/{book_id}/ai-generate": {
    body: { count: [1, 20], entry_type: ["npc"], language: ["zh-CN"], save: FLAG },
  },
  "POST /api/world-books/test-match": {
    body: {
      character_id: [],
      recent_messages: [[], [{ role: "assistant", content: "The road ends here." }]],
      scene: [{}, { location: "tavern", people: ["Ann"] }],
      book_ids: [[]],
      every_entry: FLAG,
    },
  },
  "GET /api/world-books/export/{book_id}": {
    query: { format: ["native", "v2", "v3", "worldinfo"], download: SWITCH },
  },
  "GET /api/world-books/export-all": { query: { download: SWITCH } },
  "POST /api/world-books/import": { query: { name: ["Town"], character_ids: ["Mira,Ann", '["Mira"]'] } },

  "GET /api/message-filter": {},
  "POST /api/message-filter": {
    body: { ...RULE, channel: ["web", "imA_group", "global", ""], session_scope: ["all"], session_id: [""] },
  },
  "PUT /api/message-filter/{rule_id}": {
    query: { channel: ["web"], session_id: ["x"] },
    body: { pattern: ["other"], ...RULE, channel: ["global"], session_scope: ["all"], session_id: [""] },
  },
  "DELETE /api/message-filter/{rule_id}": { query: { channel: ["global"], session_id: [""] } },
  "POST /api/message-filter/test": {
    body: { target: ["user", "ai"], channel: ["web"], session_id: [""], rule: [{ pattern: "word" }] },
  },
  "POST /api/message-filter/{rule_id}/move": { body: { before: [], after: [] } },
  "POST /api/ai-models/available": {
    body: {
      "protocol&base_url": [["openai_chat", "http://127.0.0.1:9/v1"]],
      api_key_env: [],
      model_id: [],
      timeout_s: [1, 60],
    },
  },
  "GET /api/message-filter/{rule_id}": {},
  "GET /api/message-filter/hits": {
    query: {
      rule: ["rule_x"],
      session_id: ["sess_x"],
      blocked: SWITCH,
      since: ["2026-01-01T00:00:00.000Z"],
      until: ["2099-01-01T00:00:00.000Z"],
      ...PAGE,
    },
  },
  "DELETE /api/message-filter/hits": {},
  "POST /api/message-filter/import": {
    body: {
      action: ["strip", "recall"],
      replacement: ["***"],
      group: ["", "Holidays"],
      window: WINDOWS,
      filter_target: ["user", "ai", "both"],
      whole_word: FLAG,
      channel: ["web", "global"],
      session_scope: ["all"],
      session_id: [""],
    },
  },

  "GET /api/sessions": {
    query: {
      folder: ["Travel"],
      archived: ["true", "false", "all"],
      type: ["web"],
      channel_id: ["web"],
      character_id: ["char_1"],
      tag: ["one"],
      favorite: SWITCH,
      pinned: SWITCH,
      q: ["talk", "%", "_", "'"],
      ...PAGE,
      cursor: [Buffer.from('{"pinned":0,"at":"2026-01-06T10:15:00.000Z","id":"sess_1"}').toString("base64url")],
    },
  },
  "POST /api/sessions": { body: { ...SESSION, character_id: [null], type: ["web"], is_temporary: FLAG } },
  "PUT /api/sessions/{session_id}": {
    body: {
      ...SESSION,
      is_temporary: [false],
      disabled_prompt_keys: [[]],
      auto_state_interval: [0],
      proactive_chat: [{}],
      tts_config: [{}],
    },
  },
  "PUT /api/sessions/{session_id}/scene": { body: {} },
  "POST /api/sessions/{session_id}/fork": {
    body: { message_id: ["{message_id}"], name: ["a fork"], include_archive: FLAG },
  },
  "PUT /api/sessions/{session_id}/bind-character": {
    body: { ...FACES, system_prompt: ["Be brief."], add_first_message: FLAG },
  },
  "GET /api/sessions/{session_id}/messages": {
    query: {
      order: ["asc", "desc"],
      before: ["{message_id}"],
      after: ["{message_id}"],
      role: ["user", "assistant", "system"],
      include_system: SWITCH,
      include_hidden: SWITCH,
      q: ["kept"],
      ...PAGE,
    },
  },
  "POST /api/sessions/{session_id}/messages": {
    body: { ...MESSAGE, sender_id: ["7"], reply_to: [null], insert_index: [0], temp_id: ["t-1"], deliver: [false] },
  },
  "PUT /api/sessions/{session_id}/messages/{message_id}": {
    body: { ...MESSAGE, truncate_after: FLAG, as_branch: FLAG },
  },
  "GET /api/session-folders": { query: PAGE },
  "GET /api/broadcasts": { query: PAGE },
  "GET /api/people": { query: { ...PAGE, q: ["Eve", ""] } },
  "POST /api/broadcasts": { body: { per_minute: [1, 600], temp_id: ["b-1"] } },
  "POST /api/broadcasts/{broadcast_id}/continue": { body: { failed: FLAG } },
  "GET /api/broadcasts/{broadcast_id}/recipients": {
    query: { ...PAGE, state: ["waiting", "sent", "delivered", "failed"] },
  },
  "GET /api/message-favorites": { query: PAGE },
  "GET /api/messages": {
    query: { ...PAGE, q: ["hello"], rating: ["good", "bad"], session_id: [], archived: ["true", "false", "all"] },
  },
  "POST /api/sessions/{session_id}/ask-models": {
    body: { content: ["hi"], attachments: [[]], reply_to: [null], temp_id: ["t-3"] },
  },
  "POST /api/sessions/{session_id}/press": { body: { language: ["zh-CN"], wait: FLAG } },
  "POST /api/sessions/{session_id}/continue": { body: { wait: FLAG, deliver: [false] } },
  "DELETE /api/sessions/{session_id}/messages": { query: { include_archive: SWITCH } },
  "GET /api/sessions/{session_id}/message-favorites": { query: PAGE },
  "PUT /api/sessions/{session_id}/message-favorites": { body: { title: ["kept"], collection_id: [] } },
  "POST /api/sessions/{session_id}/chat": {
    body: {
      deliver: [false],
      message: [],
      attachments: [[]],
      sender: ["Ada"],
      sender_id: ["7"],
      reply_to: [null],
      temp_id: ["t-2"],
      wait: FLAG,
    },
  },
  "POST /api/sessions/{session_id}/regenerate": {
    body: { message_id: [], model_id: [], wait: FLAG, deliver: [false] },
  },
  "POST /api/stop": { body: { trace_id: ["none"] } },
  "POST /api/sessions/{session_id}/compress": { body: { keep_last: [2, 5] } },
  "POST /api/sessions/{session_id}/ai-summary": { body: { max_chars: [50, 4_000], save_memories: FLAG } },
  "POST /api/sessions/{session_id}/restore-from-archive": { body: { turns: [1, 100], count: [1] } },
  "GET /api/sessions/{session_id}/runtime-timeline": {
    query: { order: ["asc", "desc"], character_id: ["char_1"], ...PAGE },
  },
  "POST /api/sessions/{session_id}/runtime-timeline": { body: { message_id: ["{message_id}"] } },
  "GET /api/sessions/{session_id}/export": {
    query: { format: ["json", "markdown"], include_archive: SWITCH, download: SWITCH },
  },
  "GET /api/sessions/export": {
    query: {
      ids: ["sess_none"],
      format: ["json"],
      archived: ["true", "false", "all"],
      include_archive: SWITCH,
      download: SWITCH,
    },
  },

  "PUT /api/ai-config": {
    body: {
      ...MODEL,
      model: ["m"],
      stream: FLAG,
      enable_memory: FLAG,
      search_api_url: [""],
      search_api_key_env: ["SEARCH_API_KEY"],
    },
  },
  "POST /api/ai-config/test": {
    body: {
      "protocol&base_url&model": [["openai_chat", "http://127.0.0.1:9/v1", "m"]],
      api_key_env: [],
      api_key_from: [],
      timeout_s: [1, 60],
    },
  },
  "GET /api/ai-models": {
    query: { purpose: PURPOSES, protocol: ["openai_chat"], enabled: SWITCH, q: ["m"], ...SORT, ...PAGE },
  },
  "POST /api/ai-models": { body: { purpose: PURPOSES, ...MODEL_RECORD } },
  "PUT /api/ai-models/{model_id}": { body: { name: ["other {model_id}"], model: ["n"], purpose: [], ...MODEL_RECORD } },
  "POST /api/ai-models/{model_id}/apply": { body: { purpose: ["chat"] } },
  "POST /api/ai-models/{model_id}/toggle": { body: { enabled: FLAG } },
  "POST /api/ai-models/{model_id}/clone": { body: { name: ["a copy of {model_id}"] } },
  "POST /api/ai-models/{model_id}/test": { body: { prompt: ["hello"], timeout_s: [1, 120] } },
  "POST /api/ai-models/{model_id}/set-purpose": { body: { reset_defaults: FLAG } },
  "GET /api/ai-models/by-purpose/{purpose}": { query: PAGE },
  "GET /api/ai-models/failover-status": { query: { purpose: PURPOSES } },
  "POST /api/ai-models/failover-reset": { body: { model_id: [], tool: [] } },
  "POST /api/ai-models/failover-reorder": { body: { purpose: ["chat"] } },

  "GET /api/channels": { query: { type: ["web", "imB"], enabled: SWITCH, builtin: SWITCH, ...SORT, ...PAGE } },
  "POST /api/channels": { body: { id: ["sample"], type: ["custom"], ...CHANNEL } },
  "PUT /api/channels/{channel_id}": { body: CHANNEL },
  "POST /api/channels/{channel_id}/toggle": { body: { enabled: FLAG } },
  "POST /api/channels/{channel_id}/test-message": { body: { is_group: FLAG } },
  "POST /api/channels/{channel_id}/check": { body: { config: [{}], secrets: [{}] } },
  "GET /api/channels/types": { query: PAGE },
  "GET /api/channels/presets": { query: PAGE },
  "POST /api/channels/presets/{preset_id}": {
    body: {
      secrets: [{}],
      id: ["imB_sample"],
      transport: ["webhook", "polling"],
      name: ["a bot"],
      description: ["what it is"],
      enabled: FLAG,
      config: [{}],
      capabilities: [{}],
    },
  },

  "POST /api/gateway/worker/stop": { query: { force: SWITCH }, body: { force: FLAG } },
  "GET /api/gateway/events": {
    query: {
      channel_id: ["web"],
      status: [
        "verified",
        "auth_failed",
        "unknown_channel",
        "missing_parser",
        "disabled_channel",
        "parsed",
        "parse_failed",
        "deduped",
        "partial_failed",
      ],
      event_type: ["message"],
      trace_id: ["none"],
      level: ["info", "warning", "error"],
      since: TIMES,
      until: TIMES,
      ...PAGE,
    },
  },
  "GET /api/gateway/events/{trace_id}": { query: { limit: ["1", "500"], offset: ["0"] } },
  "GET /api/gateway/logs": {
    query: {
      source: ["gateway", "mcp"],
      type: ["event"],
      level: ["info", "warning", "error"],
      status: ["completed"],
      tool_name: ["agent_system_status"],
      trace_id: ["none"],
      channel_id: ["web"],
      q: ["hello", "%"],
      since: TIMES,
      until: TIMES,
      ...PAGE,
    },
  },
  "GET /api/gateway/deliveries": {
    query: {
      trace_id: ["none"],
      channel_id: ["web"],
      session_id: ["none"],
      status: ["pending", "dead,expired"],
      ...PAGE,
    },
  },
  "GET /api/gateway/messages": {
    query: {
      unanswered: SWITCH,
      q: ["hello"],
      sender: ["Ann"],
      channel_id: ["web"],
      since: ["2026-01-01T00:00:00.000Z"],
      until: ["2026-12-01T00:00:00.000Z"],
      cursor: ["gw_20261122_120000_00000000"],
      limit: ["1"],
    },
  },
  "GET /api/gateway/dead-letters": {
    query: { channel_id: ["web"], session_id: ["none"], cause: ["permanent"], ...PAGE },
  },
  "POST /api/gateway/dead-letters/{item_id}/retry": { body: { confirm: FLAG } },
  "POST /api/gateway/dead-letters/retry": { body: { item_ids: [["{item_id}"]], confirm: FLAG } },
  "POST /api/gateway/dead-letters/discard": {
    body: { item_id: ["{item_id}"], item_ids: [], channel_id: ["fake"], cause: ["permanent"] },
  },
  "GET /api/workflows": {
    query: { q: ["flow", "%"], enabled: SWITCH, trigger: ["manual", "cron", "interval"], ...SORT, ...PAGE },
  },
  "POST /api/workflows": { body: { id: [], ...WORKFLOW } },
  "PUT /api/workflows/{workflow_id}": { body: { description: ["another"], ...WORKFLOW } },
  "POST /api/workflows/{workflow_id}/toggle": { body: { enabled: FLAG } },
  "POST /api/workflows/{workflow_id}/execute": {
    body: { content: ["hello"], inputs: [{ who: "Ada" }], wait: [false] },
  },
  "GET /api/task-center": { query: { kind: ["custom", "heartbeat", "workflow"], enabled: SWITCH, ...PAGE } },
  "POST /api/task-center": { body: { id: [], ...TASK } },
  "PUT /api/task-center/{task_id}": { body: { prompt: ["And now?"], ...TASK } },
  "POST /api/task-center/{task_id}/toggle": { body: { enabled: FLAG } },
  "POST /api/task-center/{task_id}/run": { body: { wait: FLAG } },
  "PUT /api/heartbeat": {
    body: {
      enabled: [true, false],
      interval_minutes: [1, 10_080],
      content_file: ["other.md", "heartbeat.md"],
      target_session_id: [null],
      targets: [["web"], []],
    },
  },
  "GET /api/heartbeat/content": { query: { file: ["other.md"] } },
  "PUT /api/heartbeat/content": { body: { file: ["other.md"] } },
  "GET /api/runs": {
    query: {
      owner_id: ["heartbeat"],
      kind: ["workflow", "task", "heartbeat"],
      status: ["queued", "running", "success", "failed", "canceled", "timed_out"],
      before: [],
      limit: ["1", "501"],
    },
  },
  "GET /api/automation/calendar": { query: { days: ["1", "31"] } },
  "GET /api/jobs": {
    query: {
      kind: ["jobs.prune"],
      status: ["waiting", "running", "done", "dead", "canceled"],
      q: ["prune", "%"],
      ...PAGE,
    },
  },
  "POST /api/jobs/{job_id}/retry": { body: { confirm: FLAG } },
  "GET /api/schedules": { query: PAGE },
  "GET /api/gateway/nodes": { query: { node_type: ["gateway"], status: ["online"] } },

  "GET /api/imA/users": { query: { q: ["ada"], ...PAGE } },
  "GET /api/imA/groups": { query: { q: ["ada"], ...PAGE } },
  "GET /api/imA/messages/{imA_type}/{imA_id}": { query: { order: ["asc", "desc"], before: [], after: [], ...PAGE } },
  "DELETE /api/imA/messages/{imA_type}/{imA_id}": { query: { delete_session: SWITCH } },
  "GET /api/imA/sessions": { query: { type: ["group", "private"], archived: ["true", "false"], ...PAGE } },
  "POST /api/imA/sessions/{session_id}/sync": { body: { count: [1, 500] } },
  "POST /api/imA/sessions/{session_id}/send": { body: { attachments: [], reply_to: [], at_user_ids: [["7"]] } },
  "POST /api/imA/link-session": { body: { name: ["a name"], session_id: [] } },

  "POST /api/channels/imB/{channel_id}/set-webhook": {},

  "GET /api/mcp-servers": {
    query: {
      transport: ["stdio", "streamable-http"],
      connection_state: ["connected", "disconnected"],
      ...SORT,
      ...PAGE,
    },
  },
  "POST /api/mcp-servers": { body: { id: ["sample"], secrets: [{}], ...SERVER, ...PROCESS } },
  "PUT /api/mcp-servers/{server_id}": {
    body: { secrets: [{}], url: ["http://127.0.0.1:9/mcp"], transport: ["streamable-http"], ...SERVER, ...PROCESS },
  },
  "GET /api/mcp-servers/{server_id}/tools": { query: PAGE },
  "POST /api/mcp-servers/{server_id}/call": { body: { arguments: [{}], confirm: [true] } },
  "POST /api/mcp-servers/{server_id}/sign-in": { body: { client: [{ client_id: "by-hand" }], scope: ["read"] } },
  "GET /api/mcp-servers/oauth/callback": { query: { error: [""], error_description: [""] } },
  "POST /api/mcp-servers/{server_id}/accept-tools": { body: { tools: [["look"]] } },
  "GET /api/confirmations": { query: PAGE },

  "GET /api/web-agent/tools": { query: { permission: ["read", "write"], ...PAGE } },
  "POST /api/web-agent/execute": { body: { arguments: [{}], confirm: FLAG, confirm_id: [] } },
  "POST /api/web-agent/chat": {
    body: { history: [[{ role: "user", content: "hi" }], []], allow_write: FLAG },
  },

  "GET /api/commands": { query: { category: ["session"], admin_only: SWITCH, channel: ["web"], ...PAGE } },
  "GET /api/tokens": { query: { ...RANGE, "start_date&end_date": ["2026-01-01&2026-01-31"] } },
  "GET /api/tokens/rankings": {
    query: {
      ...RANGE,
      metric: ["tokens", "cost", "requests"],
      limit: ["1", "100"],
      "start_date&end_date": ["2026-01-01&2026-01-31"],
    },
  },
  "GET /api/tokens/export": {
    query: { ...RANGE, format: ["csv", "json"], "start_date&end_date": ["2026-01-01&2026-01-31"] },
  },
  "GET /api/logs": {
    query: {
      level: ["all", "debug", "info", "warning", "error"],
      min_level: ["info", "error"],
      source: ["api"],
      q: ["noted", "%"],
      says: ["noted\n%"],
      trace_id: ["none"],
      since: TIMES,
      until: TIMES,
      ...PAGE,
    },
  },
  "GET /api/logs/download": {
    query: {
      level: ["all", "debug", "info", "warning", "error"],
      min_level: ["info", "error"],
      source: ["api"],
      q: ["noted", "%"],
      says: ["noted\n%"],
      trace_id: ["none"],
      since: TIMES,
      until: TIMES,
    },
  },
  "POST /api/logs": { body: { level: ["debug", "info", "warning", "error"], source: ["sample"], context: [{ a: 1 }] } },
  "DELETE /api/logs": { query: { before: TIMES }, body: { before: TIMES } },
  "POST /api/logs/cleanup": { body: { older_than_days: [0, 3_650], dry_run: FLAG } },
  "GET /api/stats/messages": { query: { period: ["day", "week", "month"] } },
  "GET /api/stats/platforms": { query: { period: ["day", "week", "month", "all"], ...PAGE } },
  "POST /api/system/reload-core": { body: { packages: [["filter"]] } },
  "GET /api/sessions/{session_id}/workspace/files": {
    query: { path: ["", "drafts"], recursive: SWITCH, q: ["note"], ...PAGE },
  },
  "POST /api/sessions/{session_id}/workspace/upload": { body: { file: [], path: [] } },
  "GET /api/sessions/{session_id}/workspace/files/{filename}": { query: { path: [""], download: SWITCH } },
  "DELETE /api/sessions/{session_id}/workspace/files/{filename}": { query: { path: [""], recursive: SWITCH } },
  "POST /api/sessions/{session_id}/workspace/folders": { body: { path: ["", "drafts/old"] } },
  "POST /api/sessions/{session_id}/workspace/files/{filename}/move": {
    body: { new_name: ["renamed.txt"], overwrite: FLAG },
  },
  "POST /api/sessions/{session_id}/workspace/files/{filename}/move-to-shared": {
    body: { target: [""], overwrite: [true] },
  },
  "GET /api/sessions/{session_id}/workspace/files/{filename}/preview": {
    query: { path: [""], max_chars: ["1", "200000"] },
  },
  "GET /api/workspace/shared/files": { query: { path: [""], recursive: SWITCH, q: ["note"], ...PAGE } },
  "GET /api/workspace/shared/files/{filename}": { query: { path: [""], download: SWITCH, preview: SWITCH } },
  "DELETE /api/workspace/shared/files/{filename}": { query: { path: [""], recursive: SWITCH } },
  "POST /api/workspace/shared/folders": { body: { path: ["", "drafts/old"] } },
  "POST /api/workspace/shared/files/{filename}/move": { body: { new_name: ["renamed-{filename}"], overwrite: FLAG } },
  "POST /api/workspace/shared/files/{filename}/move-to-private": { body: { target: [""], overwrite: FLAG } },
  "GET /api/workspace/download": { query: { download: SWITCH } },
  "POST /api/workspace/shared/upload": { body: { file: [], path: [] } },
  "POST /api/workspace/convert/pptx-to-pdf": { body: { file: [], session_id: [] } },
  "GET /api/workspace/trash": { query: PAGE },
  "GET /static/files/{filename}": { query: { download: SWITCH } },
  "GET /public/{public_id}/files/{filename}": { query: { ticket: [] } },
  "GET /api/backups": { query: PAGE },
  "GET /api/files": { query: { kind: ["image", "audio", "video"], q: ["cat"], ...PAGE } },
  "GET /api/files/{safe_name}/preview": { query: { max_chars: ["1", "200000"] } },
};
