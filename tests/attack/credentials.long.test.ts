import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Answer, Client } from "../harness/http/client.ts";
import { exchangeRaw, parseStatuses } from "../harness/http/raw-http.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { type Attack, attackGroup } from "./attack-group.ts";

let parley: Parley;
let api: Client;
let own: string;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
  own = new URL(parley.address).origin;
}, 60_000);

afterAll(() => parley[Symbol.asyncDispose]());

type Headers = Readonly<Record<string, string>>;
const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const cookie = (value: string) => ({ cookie: `svc_auth_token=${value}` });
const listSessions = (headers: Headers, query: Headers = {}) =>
  api.send("GET", "/api/sessions", { token: "", headers, query });

attackGroup("forms of tokens and cookies", () => {
  const { token } = api;
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
  const swapped = token.replace(/[a-z]/i, (one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()));
  const forms: readonly (readonly [string, Headers, number, Headers?])[] = [
    ["nothing", {}, 401],
    ["an empty Bearer", { authorization: "Bearer " }, 401],
    ["no scheme", { authorization: token }, 401],
    ["another scheme", { authorization: `Token ${token}` }, 401],
    ["Basic", { authorization: `Basic ${Buffer.from(`admin:${token}`).toString("base64")}` }, 401],
    ["a scheme in lower case", { authorization: `bearer ${token}` }, 200],
    ["the stored hash", bearer(hash(token)), 401],
    ["the shown prefix", bearer(token.slice(0, 12)), 401],
    ["one character too many", bearer(`${token}x`), 401],
    ["one character too few", bearer(token.slice(0, -1)), 401],
    ["one letter in another case", bearer(swapped), 401],
    ["two in one header", bearer(`${token}, Bearer none`), 401],
    ["percent-encoded", bearer(`%74${token.slice(1)}`), 401],
    ["as a query parameter", {}, 401, { token, access_token: token, api_key: token, authorization: `Bearer ${token}` }],
    ["in a header of another name", { "x-api-key": token, "x-auth-token": token, "proxy-authorization": token }, 401],
    ["the password as a token", bearer(parley.credentials.password), 401],
    ["a cookie of another name", { cookie: `auth_token=${token}; SVC_AUTH_TOKEN=${token}` }, 401],
    ["the stored hash as a cookie", cookie(hash(token)), 401],
    ["a wrong Bearer beside a good cookie", { ...bearer("tok_none"), ...cookie(token) }, 401],
    ["a good Bearer beside a wrong cookie", { ...bearer(token), ...cookie("none") }, 200],
    ["a good cookie", cookie(token), 200],
  ];
  return [
    ...forms.map(
      ([what, headers, status, query]): Attack => [
        what,
        async () => expect((await listSessions(headers, query)).status).toBe(status),
      ],
    ),
    [
      "the same text for unknown and wrong",
      async () => {
        const [unknown, wrong] = [
          await listSessions(bearer("tok_none")),
          await listSessions(bearer(`pky_${"a".repeat(43)}`)),
        ];
        expect(unknown.json).toEqual(wrong.json);
      },
    ],
    [
      "two Authorization headers",
      async () => {
        const line = `Authorization: Bearer ${token}\r\n`;
        const answer = await exchangeRaw(
          parley.address,
          `GET /api/sessions HTTP/1.1\r\nHost: ${new URL(own).host}\r\n${line}${line}Connection: close\r\n\r\n`,
        );
        expect(parseStatuses(answer)).toEqual([400]);
      },
    ],
  ];
});

