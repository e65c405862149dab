import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
}, 60_000);
afterAll(() => parley[Symbol.asyncDispose]());

interface Kind {
  readonly path: string;
  readonly draft: object;
  /** Name of the field with its id. */
  readonly id?: string;
}

const KINDS: readonly Kind[] = [
  { path: "/api/sessions", draft: { name: "a" } },
  { path: "/api/characters", draft: { name: "a" } },
  { path: "/api/world-books", draft: { name: "a" } },
  { path: "/api/personality/custom-presets", draft: { name: "a" } },
  { path: "/api/ai-models", draft: { name: "a", model: "m", base_url: "http://127.0.0.1:9/v1" } },
  { path: "/api/workflows", draft: { name: "a", description: "d" } },
  { path: "/api/skills", draft: { name: "a", description: "d" } },
  { path: "/api/tools", draft: { name: "a", description: "d", implementation: { type: "static", result: "x" } } },
  { path: "/api/task-center", draft: { name: "a", prompt: "p" } },
  { path: "/api/channels", draft: { id: "one", name: "a", type: "generic", transport: "webhook" } },
  { path: "/api/api-keys", draft: { name: "a", scopes: ["read"] } },
  { path: "/api/accounts", draft: { name: "a", role: "reader" } },
  { path: "/api/login-tokens", draft: {}, id: "hash_full" },
  { path: "/api/knowledge", draft: { title: "a", content: "c" } },
  { path: "/api/memory", draft: { title: "a", content: "c" } },
  { path: "/api/mcp-servers", draft: { name: "a", transport: "streamable-http", url: "http://127.0.0.1:9/mcp" } },
  { path: "/api/message-filter", draft: { pattern: "p", type: "keyword", action: "strip" } },
  { path: "/api/prompts", draft: { name: "a", content: "c" } },
  { path: "/api/person-links", draft: { name: "A", target_id: "imA:user:7", same_as: "imB:user:8" } },
];

test.each(KINDS)(
  "of several who remove one record of $path at once, one has removed it",
  async ({ path, draft, id = "id" }) => {
    const made = await api.post<Readonly<Record<string, string>>>(path, draft);
    const answers = await Promise.all(Array.from({ length: 4 }, () => api.send("DELETE", `${path}/${made[id]}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
  },
);
