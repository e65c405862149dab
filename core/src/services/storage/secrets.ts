import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Resolver } from "../../plugin.ts";
import { Redaction } from "../operations/host.ts";
import { SecretBox } from "./secret-box.ts";

type SecretsByName = Readonly<Record<string, string>>;

/** Encryption of the secrets of one owner. Every secret that passes is masked in all later output. */
export interface OwnerSecrets {
  seal(secret: string): string;
  /** Decrypts a secret; throws `unavailable` when it was sealed for another owner or destination, or with another key. */
  open(sealed: string): string;
  /** Encrypts several secrets together, such as those of one record by their place. */
  sealSeveral(secrets: SecretsByName): string;
  openSeveral(sealed: string): SecretsByName;
}

/** Secrets at rest: each can be decrypted for its owner and destination only. */
export interface Secrets {
  /** `destination` stands for where the secret is sent: a changed one makes the stored secret useless. */
  of(owner: string, destination?: string): OwnerSecrets;
}
export const Secrets: ServiceKey<Secrets> = serviceKey("secrets");

/** Creates the service over the secret box and the redaction. */
export function createSecrets(from: Pick<Resolver, "get">): Secrets {
  return {
    of(owner, destination) {
      const context = destination === undefined ? owner : `${owner}:${destination}`;
      const remember = (secret: string) => rememberSecret(from.get(Redaction), secret);
      return {
        seal(secret) {
          remember(secret);
          return from.get(SecretBox).seal(secret, context);
        },
        open(sealed) {
          const secret = from.get(SecretBox).open(sealed, context);
          remember(secret);
          return secret;
        },
        sealSeveral(secrets) {
          for (const secret of Object.values(secrets)) remember(secret);
          return from.get(SecretBox).seal(JSON.stringify(secrets), context);
        },
        openSeveral(sealed) {
          const secrets: SecretsByName = JSON.parse(from.get(SecretBox).open(sealed, context));
          for (const secret of Object.values(secrets)) remember(secret);
          return secrets;
        },
      };
    },
  };
}

/** Registers a secret for redaction, also without its first word and in URL-decoded form. */
export function rememberSecret(redaction: Redaction, secret: string): void {
  redaction.remember(secret);
  redaction.remember(secret.replace(/^\w+ +/, ""));
  if (secret.includes("%")) redaction.remember(new URLSearchParams(`of=${secret}`).get("of") ?? "");
}
