import { Resources } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OUR_CALLS } from "../endpoints/calls/additional.ts";
import { CALLS, type Call } from "../endpoints/calls.ts";
import { SCOPES } from "../endpoints/routes.ts";
import { fillPath, startWorld, toRequest, type World } from "../endpoints/world.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { openSocket, type Socket } from "../harness/http/socket.ts";

/** Routes that read kinds of records without a resource. */
const READ_ROUTES: Readonly<Record<string, string>> = {
  ai_config: "/api/ai-config",
  backup: "/api/backups",
  broadcast: "/api/broadcasts",
  channel: "/api/channels",
  character: "/api/characters",
  character_relationship: "/api/characters/{character_id}/relationships",
  character_state: "/api/characters/{character_id}/state",
  confirmation: "/api/confirmations",
  dead_letter: "/api/gateway/dead-letters",
  document: "/api/knowledge",
  entry: "/api/world-books/{book_id}/entries",
  filter_hit: "/api/message-filter/hits",
  filter_rule: "/api/message-filter",
  heartbeat: "/api/heartbeat",
  job: "/api/jobs",
  login_token: "/api/login-tokens",
  mcp_server: "/api/mcp-servers",
  memory: "/api/memory",
  model: "/api/ai-models",
  oauth_grant: "/api/oauth-grants",
  person: "/api/people",
  personality: "/api/personality",
  plugin: "/api/plugins",
  preset: "/api/personality/presets",
  session: "/api/sessions",
  settings: "/api/settings",
  task: "/api/task-center",
  todo: "/api/sessions/{session_id}/todos",
};
/** Events that concern no record; everyone with the scope `read` receives them. */
const CONSOLE_EVENTS = [
  "ack",
  "channel_status",
  "heartbeat",
  "knowledge_index",
  "model_failover",
  "ready",
  "session_activity",
  "withheld",
  "workflow_executed",
  "workspace_file_changed",
  "workspace_file_uploaded",
];
const SCOPES_OF = { reader: ["read"], operator: ["read", "chat", "write"], admin: ["admin"] } as const;
type Role = keyof typeof SCOPES_OF;
const ROLES = Object.keys(SCOPES_OF) as Role[];

let world: World;
let api: Client;

beforeAll(async () => {
  world = await startWorld();
  api = world.seed.api;
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

async function signInAs(name: string, role: Role): Promise<Client> {
  const { password } = await api.post<{ password: string }>("/api/accounts", { name, role });
  const open = createClient(world.parley.address, "");
  return open.as((await open.post<{ token: string }>("/api/login", { username: name, password })).token);
}

/** Resolves once the socket has received everything published before. */
async function waitUntilReceived(socket: Socket): Promise<void> {
  const { id } = await api.post<{ id: string }>("/api/world-books", { name: "Last" });
  await socket.next((frame) => frame.type === "resource_changed" && frame.id === id);
}

function findReadScope(kind: string): string {
  const declared = world.parley.host.all(Resources).find((one) => (one.toldAs ?? one.kind) === kind);
  const path = declared?.path ?? READ_ROUTES[kind];
  return SCOPES.get(`GET ${path}`) ?? `nobody can say where '${kind}' is read`;
}

test("each socket receives events of records that its caller may read, whatever route is called", async () => {
  const sockets = new Map<Role, Socket>();
  for (const role of ROLES) sockets.set(role, await openSocket(await signInAs(`hears.as.${role}`, role)));
  for (const [row, call] of Object.entries<Call>({ ...CALLS, ...OUR_CALLS })) {
    const [method = "", path = ""] = row.split(" ");
    const made = (await call.params?.(world.seed)) ?? {};
    const caller = (await call.caller?.(world.seed)) ?? api;
    await caller.send(method, fillPath(path, made), toRequest(call, made));
    await call.after?.(world.seed);
  }
  const kinds = new Map<Role, Set<string>>();
  for (const [role, socket] of sockets) {
    await waitUntilReceived(socket);
    const changes = socket.frames.filter(({ type }) => type === "resource_changed");
    kinds.set(role, new Set(changes.map(({ kind }) => String(kind))));
    const others = new Set(socket.frames.map(({ type }) => type).filter((type) => type !== "resource_changed"));
    expect([...others].filter((type) => !CONSOLE_EVENTS.includes(type))).toEqual([]);
  }
  const all = [...(kinds.get("admin") ?? [])].sort();
  expect(all).toEqual(expect.arrayContaining(["account", "api_key", "login_token", "oauth_grant", "person_link"]));
  for (const role of ROLES) {
    const mayRead = all.filter(
      (kind) => role === "admin" || (SCOPES_OF[role] as readonly string[]).includes(findReadScope(kind)),
    );
    // A prompt is visible only to its owner, and none of these roles owns one.
    expect([...(kinds.get(role) ?? [])].sort(), role).toEqual(mayRead);
  }
  for (const socket of sockets.values()) socket[Symbol.dispose]();
}, 300_000);

test("personal records reach only the sockets of their owner: prompts, sign-ins", async () => {
  const [ann, ben] = [await signInAs("ann", "operator"), await signInAs("ben", "operator")];
  const sockets = await Promise.all([ann, ben, api].map((client) => openSocket(client)));
  const prompt = { name: "mine", content: "hidden" };
  const { id } = await ann.post<{ id: string }>("/api/prompts", prompt);
  const shared = await ann.post<{ id: string }>("/api/prompts", { ...prompt, is_shared: true });
  await ann.put(`/api/prompts/${shared.id}`, { is_shared: false });
  await ann.put(`/api/prompts/${shared.id}`, { name: "hidden again" });
  await ann.send("DELETE", `/api/prompts/${id}`);
  await ann.post("/api/logout", {});
  const received = async (socket: Socket) => {
    await waitUntilReceived(socket);
    const changes = socket.frames.filter(({ type, kind }) => type === "resource_changed" && kind !== "world_book");
    return changes.map(
      ({ kind, id, action }) =>
        `${kind} ${id === shared.id ? "shared" : kind === "saved_prompt" ? "own" : "login"} ${action}`,
    );
  };
  const [, ofBen = [], ofAdmin = []] = await Promise.all(sockets.slice(1).map(received)).then((rest) => [[], ...rest]);
  const shown = ["saved_prompt shared created", "saved_prompt shared updated"];
  expect(ofBen).toEqual(shown);
  expect(ofAdmin).toEqual([...shown, "login_token login deleted"]);
  const ofAnn = (sockets[0]?.frames ?? [])
    .filter(({ type }) => type === "resource_changed")
    .map(({ id, action }) => [id, action]);
  expect(ofAnn.slice(0, 5)).toEqual([
    [id, "created"],
    [shared.id, "created"],
    [shared.id, "updated"],
    [shared.id, "updated"],
    [id, "deleted"],
  ]);
  for (const socket of sockets) socket[Symbol.dispose]();
}, 60_000);
