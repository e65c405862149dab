import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

const librechat = {
  conversationId: "c1",
  title: "Trip",
  messages: [{ messageId: "m1", sender: "User", isCreatedByUser: true, text: "Hello there" }],
};
const novelai = {
  lorebookVersion: 5,
  entries: [{ text: "Built in 1822.", displayName: "Lighthouse", keys: ["tower"] }],
};

/** Endpoints that import files, and the lists of what each creates. */
const IMPORTS: readonly (readonly [
  path: string,
  list: string,
  files: readonly (readonly [like: string, file: unknown])[],
])[] = [
  [
    "/api/sessions/import",
    "/api/sessions",
    [
      ["LibreChat", librechat],
      ["LibreChat", { sessions: [librechat] }],
      ["Agnai", { name: "x", messages: [{ _id: "1", msg: "Hello", userId: "u" }] }],
      [
        "Telegram",
        { name: "Ann", messages: [{ id: 1, type: "message", from: "Ann", from_id: "user1", text: "Hello" }] },
      ],
      ["SillyTavern chat", { messages: [{ name: "Mira", is_user: false, mes: "Good day" }] }],
      ["ChatGPT", { title: "Trip", mapping: { r: { id: "r" } } }],
      // Most programs export a list of all conversations.
      ["ChatGPT", [{ title: "Trip", mapping: { a: null, b: { id: "b", message: null, children: [] } } }]],
      ["Claude", [{ uuid: "a", name: "Trip", chat_messages: [] }]],
      [
        "SillyTavern chat",
        [
          { user_name: "You", chat_metadata: {} },
          { name: "Mira", is_user: false, mes: "Hi" },
        ],
      ],
      ["ShareGPT", [{ id: "a", conversations: [{ from: "human", value: "Hi" }] }]],
      ["Slack", [{ type: "message", user: "U1", text: "Hi", ts: "1.1" }]],
      // Readable texts with unreadable authors.
      ["Discord", { guild: { id: "1" }, messages: [{ id: "1", content: "Hi", author: { id: "1", name: "Ann" } }] }],
      ["Messenger", { participants: [{ name: "Ann" }], messages: [{ sender_name: "Ann", content: "Hi" }] }],
      ["text-generation-webui", { internal: [["Hi", "Hello"]], visible: [["Hi", "Hello"]] }],
      ["KoboldAI", { gamestarted: true, prompt: "Hi", actions: ["Hello"] }],
      ["Chatbox", { "chat-sessions-list": [{ id: "a" }] }],
      ["LobeChat", { exportType: "sessions", state: { sessions: [], messages: [] }, version: 7 }],
    ],
  ],
  [
    "/api/world-books/import",
    "/api/world-books",
    [
      ["NovelAI", novelai],
      ["Agnai", { kind: "memory", name: "b", entries: [{ name: "x", entry: "y", keywords: ["k"] }] }],
      ["RisuAI", { type: "risu", ver: 1, data: [{ key: "tower", content: "Built." }] }],
      ["AI Dungeon", [{ keys: "tower", value: "Built.", type: "location", title: "Tower" }]],
      ["NovelAI scenario", { scenarioVersion: 1, lorebook: novelai }],
      ["its entry cannot be read", { name: "b", entries: [{ keys: ["tower"], text: "Built." }] }],
      ["LibreChat", librechat],
    ],
  ],
  [
    "/api/world-books/import-all",
    "/api/world-books",
    [
      ["NovelAI", [novelai]],
      ["NovelAI", { world_books: [novelai, novelai] }],
    ],
  ],
  ...["/api/personality/import", "/api/personality/import-all"].map((path): (typeof IMPORTS)[number] => [
    path,
    "/api/personality/custom-presets",
    [
      ["quick reply", { version: 2, name: "Quick", qrList: [{ label: "Hi", message: "/echo hi" }] }],
      ["instruct", { name: "ChatML", input_sequence: "<|im_start|>user", system_prompt: "You are" }],
      ["context template", { name: "Default", story_string: "{{description}}" }],
      ["prompt preset", { name: "Main", temperature: 1, prompts: [{ identifier: "main", content: "Write" }] }],
      ["prompt preset", { name: "Sampler", temp: 0.7, rep_pen: 1.1 }],
      ["system prompt", { name: "Roleplay", content: "Write {{char}}'s reply." }],
      ["Agnai character", { kind: "character", name: "Mira", persona: { kind: "text", attributes: {} } }],
      ["Backyard AI", { character: { aiName: "Mira", aiPersona: "likes tea" } }],
      ["LobeChat", { identifier: "x", meta: { title: "Mira" }, config: { systemRole: "You are Mira." } }],
      ["Open WebUI", [{ id: "m", name: "Mira", params: { system: "You are Mira" }, meta: {} }]],
      ["no card found", { name: "Something", blob: { a: 1 } }],
      ["LibreChat", { name: "x", ...librechat }],
    ],
  ]),
];

describe.each(IMPORTS)("%s", (path, list, files) => {
  test.each(files)("rejects %s of another program and creates nothing", async (like, file) => {
    const before = await api.get<{ total: number }>(list);
    const answer = await api.send("POST", path, { body: file as object });
    expect(answer).toMatchObject({ status: 400 });
    expect(JSON.stringify(answer.json)).toContain(like);
    expect((await api.get<{ total: number }>(list)).total).toBe(before.total);
  });
});

test("a list of conversations is imported like a package of them", async () => {
  const talk = (name: string) => ({ name, messages: [{ role: "user", content: "Hello" }] });
  expect(await api.post("/api/sessions/import", [talk("one"), talk("two")])).toMatchObject({ imported: 2, failed: 0 });
});

test("a file with readable parts is imported, and reports the rest", async () => {
  const ours = { name: "ours", messages: [{ role: "user", content: "Hello" }] };
  expect(await api.post("/api/sessions/import", { sessions: [librechat, ours] })).toMatchObject({
    imported: 1,
    failed: 1,
  });
  const cards = [
    { name: "Ann", description: "tall" },
    { name: "Roleplay", content: "Write." },
  ];
  expect(await api.post("/api/personality/import-all", cards)).toMatchObject({ imported: 1, failed: 1 });
  expect(await api.send("POST", "/api/world-books/import", { body: { name: "empty", entries: [] } })).toMatchObject({
    status: 200,
  });
});
