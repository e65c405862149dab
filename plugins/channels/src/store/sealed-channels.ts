import { isDeepStrictEqual } from "node:util";
import { type Clock, type JsonFile, type Logger, type Resolver, Secrets } from "@parley/core";
import { LITERAL_SECRETS, literalSecrets, type SecretsByPlace, withSecrets } from "@parley/core/secrets";
import type { ChannelFields, StoredChannel } from "../config/schema.ts";
import { type ChannelFile, withBuiltIn } from "./channel-file.ts";
import { getPlaceSecrets, type SecretFile, type StoredSecret, toDestination } from "./channel-secrets.ts";

/** Milliseconds for which an unused secret is retained, so that its row can be stored after it. */
const UNUSED_GRACE_MS = 60_000;

/** Secrets in the addresses of a channel's settings. */
export const CHANNEL_SECRETS = literalSecrets<Pick<ChannelFields, "config">>({ config: { form: "addresses" } });

/** Rows of channels.json with the secrets in their addresses, which are stored only in the secrets file. */
export interface SealedChannels {
  /** Returns the rows, with built-in channels. */
  read(): readonly StoredChannel[];
  /** Updates the rows; `change` may run several times, each on the current rows. */
  update(change: (rows: readonly StoredChannel[]) => readonly StoredChannel[]): Promise<void>;
  /** Moves plain-text secrets from the file to the encrypted store. */
  sealAll(): Promise<void>;
}

export interface SealedChannelsDeps {
  readonly file: JsonFile<ChannelFile>;
  readonly secretFile: JsonFile<SecretFile>;
  readonly from: Pick<Resolver, "get">;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createSealedChannels({ file, secretFile, from, clock, log }: SealedChannelsDeps): SealedChannels {
  const belongsTo = (row: StoredChannel) => {
    const destination = toDestination(CHANNEL_SECRETS.masked(row));
    return (one: StoredSecret) =>
      one.variable === LITERAL_SECRETS && one.channel === row.id && one.destination === destination;
  };
  const readSecrets = (row: StoredChannel): SecretsByPlace => {
    const stored = secretFile.read().secrets.find(belongsTo(row));
    return stored ? getPlaceSecrets(from.get(Secrets), stored).openSeveral(stored.sealed) : {};
  };
  const sealing = { secrets: CHANNEL_SECRETS, owner: "channel", from, log };
  const unseal = (row: StoredChannel): StoredChannel => withSecrets(sealing, row, row.id, () => readSecrets(row));
  const hasPlainSecrets = (row: StoredChannel) => Object.keys(CHANNEL_SECRETS.in(row)).length > 0;
  /** Masks a row whose secrets are stored; others stay unchanged. */
  const maskStored = (row: StoredChannel) =>
    hasPlainSecrets(row) && isDeepStrictEqual(readSecrets(row), CHANNEL_SECRETS.in(row))
      ? CHANNEL_SECRETS.masked(row)
      : row;
  const storeSecrets = async (rows: readonly StoredChannel[]) => {
    const fresh = rows.filter((row) => hasPlainSecrets(row) && maskStored(row) === row);
    if (fresh.length === 0) return;
    const kept_at = new Date(clock.now()).toISOString();
    const entries = fresh.map((row): StoredSecret => {
      const destination = toDestination(CHANNEL_SECRETS.masked(row));
      const place = { channel: row.id, variable: LITERAL_SECRETS, destination };
      const sealed = getPlaceSecrets(from.get(Secrets), place).sealSeveral(CHANNEL_SECRETS.in(row));
      return { ...place, sealed, kept_at };
    });
    const isReplaced = (one: StoredSecret) => fresh.some((row) => belongsTo(row)(one));
    await secretFile.update(({ secrets }) => ({ secrets: [...secrets.filter((one) => !isReplaced(one)), ...entries] }));
  };
  /** Removes stored secrets that no row uses, except recent ones whose row another process may still store. */
  const removeUnused = async () => {
    const { channels } = file.read();
    const since = new Date(clock.now() - UNUSED_GRACE_MS).toISOString();
    const isLeft = (one: StoredSecret) =>
      one.variable === LITERAL_SECRETS && one.kept_at < since && !channels.some((row) => belongsTo(row)(one));
    if (!secretFile.read().secrets.some(isLeft)) return;
    await secretFile.update(({ secrets }) => ({ secrets: secrets.filter((one) => !isLeft(one)) }));
  };

  /** Cache, because the rows are read with every message. */
  let cached: { readonly content: readonly unknown[]; readonly rows: readonly StoredChannel[] } | undefined;
  const read = () => {
    const content = [file.read(), secretFile.read()] as const;
    if (cached?.content.every((one, at) => one === content[at])) return cached.rows;
    cached = { content, rows: withBuiltIn(content[0].channels).map(unseal) };
    return cached.rows;
  };
  const update: SealedChannels["update"] = async (change) => {
    await storeSecrets(change(read()));
    await file.update((content) => ({
      ...content,
      channels: change(withBuiltIn(content.channels).map(unseal)).map(maskStored),
    }));
    await removeUnused();
  };
  return {
    read,
    update,
    async sealAll() {
      if (file.read().channels.some(hasPlainSecrets)) await update((rows) => rows);
    },
  };
}
