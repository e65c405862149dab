import { api, type Listed } from "../../shared/api/client.ts";

export interface LoginToken {
  readonly hash_full: string;
  readonly token_prefix: string;
  readonly username: string;
  readonly created_at: string;
  readonly expires_at: string;
  readonly ip_address: string;
  readonly last_used_at: string | null;
  /** The credential of this browser. */
  readonly current: boolean;
}

export const loginTokens = {
  list: () => api.get<Listed<LoginToken>>("/api/login-tokens?limit=500"),
  create: (username: string, expires_days: number) =>
    api.post<LoginToken & { readonly token: string }>("/api/login-tokens", { username, expires_days }),
  remove: (hash: string) => api.remove(`/api/login-tokens/${hash}`),
};
