import { api, type Listed } from "../../shared/api/client.ts";

export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly enabled: boolean;
  readonly expires_at: string | null;
  readonly key_prefix: string;
  readonly last_used_at: string | null;
  readonly created_at: string;
}

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

export interface KeyDraft {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
}

export const apiKeys = {
  list: () => api.get<Listed<ApiKey>>("/api/api-keys?limit=500"),
  /** The answer shows the secret, this once. */
  create: (draft: KeyDraft) => api.post<ApiKey & { readonly secret: string }>("/api/api-keys", draft),
  update: (id: string, patch: { readonly enabled: boolean }) => api.put<ApiKey>(`/api/api-keys/${id}`, patch),
  remove: (id: string) => api.remove(`/api/api-keys/${id}`),
};

export const loginTokens = {
  list: () => api.get<Listed<LoginToken>>("/api/login-tokens?limit=500"),
  create: (username: string, expires_days: number) =>
    api.post<LoginToken & { readonly token: string }>("/api/login-tokens", { username, expires_days }),
  remove: (hash: string) => api.remove(`/api/login-tokens/${hash}`),
};
