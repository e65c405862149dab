import type { Call, Seed } from "../calls.ts";

let count = 0;

/** Adds an MCP server that requires a sign-in. */
async function addServer({ api, signInUrl }: Seed): Promise<Readonly<Record<string, string>>> {
  const id = `sign-in-${++count}`;
  await api.post("/api/mcp-servers", { id, name: id, transport: "streamable-http", url: signInUrl });
  return { server_id: id };
}

/** Starts a sign-in, up to the return of the browser. */
async function startSignIn(seed: Seed): Promise<Readonly<Record<string, string>>> {
  const { server_id } = await addServer(seed);
  const path = `/api/mcp-servers/${server_id}/sign-in`;
  const { authorization_url } = await seed.api.post<{ readonly authorization_url: string }>(path, {});
  const { headers } = await fetch(authorization_url, { redirect: "manual" });
  return Object.fromEntries(new URL(headers.get("location") ?? "").searchParams);
}

async function removeServer({ api }: Seed): Promise<void> {
  const { items } = await api.get<{ items: readonly { readonly id: string }[] }>("/api/mcp-servers");
  for (const { id } of items) if (id.startsWith("sign-in-")) await api.send("DELETE", `/api/mcp-servers/${id}`);
}

/** A working call of every route by which a person signs in to another MCP server. */
export const SIGN_IN_CALLS: Readonly<Record<string, Call>> = {
  "POST /api/mcp-servers/{server_id}/sign-in": {
    params: addServer,
    body: {},
    after: removeServer,
    gives: ["authorization_url", "expires_at"],
  },
  "DELETE /api/mcp-servers/{server_id}/sign-in": { params: addServer, after: removeServer, gives: ["id", "sign_in"] },
  "GET /api/mcp-servers/oauth/callback": {
    params: startSignIn,
    query: ({ state = "", code = "", iss = "" }) => ({ state, code, iss }),
    after: removeServer,
    isRaw: true,
    type: /^text\/html; charset=utf-8$/,
    gives: ["You are signed in"],
  },
};
