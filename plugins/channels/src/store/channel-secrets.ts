import { createHash } from "node:crypto";
import type { ChannelConfig, Clock, Environment, JsonFile, OwnerSecrets, Secrets } from "@parley/core";
import { LITERAL_SECRETS } from "@parley/core/secrets";
import type { SecretsInput, SecretVariable } from "../config/secret-variables.ts";
import { listVariables } from "../config/settings.ts";
import { channelsTexts } from "../texts.ts";

/** A stored secret: encrypted, and bound to its channel, variable and destination. */
export interface StoredSecret {
  readonly channel: string;
  readonly variable: string;
  readonly destination: string;
  readonly sealed: string;
  readonly kept_at: string;
}

export interface SecretFile {
  readonly secrets: readonly StoredSecret[];
}

type SecretOwner = Pick<ChannelConfig, "id" | "type" | "config">;

/** Secrets that people entered in the console. They are encrypted in a separate file, and never in the settings. */
export interface ChannelSecrets {
  /** Returns the secret stored for the channel, else the environment's; undefined when unset or empty. */
  get(channel: SecretOwner, variable: string): string | undefined;
  listVariables(channel: SecretOwner): readonly SecretVariable[];
  /** Throws `bad_request` for a secret that no setting of the channel names. */
  check(channel: SecretOwner, given: SecretsInput | undefined): void;
  /** Stores the given secrets; deletes those that no setting names and those given for another address. */
  store(channel: SecretOwner, given: SecretsInput | undefined): Promise<void>;
  removeAll(channelId: string): Promise<void>;
}

export interface ChannelSecretsDeps {
  readonly file: JsonFile<SecretFile>;
  readonly secrets: Secrets;
  readonly environment: Environment;
  readonly clock: Clock;
}

export function createChannelSecrets({ file, secrets: box, environment, clock }: ChannelSecretsDeps): ChannelSecrets {
  const findStored = (channel: SecretOwner, variable: string) => {
    const destination = toDestination(channel);
    return file
      .read()
      .secrets.find(
        (one) => one.channel === channel.id && one.variable === variable && one.destination === destination,
      );
  };
  const openSecret = (channel: SecretOwner, variable: string): string | undefined => {
    const stored = findStored(channel, variable);
    return stored && getPlaceSecrets(box, stored).open(stored.sealed);
  };
  const sealSecret = (channel: SecretOwner, variable: string, secret: string): StoredSecret => {
    const place = { channel: channel.id, variable, destination: toDestination(channel) };
    return { ...place, sealed: getPlaceSecrets(box, place).seal(secret), kept_at: new Date(clock.now()).toISOString() };
  };
  return {
    get: (channel, variable) => openSecret(channel, variable) ?? environment.secret(variable),
    listVariables: (channel) =>
      listVariables(channel.config).map(({ name, setting }) => {
        const stored = findStored(channel, name);
        const source = stored ? "kept" : environment.get(name) ? "environment" : null;
        return { name, setting, source, kept_at: stored?.kept_at ?? null };
      }),
    check({ config }, given = {}) {
      const names = new Set(listVariables(config).map(({ name }) => name));
      const unknownName = Object.keys(given).find((name) => !names.has(name));
      if (unknownName !== undefined)
        throw channelsTexts.error("bad_request", "stray_secret", {}, { field: `secrets.${unknownName}` });
    },
    async store(channel, given = {}) {
      const isOwn = (one: StoredSecret) => one.channel === channel.id;
      if (Object.keys(given).length === 0 && !file.read().secrets.some(isOwn)) return;
      const names = new Set(listVariables(channel.config).map(({ name }) => name));
      const destination = toDestination(channel);
      const isStillUsed = ({ variable, ...one }: StoredSecret) =>
        variable === LITERAL_SECRETS ||
        (one.destination === destination && names.has(variable) && given[variable] === undefined);
      const fresh = Object.entries(given).flatMap(([variable, secret]) =>
        secret === null ? [] : [sealSecret(channel, variable, secret)],
      );
      await file.update(({ secrets }) => ({
        secrets: [...secrets.filter((one) => !isOwn(one) || isStillUsed(one)), ...fresh],
      }));
    },
    async removeAll(channelId) {
      const isOwn = (one: StoredSecret) => one.channel === channelId;
      if (!file.read().secrets.some(isOwn)) return;
      await file.update(({ secrets }) => ({ secrets: secrets.filter((one) => !isOwn(one)) }));
    },
  };
}

const TEXT_FIELDS = ["channel", "variable", "destination", "sealed", "kept_at"] as const;

export function parseSecrets(json: unknown): SecretFile {
  const { secrets } = (json ?? {}) as Partial<SecretFile>;
  const isWhole = (one: Partial<StoredSecret> | null) => TEXT_FIELDS.every((key) => typeof one?.[key] === "string");
  if (!Array.isArray(secrets) || !secrets.every(isWhole)) throw channelsTexts.error("bad_request", "file_secrets");
  return { secrets };
}

/** Returns the encryption of one place: a secret can be opened in its own place only. */
export function getPlaceSecrets(
  secrets: Secrets,
  { channel, variable, destination }: Pick<StoredSecret, "channel" | "variable" | "destination">,
): OwnerSecrets {
  return secrets.of(`channel:${channel}:${variable}`, destination);
}

/** Returns a hash of the addresses that receive the secrets; changing one requires the secret again. The address for updates is the service's own. */
export function toDestination({ type, config }: Pick<SecretOwner, "type" | "config">): string {
  const addresses = listAddresses(config).toSorted();
  return createHash("sha256")
    .update(JSON.stringify([type, addresses]))
    .digest("base64url");
}

const ADDRESS_KEY_PATTERN = /(url|uri|base|host|server|domain|endpoint)$/i;

function listAddresses(config: Readonly<Record<string, unknown>>, path = ""): readonly string[] {
  return Object.entries(config).flatMap(([key, value]) => {
    if (typeof value === "object" && value !== null)
      return listAddresses(value as Record<string, unknown>, `${path}${key}.`);
    const isAddress = ADDRESS_KEY_PATTERN.test(key) || (typeof value === "string" && value.includes("://"));
    return isAddress && key !== "webhook_url" && value ? [`${path}${key}=${String(value)}`] : [];
  });
}
