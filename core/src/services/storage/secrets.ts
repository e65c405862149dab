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
  /** Encrypts a value as JSON, such as a sign-in. `listSecrets` names what is masked in it; the value's other parts are not. */
  sealValue<Value>(value: Value, listSecrets: SecretsOf<Value>): string;
  openValue<Value>(sealed: string, listSecrets: SecretsOf<Value>): Value;
}

/** Returns the secrets in a value. */
export type SecretsOf<Value> = (value: Value) => readonly (string | undefined)[];

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
      const box = () => from.get(SecretBox);
      const rememberAll = <Value>(value: Value, listSecrets: SecretsOf<Value>): Value => {
        for (const secret of listSecrets(value)) if (secret !== undefined) rememberSecret(from.get(Redaction), secret);
        return value;
      };
      const own: OwnerSecrets = {
        seal: (secret) => box().seal(rememberAll(secret, listItself), context),
        open: (sealed) => rememberAll(box().open(sealed, context), listItself),
        sealSeveral: (secrets) => own.sealValue(secrets, Object.values),
        openSeveral: (sealed) => own.openValue(sealed, Object.values),
        sealValue: (value, listSecrets) => box().seal(JSON.stringify(rememberAll(value, listSecrets)), context),
        openValue: (sealed, listSecrets) => rememberAll(JSON.parse(box().open(sealed, context)), listSecrets),
      };
      return own;
    },
  };
}

function listItself(secret: string): readonly string[] {
  return [secret];
}

/** Registers a secret for redaction, also without its first word and in URL-decoded form. */
export function rememberSecret(redaction: Redaction, secret: string): void {
  redaction.remember(secret);
  redaction.remember(secret.replace(/^\w+ +/, ""));
  if (secret.includes("%")) redaction.remember(new URLSearchParams(`of=${secret}`).get("of") ?? "");
}
