import Joi from "@hapi/joi";
import { answered, type RouteTable, route, shape } from "@parley/core";
import { mcpServers } from "../entry.ts";
import { CALLBACK_PATH, type SignInDoor } from "./sign-in-door.ts";
import type { BegunSignIn, Returned, SignInDraft } from "./sign-ins.ts";

const one = "/api/mcp-servers/{server_id}/sign-in";
const admin = { scope: "admin" } as const;
const { text, time } = answered;

const draft = Joi.object<SignInDraft>({
  client: Joi.object({
    client_id: Joi.string().max(2_000).required(),
    client_secret: Joi.string().max(8_192),
  }),
  scope: Joi.string().max(2_000),
});

const returned = Joi.object<Returned>(
  Object.fromEntries(
    ["state", "code", "error", "error_description", "iss"].map((name) => [name, Joi.string().allow("").max(8_192)]),
  ),
);

const begun = shape<BegunSignIn>({ authorization_url: text, expires_at: time }, "McpSignIn");

/** Signing in to other servers by OAuth 2.1. */
export function signInRoutes(door: SignInDoor): RouteTable {
  return [
    route({
      method: "POST",
      path: one,
      summary: "begin to sign in to an MCP server",
      data: begun,
      ...admin,
      body: draft,
      timeoutMs: 60_000,
      run: ({ params, body, origin }) => door.begin(params.server_id, origin, body),
    }),
    route({
      method: "DELETE",
      path: one,
      summary: "sign out of an MCP server",
      data: mcpServers.item,
      ...admin,
      timeoutMs: 60_000,
      run: ({ params }) => door.signOut(params.server_id),
    }),
    route({
      method: "GET",
      path: CALLBACK_PATH,
      summary: "a browser comes back from where somebody signed in to an MCP server",
      auth: "open",
      reply: "raw",
      data: { "text/html": text },
      query: returned,
      timeoutMs: 60_000,
      run: (request) => door.comeBack(request),
    }),
  ];
}
