import type { GrantRow } from "../tables.ts";
import { createToken } from "../tokens.ts";

const ACCESS_TTL_MS = 3_600_000;
const REFRESH_TTL_MS = 30 * 86_400_000;

/** Answer of the token endpoint (RFC 6749 §5.1). */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: "Bearer";
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

interface IssueOptions {
  readonly grantId: string;
  readonly scopes: string;
  readonly endsBy: GrantRow["ends_by"];
}

/** Issues new tokens of a grant: the row to store and the answer to the client. They expire no later than the login that allowed them. */
export function issueTokens({ grantId, scopes, endsBy }: IssueOptions, nowMs: number) {
  const [access, refresh] = [createToken("oat", grantId), createToken("ort", grantId)];
  const capped = (ms: number) => Math.min(nowMs + ms, endsBy === null ? Number.POSITIVE_INFINITY : Number(endsBy));
  const expiresAt = capped(ACCESS_TTL_MS);
  const answer: TokenResponse = {
    access_token: access.text,
    token_type: "Bearer",
    expires_in: Math.max(0, Math.floor((expiresAt - nowMs) / 1000)),
    refresh_token: refresh.text,
    scope: scopes,
  };
  return {
    row: {
      access_hash: access.hash,
      access_expires_at: expiresAt,
      refresh_hash: refresh.hash,
      expires_at: capped(REFRESH_TTL_MS),
      updated_at: nowMs,
    },
    answer,
  };
}