attackGroup("changes by cookie from elsewhere", () => {
  const make = (headers: Headers, body: string | object = {}) =>
    api.send("POST", "/api/sessions", { token: "", body, headers: { ...cookie(api.token), ...headers } });
  const rejected: readonly (readonly [string, Headers])[] = [
    ["no proof at all", {}],
    ["a foreign origin", { origin: "http://evil.example" }],
    ["the origin null", { origin: "null" }],
    ["another port of this machine", { origin: "http://127.0.0.1:1" }],
    ["another scheme", { origin: own.replace("http:", "https:") }],
    ["an origin that begins like ours", { origin: `${own}.evil.example` }],
    ["an origin with our name before it", { origin: `http://evil.example#${own}` }],
    ["a foreign site", { "sec-fetch-site": "cross-site" }],
    ["a foreign site with our origin", { "sec-fetch-site": "cross-site", origin: own }],
    ["a sibling site", { "sec-fetch-site": "same-site", origin: own }],
    ["typed by the user", { "sec-fetch-site": "none" }],
    ["a forwarded host", { origin: "http://evil.example", "x-forwarded-host": "evil.example" }],
    ["a referer only", { referer: `${own}/` }],
  ];
  const total = async () => (await api.get<{ total: number }>("/api/sessions")).total;
  return [
    ...rejected.map(
      ([what, headers]): Attack => [
        what,
        async () => {
          const before = await total();
          expect(await make(headers)).toMatchObject({ status: 403, json: { code: "permission_denied" } });
          expect(await total()).toBe(before);
        },
      ],
    ),
    ["our own page", async () => expect((await make({ origin: own })).status).toBe(200)],
    [
      "our own page by the browser's word",
      async () => expect((await make({ "sec-fetch-site": "same-origin" })).status).toBe(200),
    ],
    [
      "a form's text/plain",
      async () => expect((await make({ origin: own, "content-type": "text/plain" }, '{"a":"="}')).status).toBe(400),
    ],
    ...(["PUT", "DELETE"] as const).map(
      (method): Attack => [
        `${method} without proof`,
        async () => {
          const { id } = await api.post<{ id: string }>("/api/sessions", {});
          const headers = { ...cookie(api.token), origin: "http://evil.example" };
          const answer = await api.send(method, `/api/sessions/${id}`, { token: "", headers, body: {} });
          expect(answer.status).toBe(403);
          await api.get(`/api/sessions/${id}`);
        },
      ],
    ),
    [
      "a method that is overridden",
      async () => {
        const headers = { ...cookie(api.token), "x-http-method-override": "DELETE", "x-method-override": "DELETE" };
        const { id } = await api.post<{ id: string }>("/api/sessions", {});
        await api.send("GET", `/api/sessions/${id}?_method=DELETE`, { token: "", headers });
        await api.get(`/api/sessions/${id}`);
      },
    ],
    [
      "being signed out",
      async () => {
        const victim = await parley.signIn();
        const headers = { ...cookie(victim.token), origin: "http://evil.example" };
        expect((await api.send("POST", "/api/logout", { token: "", headers })).status).toBe(403);
        await victim.get("/api/sessions");
      },
    ],
    ...[{ origin: "http://evil.example" }, { "sec-fetch-site": "cross-site" }].map(
      (headers): Attack => [
        `being signed in with ${Object.keys(headers)}`,
        async () => {
          const answer = await api.send("POST", "/api/login", {
            token: "",
            headers: { ...headers },
            body: parley.credentials,
          });
          expect(answer.status).toBe(403);
          expect(answer.headers.get("set-cookie")).toBeNull();
        },
      ],
    ),
    [
      "being read from another origin",
      async () => {
        const answer = await listSessions({ ...cookie(api.token), origin: "http://evil.example" });
        expect(answer.headers.get("access-control-allow-origin")).toBeNull();
        const asked = await api.send("OPTIONS", "/api/sessions", {
          token: "",
          headers: { origin: "http://evil.example", "access-control-request-method": "POST" },
        });
        expect(asked.headers.get("access-control-allow-origin")).toBeNull();
      },
    ],
    [
      "a cookie that scripts can read",
      async () => {
        const login = await api.send("POST", "/api/login", { token: "", body: parley.credentials });
        expect(login.headers.get("set-cookie")).toMatch(/HttpOnly.*SameSite=Lax|SameSite=Lax.*HttpOnly/i);
      },
    ],
  ];
});

interface Key {
  readonly id: string;
  readonly secret: string;
}

const readSecret = ({ json }: Answer) => (json?.data ?? {}) as Key;
let keys = 0;
const createKey = (scopes: readonly string[], more: object = {}) =>
  api.post<Key>("/api/api-keys", { name: `key ${++keys}`, scopes, ...more });
const sendWithKey = (secret: string, path = "/api/sessions"): Promise<Answer> =>
  api.send("GET", path, { token: secret });
const expectStatus = (status: number) => async (answer: Promise<Answer>) => expect((await answer).status).toBe(status);

