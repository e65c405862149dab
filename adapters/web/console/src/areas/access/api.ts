import { MAX_LIMIT_QUERY, parley, type Shapes } from "../../shared/api/client.ts";

export type LoginToken = Shapes["LoginToken"];

const OWN_LOGINS_PATH = "/api/account/logins";

/** Of the person who looks. */
export const ownLogins = {
  list: () => parley.get(OWN_LOGINS_PATH, { query: MAX_LIMIT_QUERY }),
  remove: (token_hash: string) => parley.delete(`${OWN_LOGINS_PATH}/{token_hash}`, { path: { token_hash } }),
  endOthers: () => parley.delete(OWN_LOGINS_PATH),
};

/** Of everybody. */
export const loginTokens = {
  list: () => parley.get("/api/login-tokens", { query: MAX_LIMIT_QUERY }),
  create: async (username: string, expires_days: number) =>
    readSecret((await parley.post("/api/login-tokens", { body: { username, expires_days } })).token),
  remove: (token_hash: string) => parley.delete("/api/login-tokens/{token_hash}", { path: { token_hash } }),
};

export const changePassword = (old_password: string, new_password: string, end_others: boolean) =>
  parley.post("/api/account/password", { body: { old_password, new_password, end_others } });

/** Shown with the answer that made it, and never again: a repeat of the request is told nothing. */
function readSecret(secret: string | null): string {
  if (secret === null) throw new Error("it was made already, and is not shown a second time");
  return secret;
}
