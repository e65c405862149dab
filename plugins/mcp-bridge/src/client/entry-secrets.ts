import {
  literalSecretsIn,
  maskLiteralSecrets,
  refuseMask,
  requestComingIn,
  type SecretsByPlace,
  secretsStaying,
  unmaskLiteralSecrets,
} from "@parley/core";

/** An entry, as far as secrets are written into it: into its address. */
interface Written {
  readonly url?: string;
}

const addressIn = ({ url }: Written) => ({ ...(url !== undefined && { url }) });

export function secretsInEntry(entry: Written): SecretsByPlace {
  return literalSecretsIn(addressIn(entry));
}

/** As people see it. */
export function maskedEntry<Given extends Written>(entry: Given): Given {
  return { ...entry, ...maskLiteralSecrets(addressIn(entry)) };
}

/** With the secrets that were sent back masked, as they are there; none goes to another server. */
export function unmaskedEntry<Given extends Written>(given: Given, old?: Written): Given {
  return { ...given, ...unmaskLiteralSecrets(addressIn(given), secretsStaying(old, given), refuseMask) };
}

/** With the secrets that come along in a package, or those that are there. */
export function entryComingIn<Given extends Written>(given: Given, secrets: unknown, old?: Written): Given {
  return { ...given, ...requestComingIn(addressIn(given), secrets, old) };
}

/** With what was kept of it, by its place. */
export function openedEntry<Given extends Written>(entry: Given, secrets: SecretsByPlace): Given {
  return { ...entry, ...unmaskLiteralSecrets(addressIn(entry), secrets, () => "") };
}
