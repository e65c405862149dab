export type OAuthErrorCode =
  | "access_denied"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_grant"
  | "invalid_redirect_uri"
  | "invalid_request"
  | "invalid_scope"
  | "invalid_target"
  | "temporarily_unavailable"
  | "unsupported_grant_type"
  | "unsupported_response_type";

/** An error in OAuth form (RFC 6749 §5.2, RFC 7591 §3.2.2, RFC 8707 §2). */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: OAuthErrorCode;
  readonly status: number;
  readonly retryAfterS: number | undefined;

  constructor(code: OAuthErrorCode, message: string, more: { status?: number; retryAfterS?: number | undefined } = {}) {
    super(message);
    this.code = code;
    this.status = more.status ?? 400;
    this.retryAfterS = more.retryAfterS;
  }
}
