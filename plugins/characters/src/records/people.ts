import {
  type Caller,
  type InboundMessage,
  isGroupSession,
  type People as LinkedPeople,
  type ResourceRecords,
  type Session,
  type StoredRecords,
  senderAddress,
  userOf,
  webUser,
} from "@parley/core";
import { charactersTexts } from "../texts.ts";
import type { PersonLink } from "./schema.ts";

/** People related to characters, by address; addresses that an administrator linked count as one person. */
export interface People extends LinkedPeople {
  /** Returns the persona that an administrator gave a linked person. */
  findPersonaId(address: string): Promise<string | undefined>;
  /** Returns the person who sent a message. */
  resolveSender(message: Pick<InboundMessage, "channelId" | "sender" | "isOperatorOnly">): Promise<string>;
  /** Returns the person of a session as `caller` sees it; `bad_request` when there are several. */
  resolveCounterpart(session: Session, caller: Pick<Caller, "username">): Promise<string>;
  readonly rows: ResourceRecords<PersonLink>;
  removeLink(id: string): Promise<void>;
  /** Follows links made by other processes; returns the unsubscribe function. */
  subscribe(): () => void;
}

/** The links, by address and by person. */
interface Links {
  readonly personByAddress: ReadonlyMap<string, string>;
  readonly personaIds: ReadonlyMap<string, string>;
}

export function createPeople(stored: () => StoredRecords<PersonLink>): People {
  let links: Promise<Links> | undefined;
  const read = async (): Promise<Links> => {
    const [personByAddress, personaIds] = [new Map<string, string>(), new Map<string, string>()];
    for await (const { target_id, same_as, persona_id } of stored().all()) {
      personByAddress.set(target_id, same_as);
      if (persona_id !== null) personaIds.set(same_as, persona_id);
    }
    return { personByAddress, personaIds };
  };
  const clearCache = () => {
    links = undefined;
  };
  const loadLinks = () => {
    links ??= read();
    links.catch(clearCache);
    return links;
  };
  const getLinks = async () => (await loadLinks()).personByAddress;
  const resolve = async (targetId: string) => (await getLinks()).get(targetId) ?? targetId;
  const assertLinkable = async ({ target_id, same_as }: PersonLink, before?: string) => {
    const all = new Map(await getLinks());
    if (before !== undefined) all.delete(before);
    if (target_id === same_as) throw charactersTexts.error("bad_request", "same", {}, { field: "same_as" });
    // A link leads in one step to the person, so that there are no chains and no circles.
    if (all.has(same_as)) throw charactersTexts.error("bad_request", "linked", { id: same_as }, { field: "same_as" });
    if ([...all.values()].includes(target_id)) {
      throw charactersTexts.error("bad_request", "has_links", { id: target_id }, { field: "target_id" });
    }
  };
  const changeAndClear = async <Result>(work: Promise<Result>) => {
    try {
      return await work;
    } finally {
      clearCache();
    }
  };

  return {
    resolve,
    findPersonaId: async (address) => (await loadLinks()).personaIds.get(await resolve(address)),
    subscribe: () => stored().onElsewhere(clearCache),
    async addressesOf(address) {
      const person = await resolve(address);
      const linked = [...(await getLinks())].filter(([, same]) => same === person).map(([one]) => one);
      return [person, ...linked];
    },
    resolveSender: (message) => resolve(senderAddress(message)),
    async resolveCounterpart(session, { username }) {
      if (isGroupSession(session)) {
        throw charactersTexts.error("bad_request", "many_people", {}, { field: "session_id" });
      }
      const { channel_id, user_id } = session;
      return resolve(channel_id === "web" || user_id === null ? webUser(username) : userOf(channel_id, user_id));
    },
    removeLink: (id) => changeAndClear(stored().remove(id)),
    rows: {
      page: (query) => stored().page(query),
      get: (id) => stored().get(id),
      async create(draft) {
        await assertLinkable(draft);
        return changeAndClear(stored().create(draft));
      },
      async change(id, patch, request) {
        const before = await stored().get(id);
        await assertLinkable({ ...before, ...patch }, before.target_id);
        return changeAndClear(stored().change(id, patch, request));
      },
      remove: (id, request) => changeAndClear(stored().remove(id, request)),
    },
  };
}
