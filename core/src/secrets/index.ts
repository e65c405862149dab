// Comparing, masking and sealing secrets.
export { isEqualSecret } from "./equal-secret.ts";
export {
  LITERAL_SECRETS,
  type LiteralField,
  type LiteralSecrets,
  literalSecrets,
  REQUEST_FIELDS,
  type SecretsByPlace,
} from "./literal-secrets.ts";
export { maskSecrets } from "./mask-secrets.ts";
export { hashPassword, isPassword } from "./passwords.ts";
export {
  type SealedCollection,
  type SealedRecords,
  type SealingOptions,
  sealedCollection,
  sealedRecords,
  withSecrets,
} from "./sealed-records.ts";
export { isMask, maskOf } from "./secret-forms.ts";
