import Joi from "@hapi/joi";
import { displayName, listQuery, type Page, SCOPES, type Scope } from "@parley/core";

export interface LoginBody {
  readonly username: string;
  readonly password: string;
}
export interface TokenDraft {
  readonly username?: string;
  readonly expires_days: number;
}
export interface KeyDraft {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly enabled: boolean;
  readonly expires_at: string | null;
  readonly rate_limit_per_minute: number;
}
export type KeyPatch = Partial<KeyDraft>;
export interface KeyQuery extends Page {
  readonly q?: string;
  readonly enabled?: boolean;
}

export const loginBody = Joi.object<LoginBody>({
  username: Joi.string().trim().min(1).max(64).required(),
  password: Joi.string().min(1).max(256).required(),
});

export const verifyBody = Joi.object<{ readonly token?: string }>({ token: Joi.string().max(256) });

export const tokenDraft = Joi.object<TokenDraft>({
  username: displayName(64).description("Who holds it; a label"),
  expires_days: Joi.number().integer().min(1).max(3650).default(30),
});

const name = displayName(100);
const scopes = Joi.array()
  .items(Joi.string().valid(...SCOPES))
  .min(1)
  .unique();
const expires = Joi.string().isoDate().allow(null);
const rate = Joi.number().integer().min(0).max(6000);

export const keyDraft = Joi.object<KeyDraft>({
  name: name.required(),
  scopes: scopes.required(),
  enabled: Joi.boolean().default(true),
  expires_at: expires.default(null),
  rate_limit_per_minute: rate.default(0),
});

export const keyPatch = Joi.object<KeyPatch>({
  name,
  scopes,
  enabled: Joi.boolean(),
  expires_at: expires,
  rate_limit_per_minute: rate,
}).min(1);

export const keyQuery = listQuery<KeyQuery>({ q: Joi.string().allow("").max(200), enabled: Joi.boolean() });
