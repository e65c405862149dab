import { newId } from "../ids.ts";
import type { Resolver } from "../plugin.ts";
import type { Resource, ResourceItem } from "../resource/resource.ts";
import type { Collection } from "../services/collections.ts";
import { Redaction } from "../services/operations/host.ts";
import type { Logger } from "../services/operations/logger.ts";
import type { GivenId, StoredRecords } from "../services/storage/record-store.ts";
import { rememberSecret, Secrets } from "../services/storage/secrets.ts";
import type { LiteralSecrets, SecretsByPlace } from "./literal-secrets.ts";

/** Dependencies of the encryption of secrets in one kind of stored record. */
export interface SealingOptions<Item extends object> {
  readonly secrets: LiteralSecrets<Item>;
  /** Owner name; together with the record's id the encryption context of its secrets. */
  readonly owner: string;
  /** Provides the secret box, and the redaction that learns every secret read or stored. */
  readonly from: Pick<Resolver, "get">;
  readonly log: Logger;
}

/** Stored records whose secrets are encrypted in a separate field. */
interface Sealed {
  /** Encrypts secrets that an earlier version stored in clear; returns the count. */
  sealAll(): Promise<number>;
}

/** Documents, returned with their secrets. */
export interface SealedCollection<Item extends { readonly id: string }> extends Collection<Item>, Sealed {
  /** Returns the stored form of an item, for storing several together. */
  sealed(item: Item): Item;
}

/** Stored records, returned with their secrets. */
export interface SealedRecords<Fields extends object> extends StoredRecords<Fields>, Sealed {}

type WithSeal = Readonly<Record<string, unknown>> & { readonly sealed?: string };

/** Wraps a collection: documents are stored masked with their secrets encrypted beside them, and returned with the secrets. */
export function sealedCollection<Item extends { readonly id: string }>(
  stored: Collection<Item>,
  parts: SealingOptions<Item>,
): SealedCollection<Item> {
  const { opened, sealed, isClear } = createSealing(parts);
  const seal = (item: Item) => sealed(item, item.id);
  const openedOne = (item: Item | undefined) => item && opened(item, item.id);
  const openedAll = (items: readonly Item[]) => items.map((item) => opened(item, item.id));
  const { alone, stored: now } = stored;
  return {
    sealed: seal,
    get: async (id) => openedOne(await stored.get(id)),
    list: async () => openedAll(await stored.list()),
    put: (item) => stored.put(seal(item)),
    remove: stored.remove,
    update: async (id, change) => opened(await stored.update(id, (item) => seal(change(opened(item, id)))), id),
    ...(now && { stored: async (id: string) => openedOne(await now(id)) }),
    ...(alone && { alone: <T>(work: (all: readonly Item[]) => Promise<T>) => alone((all) => work(openedAll(all))) }),
    onElsewhere: (listener) => stored.onElsewhere((id, item) => listener(id, openedOne(item))),
    async sealAll() {
      const clear = (await stored.list()).filter(isClear);
      for (const { id } of clear) await stored.update(id, (item) => seal(opened(item, id)));
      return clear.length;
    },
  };
}

