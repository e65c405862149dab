import { isDeepStrictEqual } from "node:util";
import {
  type Clock,
  type JsonFile,
  LITERAL_SECRETS,
  type Logger,
  literalSecrets,
  type Resolver,
  SecretBox,
  type SecretsByPlace,
  withSecrets,
} from "@parley/core";
import { type ChannelFile, withBuiltIn } from "./channel-file.ts";
import { destinationOf, type KeptSecret, ownerOf, type SecretFile } from "./kept-secrets.ts";
import type { ChannelFields, StoredChannel } from "./records.ts";

/** Whoever stores a row has as long to do so after its secrets are kept. */
const STORED_WITHIN_MS = 60_000;

/** What people write into the addresses in a channel's settings. */
export const CHANNEL_SECRETS = literalSecrets<Pick<ChannelFields, "config">>({ config: { form: "addresses" } });

/** The rows of channels.json with the secrets in their addresses, which are kept in the file of secrets alone. */
export interface SealedRows {
  /** With those that are built in. */
  read(): readonly StoredChannel[];
  /** `change` may run several times, on what is there then. */
  update(change: (rows: readonly StoredChannel[]) => readonly StoredChannel[]): Promise<void>;
  /** Keeps apart what stands in the file in clear. */
  sealAll(): Promise<void>;
}

export interface SealedRowsParts {
  readonly file: JsonFile<ChannelFile>;
  readonly secretFile: JsonFile<SecretFile>;
  readonly from: Pick<Resolver, "get">;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createSealedRows({ file, secretFile, from, clock, log }: SealedRowsParts): SealedRows {
  const isOf = (row: StoredChannel) => {
    const destination = destinationOf(CHANNEL_SECRETS.masked(row));
    return (one: KeptSecret) =>
      one.variable === LITERAL_SECRETS && one.channel === row.id && one.destination === destination;
  };
  const keptOf = (row: StoredChannel): SecretsByPlace => {
    const kept = secretFile.read().secrets.find(isOf(row));
    return kept ? (JSON.parse(from.get(SecretBox).open(kept.sealed, ownerOf(kept))) as SecretsByPlace) : {};
  };
  const sealing = { secrets: CHANNEL_SECRETS, owner: "channel", from, log };
  const opened = (row: StoredChannel): StoredChannel => withSecrets(sealing, row, row.id, () => keptOf(row));
  const isClear = (row: StoredChannel) => Object.keys(CHANNEL_SECRETS.in(row)).length > 0;
  /** What is not kept stays as it is. */
  const masked = (row: StoredChannel) =>
    isClear(row) && isDeepStrictEqual(keptOf(row), CHANNEL_SECRETS.in(row)) ? CHANNEL_SECRETS.masked(row) : row;
  const keep = async (rows: readonly StoredChannel[]) => {
    const fresh = rows.filter((row) => isClear(row) && masked(row) === row);
    if (fresh.length === 0) return;
    const kept_at = new Date(clock.now()).toISOString();
    const entries = fresh.map((row): KeptSecret => {
      const destination = destinationOf(CHANNEL_SECRETS.masked(row));
      const place = { channel: row.id, variable: LITERAL_SECRETS, destination };
      const sealed = from.get(SecretBox).seal(JSON.stringify(CHANNEL_SECRETS.in(row)), ownerOf(place));
      return { ...place, sealed, kept_at };
    });
    const isReplaced = (one: KeptSecret) => fresh.some((row) => isOf(row)(one));
    await secretFile.update(({ secrets }) => ({ secrets: [...secrets.filter((one) => !isReplaced(one)), ...entries] }));
  };
  /** What no row has any more; another process may be about to store the row of a new one. */
  const forget = async () => {
    const { channels } = file.read();
    const since = new Date(clock.now() - STORED_WITHIN_MS).toISOString();
    const isLeft = (one: KeptSecret) =>
      one.variable === LITERAL_SECRETS && one.kept_at < since && !channels.some((row) => isOf(row)(one));
    if (!secretFile.read().secrets.some(isLeft)) return;
    await secretFile.update(({ secrets }) => ({ secrets: secrets.filter((one) => !isLeft(one)) }));
  };

  /** They are asked for with every message. */
  let held: { readonly content: readonly unknown[]; readonly rows: readonly StoredChannel[] } | undefined;
  const read = () => {
    const content = [file.read(), secretFile.read()] as const;
    if (held?.content.every((one, at) => one === content[at])) return held.rows;
    held = { content, rows: withBuiltIn(content[0].channels).map(opened) };
    return held.rows;
  };
  const update: SealedRows["update"] = async (change) => {
    await keep(change(read()));
    await file.update((content) => ({
      ...content,
      channels: change(withBuiltIn(content.channels).map(opened)).map(masked),
    }));
    await forget();
  };
  return {
    read,
    update,
    async sealAll() {
      if (file.read().channels.some(isClear)) await update((rows) => rows);
    },
  };
}
