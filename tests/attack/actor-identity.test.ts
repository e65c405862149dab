import { Gateway, LiveEvents } from "@parley/core";
import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { openSocket } from "../harness/http/socket.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { createFakeChannel, type FakeChannel } from "../harness/plugins/fake-channel.ts";
import { type Attack, attackGroup } from "./attack-group.ts";

let parley: Parley;
let api: Client;
let operator: Client;
let channel: FakeChannel;
let tool: string;

beforeAll(async () => {
  channel = createFakeChannel("talk", "natural", { supports_tools: true });
  parley = await startParley({ plugins: [channel.plugin] });
  api = await parley.signIn();
  operator = await signInAs("operator");
  await api.post("/api/channels", { id: "talk", name: "Talk", type: "talk", transport: "bridge", enabled: true });
  const made = await api.post<{ name: string }>("/api/tools", {
    name: "launch",
    description: "Launches",
    parameters: { type: "object", properties: {} },
    requires_confirm: true,
    implementation: { type: "static", result: "launched" },
  });
  tool = made.name;
}, 60_000);
afterAll(() => parley[Symbol.asyncDispose]());

async function signInAs(role: string): Promise<Client> {
  const { name, password } = await api.post<{ name: string; password: string }>("/api/accounts", {
    name: `an.${role}`,
    role,
  });
  const { token } = await api.as("").post<{ token: string }>("/api/login", { username: name, password });
  return api.as(token);
}

let made = 0;
interface Key {
  readonly id: string;
  readonly secret: string;
}
const createKey = (by: Client, more: object = {}) =>
  by.post<Key>("/api/api-keys", { name: `program ${++made}`, scopes: ["admin"], ...more });
interface Token {
  readonly token: string;
  readonly hash_full: string;
}
const createToken = (by: Client) => by.post<Token>("/api/login-tokens", {});
const status = async (who: Client, path = "/api/sessions") => (await who.send("GET", path)).status;

/** Routes that require a person, with requests that a person could make or gets validation errors for. */
const FOR_PERSONS: readonly (readonly [method: string, path: string, body: object])[] = [
  ["POST", "/api/accounts", { name: "new.admin", role: "admin" }],
  ["PUT", "/api/accounts/{operator}", { role: "admin" }],
  ["DELETE", "/api/accounts/{operator}", {}],
  ["POST", "/api/accounts/{operator}/new-password", {}],
  ["POST", "/api/account/password", { old_password: "correct horse", new_password: "another horse" }],
  ["POST", "/api/mcp-servers", { name: "runs", transport: "stdio", command: "npx", args: ["--yes", "a@1.0.0"] }],
];

const withNewKey = async (by: Client, more: object = {}) => api.as((await createKey(by, more)).secret);
const withNewToken = async (by: Client) => api.as((await createToken(by)).token);

/** Credentials that derive from an API key, directly or indirectly. */
const PROGRAMS: Readonly<Record<string, () => Promise<Client>>> = {
  "a key": () => withNewKey(api),
  "a key with an end": () => withNewKey(api, { expires_at: new Date(Date.now() + 3_600_000).toISOString() }),
  "a token of a key": async () => withNewToken(await withNewKey(api)),
  "a token of a token of a key": async () => withNewToken(await withNewToken(await withNewKey(api))),
  "a key of a token of a key": async () => withNewKey(await withNewToken(await withNewKey(api))),
  "a token of a key of a key": async () => withNewToken(await withNewKey(await withNewKey(api))),
};

