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
import { characterFailure } from "./said-failures.ts";
import type { PersonLink } from "./schema.ts";

/** Who a character stands to: people by their addresses, those that an administrator linked as one. */
export interface People extends LinkedPeople {
  /** Whoever sent a message. */
  senderOf(message: Pick<InboundMessage, "channelId" | "sender" | "isOperatorOnly">): Promise<string>;
  /** The person of a session as `caller` sees it; `bad_request` where there are several. */
  counterpartOf(session: Session, caller: Pick<Caller, "username">): Promise<string>;
  readonly rows: ResourceRecords<PersonLink>;
  removeLink(id: string): Promise<void>;
  /** Heeds what other processes link; returns the end of it. */
  follow(): () => void;
}

export function createPeople(stored: () => StoredRecords<PersonLink>): People {
  let links: Promise<ReadonlyMap<string, string>> | undefined;
  const read = async () => {
    const found = new Map<string, string>();
    for await (const { target_id, same_as } of stored().all()) found.set(target_id, same_as);
    return found;
  };
  const forget = () => {
    links = undefined;
  };
  const known = () => {
    links ??= read();
    links.catch(forget);
    return links;
  };
  const resolve = async (targetId: string) => (await known()).get(targetId) ?? targetId;
  const check = async ({ target_id, same_as }: PersonLink, before?: string) => {
    const all = new Map(await known());
    if (before !== undefined) all.delete(before);
    if (target_id === same_as) throw characterFailure("bad_request", "same", {}, { field: "same_as" });
    // One step from any address to the person: no chains, no circles.
    if (all.has(same_as)) throw characterFailure("bad_request", "linked", { id: same_as }, { field: "same_as" });
    if ([...all.values()].includes(target_id)) {
      throw characterFailure("bad_request", "has_links", { id: target_id }, { field: "target_id" });
    }
  };
  const changed = async <Result>(work: Promise<Result>) => {
    try {
      return await work;
    } finally {
      forget();
    }
  };

  return {
    resolve,
    follow: () => stored().onElsewhere(forget),
    async addressesOf(address) {
      const person = await resolve(address);
      const linked = [...(await known())].filter(([, same]) => same === person).map(([one]) => one);
      return [person, ...linked];
    },
    senderOf: (message) => resolve(senderAddress(message)),
    async counterpartOf(session, { username }) {
      if (isGroupSession(session)) {
        throw characterFailure("bad_request", "many_people", {}, { field: "session_id" });
      }
      const { channel_id, user_id } = session;
      return resolve(channel_id === "web" || user_id === null ? webUser(username) : userOf(channel_id, user_id));
    },
    removeLink: (id) => changed(stored().remove(id)),
    rows: {
      page: (query) => stored().page(query),
      get: (id) => stored().get(id),
      async create(draft) {
        await check(draft);
        return changed(stored().create(draft));
      },
      async change(id, patch, request) {
        const before = await stored().get(id);
        await check({ ...before, ...patch }, before.target_id);
        return changed(stored().change(id, patch, request));
      },
      remove: (id, request) => changed(stored().remove(id, request)),
    },
  };
}
