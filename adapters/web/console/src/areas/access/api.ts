import { parley, type Shapes } from "../../shared/api/client.ts";
import type { Page } from "../../shared/api/list-pages.ts";

export type LoginToken = Shapes["LoginToken"];

const OWN_LOGINS_PATH = "/api/account/logins";

/** Login tokens of the current user. */
export const ownLogins = {
  list: (page: Page) => parley.get(OWN_LOGINS_PATH, { query: page }),
  remove: (token_hash: string) => parley.delete(`${OWN_LOGINS_PATH}/{token_hash}`, { path: { token_hash } }),
  endOthers: () => parley.delete(OWN_LOGINS_PATH),
};

/** Login tokens of all users. */
export const loginTokens = {
  list: (page: Page) => parley.get("/api/login-tokens", { query: page }),
  create: async (username: string, expires_days: number) =>
    readSecret((await parley.post("/api/login-tokens", { body: { username, expires_days } })).token),
  remove: (token_hash: string) => parley.delete("/api/login-tokens/{token_hash}", { path: { token_hash } }),
};

export const changePassword = (old_password: string, new_password: string, end_others: boolean) =>
  parley.post("/api/account/password", { body: { old_password, new_password, end_others } });

/** Returns a secret that only its first response contains; throws for the null of a repeated request. */
function readSecret(secret: string | null): string {
  if (secret === null) throw new Error("the token was already created and is not shown again");
  return secret;
}
