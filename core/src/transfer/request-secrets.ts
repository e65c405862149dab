import {
  type LiteralRequest,
  literalSecretsIn,
  type SecretsByPlace,
  secretsStaying,
  unmaskLiteralSecrets,
} from "../literal-secrets.ts";
import type { TransferSecrets } from "../points/transfer-section.ts";

/** By this field the secrets of a request come in beside it, as JSON. */
export const REQUEST_SECRETS = "written_secrets";

/** The secrets of requests, by the records that they stand in: for the encrypted part of a package. */
export function requestSecretsOf(
  items: readonly { readonly id: string; readonly request: LiteralRequest }[],
): TransferSecrets {
  const kept = items.flatMap(({ id, request }) => {
    const secrets = literalSecretsIn(request);
    return Object.keys(secrets).length === 0 ? [] : [[id, JSON.stringify(secrets)] as const];
  });
  return Object.fromEntries(kept);
}

/** A request as it comes in with its secrets, or with those that are there; what neither has is left empty. */
export function requestComingIn<Request extends LiteralRequest>(
  request: Request,
  secrets: unknown,
  there: LiteralRequest | undefined,
): Request {
  const given = typeof secrets === "string" ? (JSON.parse(secrets) as SecretsByPlace) : {};
  return unmaskLiteralSecrets(request, { ...secretsStaying(there, request), ...given }, () => "");
}
