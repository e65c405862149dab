import { type Caller, isPerson, type RouteTable, reply, route } from "@parley/core";
import { deletedData, listQuery } from "@parley/core/http";
import type { Credentials } from "./credentials/credentials.ts";
import type { AccountRecords } from "./people/account-records.ts";
import { passwordChange } from "./people/account-schema.ts";
import {
  loginsEnded,
  newToken,
  passwordChangeData,
  passwordResetData,
  signInData,
  signOutData,
  tokenList,
  verifyData,
} from "./response-schemas.ts";
import { loginBody, tokenDraft, verifyBody } from "./schema.ts";
import { createCookie, type SignIn } from "./sign-in/sign-in.ts";

const tokensPath = "/api/login-tokens";
const ownLoginsPath = "/api/account/logins";
/** Maximum body of public routes: a name and a password. */
const MAX_PUBLIC_BODY_BYTES = 8 * 1024;

export function createSignInRoutes(signIn: SignIn): RouteTable {
  return [
    route({
      method: "POST",
      path: "/api/login",
      summary: "sign in",
      data: signInData,
      auth: "open",
      body: loginBody,
      maxBytes: MAX_PUBLIC_BODY_BYTES,
      run: (asked) => signIn.login(asked),
    }),
    route({
      method: "POST",
      path: "/api/verify-token",
      summary: "get the permissions of a credential",
      data: verifyData,
      auth: "open",
      body: verifyBody,
      maxBytes: MAX_PUBLIC_BODY_BYTES,
      run: (asked) => signIn.verify(asked.body, asked),
    }),
    route({
      method: "POST",
      path: "/api/logout",
      summary: "end a login",
      data: signOutData,
      auth: "open",
      maxBytes: MAX_PUBLIC_BODY_BYTES,
      run: (asked) => signIn.logout(asked.caller, asked),
    }),
  ];
}

export function createTokenRoutes(credentials: Credentials): RouteTable {
  return [
    route({
      method: "GET",
      path: tokensPath,
      summary: "list the login tokens",
      data: tokenList,
      scope: "admin",
      query: listQuery(),
      run: ({ query, caller }) => credentials.listTokens(query, caller),
    }),
    route({
      method: "POST",
      path: tokensPath,
      summary: "create a login token; its text is shown once",
      data: newToken,
      scope: "admin",
      body: tokenDraft,
      run: ({ body, caller, address }) => credentials.issue(body, caller, address),
    }),
    route({
      method: "DELETE",
      path: `${tokensPath}/{token_hash}`,
      summary: "revoke a login token",
      data: deletedData,
      scope: "admin",
      run: async ({ params, caller }) => toReply(await credentials.revokeToken(params.token_hash), caller),
    }),
  ];
}

/** Routes about the caller's own account, for every role. */
export function createOwnAccountRoutes(signIn: () => SignIn, credentials: Credentials): RouteTable {
  return [
    route({
      method: "GET",
      path: ownLoginsPath,
      summary: "list the caller's logins",
      data: tokenList,
      query: listQuery(),
      run: ({ query, caller }) => credentials.listOwnTokens(query, caller),
    }),
    route({
      method: "DELETE",
      path: ownLoginsPath,
      summary: "end all logins of the caller except this one",
      data: loginsEnded,
      scope: "read",
      async run({ caller }) {
        // A program has no logins, and may not end those of people.
        if (!isPerson(caller)) return { ended: 0 };
        return { ended: await credentials.revokeTokensOf(caller.username, "ended", caller.credentialId) };
      },
    }),
    route({
      method: "DELETE",
      path: `${ownLoginsPath}/{token_hash}`,
      summary: "end one of the caller's logins",
      data: deletedData,
      scope: "read",
      run: async ({ params, caller }) => toReply(await credentials.revokeOwnToken(params.token_hash, caller), caller),
    }),
    route({
      method: "POST",
      path: "/api/account/password",
      summary: "change the caller's password; requires the old one",
      data: passwordChangeData,
      scope: "read",
      body: passwordChange,
      maxBytes: MAX_PUBLIC_BODY_BYTES,
      run: (asked) => signIn().changePassword(asked),
    }),
  ];
}

export function createAccountRoutes(records: AccountRecords): RouteTable {
  return [
    route({
      method: "POST",
      path: "/api/accounts/{account_id}/new-password",
      summary: "reset the password of an account; the new one is shown once",
      data: passwordResetData,
      scope: "admin",
      run: ({ params, caller }) => records.resetPassword(params.account_id, caller),
    }),
  ];
}

/** Returns the response to an ended login; the cookie is cleared when it was the caller's own. */
function toReply(data: { readonly id: string; readonly deleted: true }, { credentialId }: Caller) {
  return data.id === credentialId ? reply({ data, headers: { "set-cookie": createCookie("", 0, false) } }) : data;
}