attackGroup("lives of credentials", () => [
  [
    "a key that is deleted",
    async () => {
      const { id, secret } = await createKey(["read"]);
      await expectStatus(200)(sendWithKey(secret));
      await api.send("DELETE", `/api/api-keys/${id}`);
      await expectStatus(401)(sendWithKey(secret));
    },
  ],
  [
    "a key that is disabled",
    async () => {
      const { id, secret } = await createKey(["read"]);
      await api.put(`/api/api-keys/${id}`, { enabled: false });
      await expectStatus(401)(sendWithKey(secret));
    },
  ],
  [
    "a key that is narrowed",
    async () => {
      const { id, secret } = await createKey(["admin"]);
      await api.put(`/api/api-keys/${id}`, { scopes: ["chat"] });
      await expectStatus(403)(sendWithKey(secret));
    },
  ],
  [
    "a key that has expired",
    async () => {
      const { secret } = await createKey(["read"], { expires_at: new Date(Date.now() + 300).toISOString() });
      await eventually(() => expectStatus(401)(sendWithKey(secret)));
    },
  ],
  [
    "a key that widens itself",
    async () => {
      const { id, secret } = await createKey(["admin"]);
      const answer = await api.send("PUT", `/api/api-keys/${id}`, { token: secret, body: { expires_at: null } });
      expect(answer.status).toBe(403);
    },
  ],
  [
    "a key without admin that makes keys and tokens",
    async () => {
      const { secret } = await createKey(["read", "chat", "write", "mcp"]);
      for (const path of ["/api/api-keys", "/api/login-tokens"]) {
        const body = { name: "child", scopes: ["admin"] };
        expect((await api.send("POST", path, { token: secret, body })).status).toBe(403);
      }
    },
  ],
  [
    "a key whose scopes are unknown, doubled or none",
    async () => {
      for (const scopes of [[], ["root"], ["*"], ["read", "read"], ["Admin"], "admin"]) {
        const answer = await api.send("POST", "/api/api-keys", { body: { name: `odd ${++keys}`, scopes } });
        expect(answer.status, JSON.stringify(scopes)).toBe(400);
      }
    },
  ],
  [
    "what a key with an end makes to outlive it",
    async () => {
      const expires_at = new Date(Date.now() + 60_000).toISOString();
      const { secret } = await createKey(["admin"], { expires_at });
      const maker = api.as(secret);
      const made = [
        await maker.post<{ expires_at: string | null }>("/api/login-tokens", { expires_days: 3_650 }),
        await maker.post<{ expires_at: string | null }>("/api/api-keys", {
          name: `child ${++keys}`,
          scopes: ["admin"],
        }),
      ];
      for (const child of made)
        expect(Date.parse(child.expires_at ?? "9999")).toBeLessThanOrEqual(Date.parse(expires_at));
    },
  ],
  [
    "a token that was signed out",
    async () => {
      const other = await parley.signIn();
      await other.post("/api/logout", {});
      await expectStatus(401)(sendWithKey(other.token));
    },
  ],
  [
    "a token that is deleted, by its hash and by less of it",
    async () => {
      const made = await api.post<{ token: string; hash_full: string }>("/api/login-tokens", {});
      expect((await api.send("DELETE", `/api/login-tokens/${made.hash_full.slice(0, 12)}`)).status).toBe(404);
      await expectStatus(200)(sendWithKey(made.token));
      expect((await api.send("DELETE", `/api/login-tokens/${made.hash_full.toUpperCase()}`)).status).toBe(200);
      await expectStatus(401)(sendWithKey(made.token));
    },
  ],
  [
    "a proof of a token that was kept for a repeat",
    async () => {
      const other = await parley.signIn();
      const headers = { "idempotency-key": "verify" };
      const verify = () => api.send("POST", "/api/verify-token", { token: "", body: { token: other.token }, headers });
      await expectStatus(200)(verify());
      await other.post("/api/logout", {});
      await expectStatus(401)(verify());
    },
  ],
  [
    "a secret that a repeat shows again",
    async () => {
      const ask = {
        body: { name: `once ${++keys}`, scopes: ["read"] },
        headers: { "idempotency-key": `once ${keys}` },
      };
      const [first, again] = [
        await api.send("POST", "/api/api-keys", ask),
        await api.send("POST", "/api/api-keys", ask),
      ];
      const secret = readSecret(first).secret;
      expect(again.text).not.toContain(secret);
      expect((await api.send("GET", "/api/api-keys")).text).not.toContain(secret);
    },
  ],
  [
    "an answer that another credential's repeat gets",
    async () => {
      const { secret } = await createKey(["chat"]);
      const ask = { body: { name: "private" }, headers: { "idempotency-key": "shared" } };
      const mine = await api.send("POST", "/api/sessions", ask);
      const theirs = await api.send("POST", "/api/sessions", { ...ask, token: secret });
      expect(theirs.headers.get("idempotency-replayed")).toBeNull();
      expect(readSecret(theirs).id).not.toBe(readSecret(mine).id);
    },
  ],
  [
    "the old password and its tokens after it was changed",
    async () => {
      const { restarted, before, signIn } = await restart({ SVC_ADMIN_PASSWORD: "another horse" });
      await using _ = restarted;
      await expectStatus(401)(before());
      await expectStatus(401)(signIn("admin", parley.credentials.password));
      await expectStatus(200)(signIn("admin", "another horse"));
    },
  ],
  [
    "the old name and its tokens after the administrator was renamed",
    async () => {
      const { restarted, before, signIn } = await restart({ SVC_ADMIN_USER: "boss" });
      await using _ = restarted;
      await expectStatus(401)(signIn("admin", parley.credentials.password));
      await expectStatus(401)(before());
      await expectStatus(200)(signIn("boss", parley.credentials.password));
    },
  ],
]);

/** Starts a service in its own folder, signs in once, and restarts it with another environment. */
async function restart(env: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), "parley-restart-"));
  const first = await startParley({ root });
  const { token } = await first.signIn();
  await first[Symbol.asyncDispose]();
  const again = await startParley({ root, env });
  const there = api.as("");
  const at = (path: string) => new URL(path, again.address).href;
  return {
    restarted: {
      async [Symbol.asyncDispose]() {
        await again[Symbol.asyncDispose]();
        rmSync(root, { recursive: true });
      },
    },
    /** Uses a token issued before the restart. */
    before: () => there.send("GET", at("/api/sessions"), { token }),
    signIn: (username: string, password: string) =>
      there.send("POST", at("/api/login"), { body: { username, password } }),
  };
}
