import { createHash } from "node:crypto";
import {
  type ChannelConfig,
  type Clock,
  type Environment,
  type JsonFile,
  LITERAL_SECRETS,
  type Redaction,
  type SecretBox,
} from "@parley/core";
import { channelFailure } from "./said-failures.ts";
import { namedVariables } from "./settings.ts";

/** A secret as it is kept: encrypted, and bound to its channel, its variable and where the channel sends to. */
export interface KeptSecret {
  readonly channel: string;
  readonly variable: string;
  readonly destination: string;
  readonly sealed: string;
  readonly kept_at: string;
}

export interface SecretFile {
  readonly secrets: readonly KeptSecret[];
}

/** What people type in: a secret by the variable it stands for; null forgets it. */
export type GivenSecrets = Readonly<Record<string, string | null>>;

/** A variable that the settings of a channel name, and where its value comes from; null: nowhere. */
export interface NamedSecret {
  readonly name: string;
  /** Its place in the settings, such as `auth.secret_env`. */
  readonly setting: string;
  readonly source: "kept" | "environment" | null;
  readonly kept_at: string | null;
}

type Owner = Pick<ChannelConfig, "id" | "type" | "config">;

/** Secrets that people gave in the console: encrypted in a file of their own, never in the settings. */
export interface KeptSecrets {
  /** What is kept for the channel, else the environment's; undefined when unset or empty. */
  value(channel: Owner, variable: string): string | undefined;
  named(channel: Owner): readonly NamedSecret[];
  /** `bad_request` for a secret that no setting of the channel names. */
  check(channel: Owner, given: GivenSecrets | undefined): void;
  /** Keeps what is given; forgets what no setting names any more, and what was given for another address. */
  store(channel: Owner, given: GivenSecrets | undefined): Promise<void>;
  forget(channelId: string): Promise<void>;
}

export interface KeptSecretsParts {
  readonly file: JsonFile<SecretFile>;
  readonly box: SecretBox;
  readonly environment: Environment;
  readonly redaction: Redaction;
  readonly clock: Clock;
}

export function createKeptSecrets({ file, box, environment, redaction, clock }: KeptSecretsParts): KeptSecrets {
  const keptFor = (channel: Owner, variable: string) => {
    const destination = destinationOf(channel);
    return file
      .read()
      .secrets.find(
        (one) => one.channel === channel.id && one.variable === variable && one.destination === destination,
      );
  };
  const opened = (channel: Owner, variable: string): string | undefined => {
    const kept = keptFor(channel, variable);
    if (!kept) return undefined;
    const secret = box.open(kept.sealed, ownerOf(kept));
    redaction.remember(secret);
    return secret;
  };
  const sealed = (channel: Owner, variable: string, secret: string): KeptSecret => {
    redaction.remember(secret);
    const place = { channel: channel.id, variable, destination: destinationOf(channel) };
    return { ...place, sealed: box.seal(secret, ownerOf(place)), kept_at: new Date(clock.now()).toISOString() };
  };
  return {
    value: (channel, variable) => opened(channel, variable) ?? environment.secret(variable),
    named: (channel) =>
      namedVariables(channel.config).map(({ name, setting }) => {
        const kept = keptFor(channel, name);
        const source = kept ? "kept" : environment.get(name) ? "environment" : null;
        return { name, setting, source, kept_at: kept?.kept_at ?? null };
      }),
    check({ config }, given = {}) {
      const names = new Set(namedVariables(config).map(({ name }) => name));
      const stray = Object.keys(given).find((name) => !names.has(name));
      if (stray !== undefined) throw channelFailure("bad_request", "stray_secret", {}, { field: `secrets.${stray}` });
    },
    async store(channel, given = {}) {
      const isOwn = (one: KeptSecret) => one.channel === channel.id;
      if (Object.keys(given).length === 0 && !file.read().secrets.some(isOwn)) return;
      const names = new Set(namedVariables(channel.config).map(({ name }) => name));
      const destination = destinationOf(channel);
      const stays = ({ variable, ...one }: KeptSecret) =>
        variable === LITERAL_SECRETS ||
        (one.destination === destination && names.has(variable) && given[variable] === undefined);
      const fresh = Object.entries(given).flatMap(([variable, secret]) =>
        secret === null ? [] : [sealed(channel, variable, secret)],
      );
      await file.update(({ secrets }) => ({
        secrets: [...secrets.filter((one) => !isOwn(one) || stays(one)), ...fresh],
      }));
    },
    async forget(channelId) {
      const isOwn = (one: KeptSecret) => one.channel === channelId;
      if (!file.read().secrets.some(isOwn)) return;
      await file.update(({ secrets }) => ({ secrets: secrets.filter((one) => !isOwn(one)) }));
    },
  };
}

const TEXTS = ["channel", "variable", "destination", "sealed", "kept_at"] as const;

export function parseSecrets(json: unknown): SecretFile {
  const { secrets } = (json ?? {}) as Partial<SecretFile>;
  const isWhole = (one: Partial<KeptSecret> | null) => TEXTS.every((key) => typeof one?.[key] === "string");
  if (!Array.isArray(secrets) || !secrets.every(isWhole)) throw channelFailure("bad_request", "file_secrets");
  return { secrets };
}

/** A sealed secret can be opened in its own place only. */
export function ownerOf({
  channel,
  variable,
  destination,
}: Pick<KeptSecret, "channel" | "variable" | "destination">): string {
  return `channel:${channel}:${variable}:${destination}`;
}

/** Where a secret would be sent: whoever changes that has to know the secret. The address for updates is our own. */
export function destinationOf({ type, config }: Pick<Owner, "type" | "config">): string {
  const addresses = addressesIn(config).toSorted();
  return createHash("sha256")
    .update(JSON.stringify([type, addresses]))
    .digest("base64url");
}

const ADDRESS_KEY = /(url|uri|base|host|server|domain|endpoint)$/i;

function addressesIn(config: Readonly<Record<string, unknown>>, path = ""): readonly string[] {
  return Object.entries(config).flatMap(([key, value]) => {
    if (typeof value === "object" && value !== null)
      return addressesIn(value as Record<string, unknown>, `${path}${key}.`);
    const isAddress = ADDRESS_KEY.test(key) || (typeof value === "string" && value.includes("://"));
    return isAddress && key !== "webhook_url" && value ? [`${path}${key}=${String(value)}`] : [];
  });
}
