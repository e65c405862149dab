import { deletedData, listQuery, type RouteTable, reply, route } from "@parley/core";
import { newToken, signedIn, signedOut, tokenList, verified } from "./answers.ts";
import type { Credentials } from "./credentials.ts";
import { loginBody, tokenDraft, verifyBody } from "./schema.ts";
import { cookie, type SignIn } from "./sign-in.ts";

const tokens = "/api/login-tokens";
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

export function tokenRoutes(credentials: Credentials): RouteTable {
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
  ];
}