/** Wraps records in SQL: they are stored masked with their secrets encrypted beside them, and returned with the secrets. */
export function sealedRecords<Fields extends object>(
  { idPrefix }: Pick<Resource<Fields>, "idPrefix">,
  stored: () => StoredRecords<Fields>,
  parts: SealingOptions<NoInfer<Fields>>,
): SealedRecords<Fields> {
  const { opened, sealed, isClear } = createSealing(parts);
  const openedItem = (item: ResourceItem<Fields>) => opened(item, item.id);
  const idOf = (draft: object, request?: GivenId) =>
    request?.id ?? (draft as { readonly id?: string }).id ?? newId(idPrefix);
  return {
    async page(query) {
      const page = await stored().page(query);
      return { ...page, items: page.items.map(openedItem) };
    },
    async *all() {
      for await (const item of stored().all()) yield openedItem(item);
    },
    async find(id) {
      const item = await stored().find(id);
      return item && openedItem(item);
    },
    get: async (id) => openedItem(await stored().get(id)),
    async create(draft, request) {
      const id = idOf(draft, request);
      return openedItem(await stored().create(sealed(draft, id), { ...request, id }));
    },
    async change(id, patch, request) {
      const change = typeof patch === "function" ? patch : () => patch;
      return openedItem(await stored().change(id, (before) => sealed(change(openedItem(before)), id), request));
    },
    async creating(draft, request) {
      const id = idOf(draft, request);
      const { item, writes } = await stored().creating(sealed(draft, id), { id });
      return { item: openedItem(item), writes };
    },
    async changing(before, patch) {
      const { item, writes } = await stored().changing(sealed(before, before.id), sealed(patch, before.id));
      return { item: openedItem(item), writes };
    },
    remove: (id, request) => stored().remove(id, request),
    removing: (id, ifMatch) => stored().removing(id, ifMatch),
    removingBy: (filter, value) => stored().removingBy(filter, value),
    countBy: (filter, values) => stored().countBy(filter, values),
    onElsewhere: (listener) => stored().onElsewhere(listener),
    async sealAll() {
      let count = 0;
      for await (const item of stored().all()) {
        if (!isClear(item)) continue;
        await stored().change(item.id, (before) => {
          const fields = Object.entries(openedItem(before)).filter(([name]) => parts.secrets.fields.includes(name));
          return sealed(Object.fromEntries(fields) as Partial<Fields>, item.id);
        });
        count += 1;
      }
      return count;
    },
  };
}

/** Creates the functions that encrypt and decrypt one record and detect unencrypted ones. */
function createSealing<Item extends object>(parts: SealingOptions<Item>) {
  const { secrets, owner, from } = parts;
  const { within } = secrets;
  const partOf = (item: object) => (within === undefined ? item : (item as WithSeal)[within]) as WithSeal | undefined;
  const withPart = <Given extends object>(item: Given, part: object): Given =>
    within === undefined ? (part as Given) : { ...item, [within]: part };
  const open = <Given extends Partial<Item>>(item: Given, id: string): Given => {
    const { sealed, ...part } = partOf(item) ?? {};
    if (sealed === undefined) return rememberSecrets(parts, item);
    const readStored = () => from.get(Secrets).of(owner, id).openSeveral(sealed);
    return withSecrets(parts, withPart(item, part), id, readStored);
  };
  /** Decrypted records by stored record, because some are read with every message. */
  const known = new WeakMap<object, Partial<Item>>();
  return {
    isClear: (item: Item) => Object.keys(secrets.in(item)).length > 0,
    opened<Given extends Partial<Item>>(item: Given, id: string): Given {
      const found = (known.get(item) as Given | undefined) ?? open(item, id);
      known.set(item, found);
      return found;
    },
    sealed<Given extends Partial<Item>>(item: Given, id: string): Given {
      const storedSecrets = secrets.in(rememberSecrets(parts, item));
      if (Object.keys(storedSecrets).length === 0) return item;
      const masked = secrets.masked(item);
      const sealed = from.get(Secrets).of(owner, id).sealSeveral(storedSecrets);
      return withPart(masked, { ...partOf(masked), sealed });
    },
  };
}

/** Returns a record with its stored secrets; the masked record when they cannot be decrypted. */
export function withSecrets<Item extends object, Given extends Partial<Item>>(
  parts: SealingOptions<Item>,
  item: Given,
  id: string,
  readStored: () => SecretsByPlace,
): Given {
  try {
    return rememberSecrets(parts, parts.secrets.opened(item, readStored()));
  } catch (error) {
    // The record stays masked until the secrets are entered again.
    parts.log.warn("the secrets of a record cannot be opened", { kind: parts.owner, id, error });
    return item;
  }
}

function rememberSecrets<Item extends object, Given extends Partial<Item>>(
  { secrets, from }: SealingOptions<Item>,
  item: Given,
): Given {
  for (const secret of Object.values(secrets.in(item))) rememberSecret(from.get(Redaction), secret);
  return item;
}
