import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Encrypts secrets at rest: AES-256-GCM, bound to the record they belong to. */
export interface SecretBox {
  /** Encrypts a secret; the same `owner`, the record's id, is needed to decrypt it. */
  seal(secret: string, owner: string): string;
  /** Decrypts a secret; throws `unavailable` when the key differs or the text was changed. */
  open(sealed: string, owner: string): string;
}
export const SecretBox: ServiceKey<SecretBox> = serviceKey("secret-box");
