import { deleted, deletedData, listQuery, type RouteTable, reply, route } from "@parley/core";
import { keyList, keyShape, newKey, newToken, signedIn, signedOut, tokenList, verified } from "./answers.ts";
import type { Credentials } from "./credentials.ts";
import { keyDraft, keyPatch, keyQuery, loginBody, tokenDraft, verifyBody } from "./schema.ts";
import { cookie, type SignIn } from "./sign-in.ts";

const tokens = "/api/login-tokens";
const keys = "/api/api-keys";
/** Anybody may send these: what is longer than a name and a password is not read. */
const OPEN_BYTES = 8 * 1024;

export function signInRoutes(signIn: SignIn): RouteTable {
  return [
    route({
      method: "POST",
      path: "/api/login",
      summary: "sign in",
      data: signedIn,
      auth: "open",
      body: loginBody,
      maxBytes: OPEN_BYTES,
      run: (asked) => signIn.login(asked),
    }),
    route({
      method: "POST",
      path: "/api/verify-token",
      summary: "what a credential may do",
      data: verified,
      auth: "open",
      body: verifyBody,
      maxBytes: OPEN_BYTES,
      run: (asked) => signIn.verify(asked.body.token, asked),
    }),
    route({
      method: "POST",
      path: "/api/logout",
      summary: "end a login",
      data: signedOut,
      auth: "open",
      maxBytes: OPEN_BYTES,
      run: (asked) => signIn.logout(asked.caller, asked),
    }),
  ];
}

export function credentialRoutes(credentials: Credentials): RouteTable {
  return [
    route({
      method: "GET",
      path: tokens,
      summary: "list the login tokens",
      data: tokenList,
      scope: "admin",
      query: listQuery(),
      run: ({ query, caller }) => credentials.listTokens(query, caller),
    }),
    route({
      method: "POST",
      path: tokens,
      summary: "make a login token; its text is shown once",
      data: newToken,
      scope: "admin",
      body: tokenDraft,
      run: ({ body, caller, address }) => credentials.issue(body, caller, address),
    }),
    route({
      method: "DELETE",
      path: `${tokens}/{token_hash}`,
      summary: "revoke a login token",
      data: deletedData,
      scope: "admin",
      async run({ params, caller }) {
        const data = await credentials.revokeToken(params.token_hash);
        return data.id === caller.credentialId
          ? reply({ data, headers: { "set-cookie": cookie("", 0, false) } })
          : data;
      },
    }),
    route({
      method: "GET",
      path: keys,
      summary: "list the API keys",
      data: keyList,
      scope: "admin",
      query: keyQuery,
      run: ({ query }) => credentials.listKeys(query),
    }),
    route({
      method: "POST",
      path: keys,
      summary: "make an API key; its secret is shown once",
      scope: "admin",
      body: keyDraft,
      data: newKey,
      run: ({ body, caller }) => credentials.createKey(body, caller),
    }),
    route({
      method: "GET",
      path: `${keys}/{key_id}`,
      summary: "one API key",
      scope: "admin",
      data: keyShape,
      run: ({ params }) => credentials.getKey(params.key_id),
    }),
    route({
      method: "PUT",
      path: `${keys}/{key_id}`,
      summary: "change an API key",
      scope: "admin",
      body: keyPatch,
      data: keyShape,
      run: ({ params, body, caller, ifMatch }) => credentials.changeKey(params.key_id, body, caller, ifMatch),
    }),
    route({
      method: "DELETE",
      path: `${keys}/{key_id}`,
      summary: "delete an API key",
      data: deletedData,
      scope: "admin",
      async run({ params }) {
        await credentials.removeKey(params.key_id);
        return deleted(params.key_id);
      },
    }),
  ];
}
