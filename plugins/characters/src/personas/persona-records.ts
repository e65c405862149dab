import {
  type CachedRecords,
  type Caller,
  type ChangeRequest,
  hasScope,
  notFound,
  type PersonaChoice,
  type Personas,
  type PictureFields,
  type RecordPart,
  type ResourceItem,
  type ResourceRecords,
  readPersonAddress,
  type StoredRecords,
  toRecordPage,
} from "@parley/core";
import { type PersonaFields, type PersonaOwner, personas } from "./schema.ts";

type StoredPersona = ResourceItem<PersonaFields> & PersonaOwner;

export interface PersonaRecordsDeps {
  readonly cached: () => CachedRecords<PersonaFields>;
  readonly stored: () => Pick<StoredRecords<PersonaFields>, "removing">;
  /** Returns the persona of a linked person, and the main address of any person. */
  readonly people: Pick<LinkedPersonas, "findPersonaId" | "addressesOf">;
}

/** The personas of linked people. */
export interface LinkedPersonas {
  findPersonaId(address: string): Promise<string | undefined>;
  addressesOf(address: string): Promise<readonly string[]>;
}

export type ListedPersona = Pick<StoredPersona, "id" | "name">;

/** The personas with their routes and their part of other records. */
export interface PersonaRecords extends Personas {
  readonly rows: ResourceRecords<PersonaFields>;
  /** The same, with only the caller's own in its lists: a package does not contain those of others. */
  readonly ownRows: ResourceRecords<PersonaFields>;
  readonly pictures: PictureFields;
  readonly accountPart: RecordPart;
  readonly personPart: RecordPart;
  isEmpty(): boolean;
  /** Returns the personas that a person may choose, by name: those of the person's account; all for an administrator. */
  listFor(person: string | undefined, isAdmin: boolean): Promise<readonly ListedPersona[]>;
}

/** Creates the persona records: each account sees its own, administrators see all. */
export function createPersonaRecords(deps: PersonaRecordsDeps): PersonaRecords {
  const { cached } = deps;
  return {
    rows: createRows(deps, canSee),
    ownRows: createRows(deps, isOwn),
    pictures: createPictures(deps),
    accountPart: {
      id: "characters.personas-of-account",
      of: "account",
      async removed(account) {
        const own = listStored(deps).filter(({ account_id }) => account_id === account);
        return (await Promise.all(own.map(({ id }) => deps.stored().removing(id)))).flat();
      },
    },
    personPart: createPersonPart(deps),
    isEmpty: () => cached().size === 0,
    listFor: (person, isAdmin) => listFor(deps, person, isAdmin),
    has: (id) => cached().peek(id) !== undefined,
    async findFor(choice) {
      const found = await findChosen(deps, choice);
      return found && { id: found.id, name: found.name, description: found.description };
    },
  };
}

const listStored = ({ cached }: Pick<PersonaRecordsDeps, "cached">) => [...cached().values()] as StoredPersona[];

type PersonaFilter = (persona: PersonaOwner, caller: Caller) => boolean;

const isOwn: PersonaFilter = ({ account_id }, caller) => account_id === caller.accountId;
const canSee: PersonaFilter = (persona, caller) => isOwn(persona, caller) || hasScope(caller, "admin");

function createRows(deps: PersonaRecordsDeps, isVisible: PersonaFilter): ResourceRecords<PersonaFields> {
  const { cached } = deps;
  const get = async (id: string, caller: Caller) => {
    const found = (await cached().find(id)) as StoredPersona | undefined;
    if (!found || !isVisible(found, caller)) throw notFound("persona", id);
    return found;
  };
  return {
    async page(query, caller) {
      const visible = listStored(deps).filter((one) => isVisible(one, caller));
      const { items, ...page } = toRecordPage(personas, visible, query);
      return { ...page, items: items.map(omitDescription) };
    },
    get,
    async create(draft, { caller }) {
      const owned = { ...draft, account_id: caller.accountId, owner: caller.username };
      return replaceDefault(deps, await cached().create(owned));
    },
    async change(id, patch, request: ChangeRequest) {
      await get(id, request.caller);
      return replaceDefault(deps, await cached().change(id, patch, request));
    },
    async remove(id, request) {
      await get(id, request.caller);
      await cached().remove(id, request);
    },
  };
}

/** Ends the earlier default of the account when this persona is the new one. */
async function replaceDefault(deps: PersonaRecordsDeps, saved: ResourceItem<PersonaFields>) {
  if (!saved.is_default) return saved;
  const { account_id } = saved as StoredPersona;
  const others = listStored(deps).filter(
    (one) => one.is_default && one.id !== saved.id && one.account_id === account_id,
  );
  for (const { id } of others) await deps.cached().change(id, { is_default: false });
  return saved;
}

async function findChosen(deps: PersonaRecordsDeps, { personaId, person }: PersonaChoice) {
  const byId = (id: string | null | undefined) => (id == null ? undefined : deps.cached().peek(id));
  const chosen = byId(personaId);
  if (chosen || person === undefined || deps.cached().size === 0) return chosen;
  const linked = byId(await deps.people.findPersonaId(person));
  return linked ?? findDefault(deps, await deps.people.addressesOf(person));
}

async function listFor(
  deps: PersonaRecordsDeps,
  person: string | undefined,
  isAdmin: boolean,
): Promise<readonly ListedPersona[]> {
  const usernames = new Set(person === undefined ? [] : listConsoleNames(await deps.people.addressesOf(person)));
  return listStored(deps)
    .filter(({ owner }) => isAdmin || usernames.has(owner))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Returns the default persona of the account among the addresses of a person. */
function findDefault(deps: PersonaRecordsDeps, addresses: readonly string[]) {
  const usernames = new Set(listConsoleNames(addresses));
  return listStored(deps).find(({ is_default, owner }) => is_default && usernames.has(owner));
}

function listConsoleNames(addresses: readonly string[]): readonly string[] {
  const read = addresses.flatMap((address) => readPersonAddress(address) ?? []);
  return read.filter(({ channelId }) => channelId === "web").map(({ userId }) => userId);
}

/** The personas of an erased or exported person are those of the person's account. */
function createPersonPart(deps: PersonaRecordsDeps): RecordPart {
  const listOwn = (addresses: readonly { readonly address: string }[]) => {
    const usernames = new Set(listConsoleNames(addresses.map(({ address }) => address)));
    return listStored(deps).filter(({ owner }) => usernames.has(owner));
  };
  return {
    id: "characters.personas-of-person",
    of: "person",
    async erase({ addresses }) {
      const own = listOwn(addresses);
      for (const { id } of own) await deps.cached().remove(id);
      return own.length;
    },
    async collect({ addresses }) {
      const own = listOwn(addresses);
      return own.length === 0
        ? []
        : [{ name: "personas.json", bytes: Buffer.from(`${JSON.stringify(own, null, 2)}\n`) }];
    },
  };
}

function createPictures(deps: PersonaRecordsDeps): PictureFields {
  return {
    id: "characters.personas",
    used: async () => listStored(deps).map(({ avatar }) => avatar),
    async clear(url) {
      const own = listStored(deps).filter(({ avatar }) => avatar === url);
      for (const { id } of own) await deps.cached().change(id, { avatar: "" });
      return own.length;
    },
  };
}

function omitDescription<Item extends PersonaFields>({ description: _, ...listed }: Item): Item {
  return listed as Item;
}