attackGroup("what an API key stands behind, where a person is asked", () =>
  Object.entries(PROGRAMS).flatMap(([who, make]) => [
    ...FOR_PERSONS.map(
      ([method, path, body]): Attack => [
        `${who}: ${method} ${path}`,
        async () => {
          const { items } = await api.get<{ items: { id: string; name: string }[] }>("/api/accounts");
          const id = items.find(({ name }) => name === "an.operator")?.id ?? "";
          const answer = await (await make()).send(method, path.replace("{operator}", id), { body });
          expect(answer).toMatchObject({ status: 403, json: { code: "permission_denied" } });
        },
      ],
    ),
    [
      `${who}: ends no login of people`,
      async () => {
        const other = await parley.signIn();
        await (await make()).send("DELETE", "/api/account/logins");
        expect(await status(other)).toBe(200);
      },
    ] satisfies Attack,
    [
      `${who}: allows a tool call`,
      async () => {
        const program = await make();
        const { session, request, answering } = await startConfirmation(api);
        const row = `/api/confirmations/${request}`;
        expect(await program.send("POST", row, { body: { approved: true } })).toMatchObject({ status: 403 });
        const chat = `/api/sessions/${session}/chat`;
        const reply = await program.post<Answered>(chat, { content: "/confirm" });
        expect(reply.replies[0]?.content).toContain("a person is asked");
        using socket = await openSocket(program);
        const frame = { type: "confirm_exec", session_id: session, request_id: request, approved: true };
        expect(await socket.ask(frame)).toMatchObject({ ok: false, code: "permission_denied" });
        await api.post(row, { approved: false });
        expect((await answering).replies[0]?.content).not.toContain("launched");
      },
    ] satisfies Attack,
  ]),
);

attackGroup("what is left when the key is gone", () => {
  const ends: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    deleted: (id) => api.send("DELETE", `/api/api-keys/${id}`),
    "switched off": (id) => api.put(`/api/api-keys/${id}`, { enabled: false }),
    expired: async (id) => {
      await api.put(`/api/api-keys/${id}`, { expires_at: new Date(Date.now() + 200).toISOString() });
      await eventually(async () =>
        expect(
          (await api.get<{ expires_at: string }>(`/api/api-keys/${id}`)).expires_at < new Date().toISOString(),
        ).toBe(true),
      );
    },
  };
  const family = async () => {
    const key = await createKey(api);
    const program = api.as(key.secret);
    const token = await withNewToken(program);
    const child = await withNewKey(token);
    const last = await withNewToken(child);
    return { key, last, all: [program, token, child, last] };
  };
  return [
    ...Object.entries(ends).map(
      ([how, end]): Attack => [
        how,
        async () => {
          const { key, all, last } = await family();
          for (const one of all) expect(await status(one)).toBe(200);
          using socket = await openSocket(last);
          await end(key.id);
          for (const one of all) expect(await status(one)).toBe(401);
          expect(await socket.closed()).toBe(4401);
        },
      ],
    ),
    [
      "narrowed",
      async () => {
        const { key, all } = await family();
        await api.put(`/api/api-keys/${key.id}`, { scopes: ["read"] });
        for (const one of all) expect(await status(one, "/api/api-keys")).toBe(403);
      },
    ],
    [
      "deleted, and what it made is still listed",
      async () => {
        const { key } = await family();
        const before = { keys: await listIds("/api/api-keys"), tokens: await listIds("/api/login-tokens") };
        expect(before.keys.length).toBeGreaterThan(1);
        await api.send("DELETE", `/api/api-keys/${key.id}`);
        const keys = await api.get<{ items: { made_by: string | null }[] }>("/api/api-keys?limit=500");
        const tokens = await api.get<{ items: { made_by: string | null }[] }>("/api/login-tokens?limit=500");
        expect([...keys.items, ...tokens.items].filter(({ made_by }) => made_by === key.id)).toEqual([]);
        expect((await listIds("/api/api-keys")).length).toBe(before.keys.length - 2);
        expect((await listIds("/api/login-tokens")).length).toBe(before.tokens.length - 2);
      },
    ],
  ];
});

const listIds = async (path: string) => (await api.get<{ items: object[] }>(`${path}?limit=500`)).items;

interface Answered {
  readonly replies: readonly { readonly content: string }[];
}

function waitForQuestion(sessionId: string): Promise<string> {
  return new Promise((resolve) => {
    const stop = parley.host.get(LiveEvents).subscribe(({ type, session_id, payload }) => {
      if (type !== "exec_confirm_request" || session_id !== sessionId) return;
      stop();
      resolve(String(payload.request_id));
    });
  });
}

/** Starts a tool call by a console user that waits for confirmation. */
async function startConfirmation(by: Client, more: object = {}) {
  const session = (await by.post<{ id: string }>("/api/sessions", {})).id;
  const question = waitForQuestion(session);
  const answering = by.post<Answered>(`/api/sessions/${session}/chat`, { content: `/tool ${tool} {}`, ...more });
  answering.catch(() => undefined);
  return { session, request: await question, answering };
}

