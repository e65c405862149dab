import { createHash } from "node:crypto";
import { approve, createVisitor } from "../../harness/mcp/oauth.ts";
import type { Call, Seed } from "../calls.ts";

const REDIRECT = "http://127.0.0.1:33418/callback";
const VERIFIER = "v".repeat(43);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");
/** Credentials of the tested service's owner. */
const CREDENTIALS = { username: "admin", password: "correct horse" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };

type Made = Readonly<Record<string, string>>;
const toForm = (fields: Made) => Buffer.from(new URLSearchParams(fields).toString());

/** One client for all calls, because registrations are rate limited. */
const clients = new WeakMap<Seed, Promise<Made>>();

function getRegistered(seed: Seed): Promise<Made> {
  const known = clients.get(seed) ?? register(seed);
  clients.set(seed, known);
  return known;
}

async function register({ api }: Seed): Promise<Made> {
  const body = { client_name: "A client", redirect_uris: [REDIRECT] };
  const answer = await api.send("POST", "/register", { token: "", body });
  return { client_id: (JSON.parse(answer.text) as { readonly client_id: string }).client_id };
}

const toAuthorization = ({ client_id = "" }: Made): Made => ({
  client_id,
  response_type: "code",
  redirect_uri: REDIRECT,
  code_challenge: CHALLENGE,
  code_challenge_method: "S256",
});

async function allowClient(seed: Seed): Promise<Made> {
  const made = await getRegistered(seed);
  const url = new URL(`/authorize?${new URLSearchParams(toAuthorization(made))}`, seed.api.address);
  const answer = await approve(createVisitor(), url, CREDENTIALS);
  return { ...made, code: answer.searchParams.get("code") ?? "" };
}

const exchange = ({ client_id = "", code = "" }: Made): Made => ({
  grant_type: "authorization_code",
  ...{ client_id, code, redirect_uri: REDIRECT, code_verifier: VERIFIER },
});

async function fetchTokens(seed: Seed): Promise<Made> {
  const body = toForm(exchange(await allowClient(seed)));
  const { text } = await seed.api.send("POST", "/token", { token: "", headers: FORM, body });
  const { access_token } = JSON.parse(text) as { readonly access_token: string };
  return { token: access_token, grant_id: access_token.slice(-26) };
}

const signOut = async ({ api }: Seed) => api.as("");
const posted = { caller: signOut, isRaw: true, headers: FORM } as const;
const page = { type: /^text\/html; charset=utf-8$/, gives: ["<form"] };
const inOtherWords = { unknownKey: "clients say more than is asked", badBody: "is told in the words of OAuth" };

/** A working call of every route by which MCP clients sign in. */
export const OAUTH_CALLS: Readonly<Record<string, Call>> = {
  "GET /.well-known/oauth-protected-resource": { isRaw: true, gives: ["resource", "authorization_servers"] },
  "GET /.well-known/oauth-protected-resource/mcp": { isRaw: true, gives: ["resource", "authorization_servers"] },
  "GET /.well-known/oauth-authorization-server": { isRaw: true, gives: ["issuer", "token_endpoint", "S256"] },
  "POST /register": {
    caller: signOut,
    isRaw: true,
    status: 201,
    body: { redirect_uris: [REDIRECT] },
    gives: ["client_id", "redirect_uris"],
    except: inOtherWords,
  },
  "GET /authorize": { params: getRegistered, query: toAuthorization, isRaw: true, ...page },
  "POST /authorize": {
    ...posted,
    ...page,
    params: getRegistered,
    body: (made) => toForm(toAuthorization(made)),
    except: { unknownKey: "forms carry what others need", badBody: "is a page that says so" },
  },
  "POST /authorize/sign-in": {
    ...posted,
    ...page,
    params: getRegistered,
    body: (made) => toForm({ ...toAuthorization(made), ...CREDENTIALS }),
    except: { unknownKey: "forms carry what others need", badBody: "is a page that says so" },
  },
  "POST /revoke": {
    ...posted,
    params: fetchTokens,
    body: ({ token = "" }) => toForm({ token }),
    gives: ["{"],
    except: inOtherWords,
  },
  "GET /api/oauth-grants": { params: fetchTokens, gives: ["items", "total", "limit", "offset"] },
  "GET /api/oauth-grants/{grant_id}": { params: fetchTokens, gives: ["id", "name", "scopes", "last_used_at"] },
  "DELETE /api/oauth-grants/{grant_id}": { params: fetchTokens, gives: ["id", "deleted"] },
  // Last, because failed guesses block the address for some time.
  "POST /token": {
    ...posted,
    params: allowClient,
    body: (made) => toForm(exchange(made)),
    gives: ["access_token", "refresh_token", "expires_in"],
    except: inOtherWords,
  },
};
