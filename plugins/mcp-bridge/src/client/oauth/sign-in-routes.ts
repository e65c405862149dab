import Joi from "@hapi/joi";
import { type RouteTable, route } from "@parley/core";
import { answerFields, shape } from "@parley/core/http";
import { mcpServers } from "../servers/entry.ts";
import { CALLBACK_PATH, type SignInEndpoint } from "./sign-in-endpoint.ts";
import type { CallbackQuery, SignInDraft, StartedSignIn } from "./sign-ins.ts";

const signInPath = "/api/mcp-servers/{server_id}/sign-in";
const admin = { scope: "admin" } as const;
const { text, time } = answerFields;

const draft = Joi.object<SignInDraft>({
  client: Joi.object({
    client_id: Joi.string().max(2_000).required(),
    client_secret: Joi.string().max(8_192),
  }),
  scope: Joi.string().max(2_000),
});

const callbackQuery = Joi.object<CallbackQuery>(
  Object.fromEntries(
    ["state", "code", "error", "error_description", "iss"].map((name) => [name, Joi.string().allow("").max(8_192)]),
  ),
);

const startedSignIn = shape<StartedSignIn>({ authorization_url: text, expires_at: time }, "McpSignIn");

/** Routes to sign in to other servers by OAuth 2.1. */
export function createSignInRoutes(endpoint: SignInEndpoint): RouteTable {
  return [
    route({
      method: "POST",
      path: signInPath,
      summary: "start signing in to an MCP server",
      data: startedSignIn,
      ...admin,
      body: draft,
      timeoutMs: 60_000,
      run: ({ params, body, origin }) => endpoint.begin(params.server_id, origin, body),
    }),
    route({
      method: "DELETE",
      path: signInPath,
      summary: "sign out of an MCP server",
      data: mcpServers.item,
      ...admin,
      timeoutMs: 60_000,
      run: ({ params }) => endpoint.signOut(params.server_id),
    }),
    route({
      method: "GET",
      path: CALLBACK_PATH,
      summary: "receive the browser after a sign-in at an MCP server",
      auth: "open",
      reply: "raw",
      data: { "text/html": text },
      query: callbackQuery,
      timeoutMs: 60_000,
      run: (request) => endpoint.handleCallback(request),
    }),
  ];
}
