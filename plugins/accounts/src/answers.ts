import { answered, commonFields, extended, listData, SCOPES, shape } from "@parley/core";
import type { ShownKey, ShownToken } from "./records.ts";

const { id, text, time, flag, count, word, orNull, listOf } = answered;
const scopes = listOf(word(...SCOPES));

export const signedIn = shape(
  {
    token: orNull(text),
    token_type: word("Bearer"),
    username: text,
    created_at: time,
    expires_at: time,
    expires_days: count,
  },
  "SignedIn",
);
export const verified = shape({
  valid: flag,
  kind: word("login", "api_key"),
  username: text,
  scopes,
  expires_at: orNull(time),
});
export const signedOut = shape({ revoked: flag });

const token = shape<ShownToken>(
  {
    hash_full: id,
    token_prefix: text,
    username: text,
    created_at: time,
    expires_at: time,
    ip_address: text,
    created_by: text,
    last_used_at: orNull(time),
    current: flag,
  },
  "LoginToken",
);
export const tokenList = listData(token);
/** Its text is shown once: a repeat of the request gets null. */
export const newToken = extended(token, { token: orNull(text) }, "NewLoginToken");

export const keyShape = shape<ShownKey>(
  {
    id,
    name: text,
    scopes,
    enabled: flag,
    expires_at: orNull(time),
    rate_limit_per_minute: count,
    key_prefix: text,
    created_by: text,
    last_used_at: orNull(time),
    last_used_ip: orNull(text),
    ...commonFields,
  },
  "ApiKey",
);
export const keyList = listData(keyShape);
export const newKey = extended(keyShape, { secret: orNull(text) }, "NewApiKey");