attackGroup("approving in somebody else's name", () => {
  const labels = async () => {
    const { items } = await api.get<{ items: { id: string; name: string }[] }>("/api/accounts");
    const admin = items.find(({ name }) => name === "admin")?.id ?? "";
    return [{ sender_id: admin }, { sender_id: admin, sender: "admin" }, { sender: "admin" }];
  };
  return [
    [
      "an operator by a label of the administrator",
      async () => {
        const { session, request, answering } = await startConfirmation(api);
        for (const label of await labels()) {
          const reply = await operator.post<Answered>(`/api/sessions/${session}/chat`, {
            content: "/confirm",
            ...label,
          });
          expect(reply.replies[0]?.content).toContain("only the person who asked");
        }
        expect(await listIds("/api/confirmations")).toHaveLength(1);
        await api.post(`/api/confirmations/${request}`, { approved: true });
        expect((await answering).replies[0]?.content).toContain("launched");
      },
    ],
    [
      "an operator who asked under a label of the administrator is still the one who asked",
      async () => {
        const [label = {}] = await labels();
        const { session, answering } = await startConfirmation(operator, label);
        await operator.post(`/api/sessions/${session}/chat`, { content: "/confirm", sender_id: "somebody" });
        expect((await answering).replies[0]?.content).toContain("launched");
        await eventually(async () => {
          const logs = "/api/gateway/logs?source=mcp&tool_name=launch&limit=50";
          const { items } = await api.get<{ items: { metadata: { confirm_by: string | null } }[] }>(logs);
          const me = (await api.get<{ items: { id: string; name: string }[] }>("/api/accounts")).items.find(
            ({ name }) => name === "an.operator",
          );
          expect(items[0]?.metadata.confirm_by).toBe(me?.id);
        });
      },
    ],
    ...["label of an administrator of the channel", "id of the account that asked"].map(
      (what): Attack => [
        `somebody of a channel by the ${what}`,
        async () => {
          const { items } = await api.get<{ items: { id: string }[] }>("/api/accounts");
          const { sessionId, here } = createPlace();
          const question = waitForQuestion(sessionId);
          await channel.say("x", `/tool ${tool} {}`, here);
          await question;
          const sender = { id: items[0]?.id ?? "", name: "admin", isAdmin: true, accountId: items[0]?.id ?? "" };
          await channel.say("x", "/confirm", { ...here, sender });
          await eventually(() => expect(listSentTo(sessionId).join()).toContain("only an administrator"));
          expect(listSentTo(sessionId).join()).not.toContain("launched");
          await channel.say("x", "/deny", here);
          await parley.host.get(Gateway).idle();
        },
      ],
    ),
  ];
});

let rooms = 0;
function createPlace() {
  const id = `room${++rooms}`;
  return { sessionId: `talk:${id}`, here: { sessionId: `talk:${id}`, conversation: { id, isGroup: false } } };
}
const listSentTo = (sessionId: string) =>
  channel.sent
    .filter((one) => (one as { sessionId?: string }).sessionId === sessionId || sessionId.endsWith(one.conversation.id))
    .map(({ text }) => text);

attackGroup("a stranger of a channel", () => [
  [
    "who allows what they asked for",
    async () => {
      const { sessionId, here } = createPlace();
      const question = waitForQuestion(sessionId);
      await channel.say("x", `/tool ${tool} {}`, here);
      const request = await question;
      await channel.say("x", "/confirm", here);
      await eventually(() => expect(listSentTo(sessionId).join()).toContain("only an administrator"));
      await operator.send("POST", `/api/confirmations/${request}`, { body: { approved: true } });
      expect(listSentTo(sessionId).join()).not.toContain("launched");
      await api.post(`/api/confirmations/${request}`, { approved: true });
      await eventually(() => expect(listSentTo(sessionId).join()).toContain("launched"));
    },
  ],
  [
    "who goes on talking instead: it is refused, and the text is answered at once",
    async () => {
      const { sessionId, here } = createPlace();
      const question = waitForQuestion(sessionId);
      await channel.say("x", `/tool ${tool} {}`, here);
      await question;
      await channel.say("x", "something else entirely", here);
      await parley.host.get(Gateway).idle();
      expect(listSentTo(sessionId).join()).toContain("something else entirely");
      expect(listSentTo(sessionId).join()).not.toContain("launched");
      expect(await listIds("/api/confirmations")).toEqual([]);
    },
  ],
]);
