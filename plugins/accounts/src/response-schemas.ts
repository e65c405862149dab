import { SCOPES } from "@parley/core";
import { answerFields, extend, listData, shape } from "@parley/core/http";
import type { TokenView } from "./records.ts";

const { id, text, time, flag, count, word, orNull, listOf } = answerFields;
const scopes = listOf(word(...SCOPES));

export const signInData = shape(
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
export const verifyData = shape({
  valid: flag,
  kind: word("login", "api_key", "anonymous"),
  username: text,
  scopes,
  expires_at: orNull(time),
});
export const signOutData = shape({ revoked: flag });

const token = shape<TokenView>(
  {
    hash_full: id,
    token_prefix: text,
    username: text,
    device: orNull(text),
    created_at: time,
    expires_at: time,
    ip_address: text,
    created_by: text,
    made_by: orNull(text),
    last_used_at: orNull(time),
    current: flag,
  },
  "LoginToken",
);
export const tokenList = listData(token);
/** A new login token. Its text is shown once; a repeated request returns null. */
export const newToken = extend(token, { token: orNull(text) }, "NewLoginToken");

/** Count of other logins that ended with it. */
export const passwordChangeData = shape({ ended: count });
export const loginsEnded = shape({ ended: count });
export const passwordResetData = shape({ password: orNull(text) }, "NewPassword");
