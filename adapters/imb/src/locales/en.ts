/** English texts of adapter imb. */
export const en = {
  https: "must be https",
  no_address: "is missing, or is not an address",
  no_user: "must not contain a user name or a fragment",
  no_webhook: "nothing is received: no webhook is registered with the platform",
  open: "the webhook is open: no secret is set",
  other_address: "the platform has a different address",
  other_end: "must end with {path}",
  port: "the port must be 443, 80, 88 or 8443",
  secret_letters: "the secret in {variable} may contain only letters, digits, _ and -, at most 256",
  sends_elsewhere: "nothing is received: the platform sends to another address, at {host}",
  webhook_answered: "this service answered the platform with {status}",
  webhook_certificate: "the platform does not trust the certificate of the address: {words}",
  webhook_late: "the address did not answer in time: {words}",
  webhook_refused: "the platform could not connect to the address: {words}",
  webhook_trouble: "the platform says: {words}",
  platform: "{reason}",
} as const;
