import {
  GROUP_MEMORY,
  type InboundMessage,
  type Memory,
  notFound,
  type People,
  type Sessions,
  type Settings,
  senderAddress,
} from "@parley/core";
import type { MemoryService } from "../store/memories.ts";
import type { MemoryIndex } from "../store/memory-index.ts";
import { type Audience, isVisibleTo, type MemoryStore } from "../store/memory-store.ts";
import { memoryTexts } from "../texts.ts";

const MAX_MEMORIES_LISTED = 200;
const MIN_FIT = 0.3;

export interface PersonMemoriesDeps {
  readonly store: MemoryStore;
  readonly index: MemoryIndex;
  readonly memories: MemoryService;
  readonly people: () => People | undefined;
  readonly sessions: () => Sessions;
  readonly settings: () => Settings;
}

/** A person in a conversation. */
export interface Talker {
  readonly inbound: Pick<InboundMessage, "channelId" | "conversation" | "sender" | "isOperatorOnly">;
  readonly sessionId: string;
  /** Character that talks with the person; absent: the first of the conversation. */
  readonly characterId?: string;
}

/** Lists, corrects and forgets memories on behalf of the person they are about. */
export interface PersonMemories {
  readonly address: (talker: Talker) => string;
  /** Lists up to 200 memories: the most important, newest first, or with `text` the best matches first; in a group only those of that group. */
  list(talker: Talker, asked?: { readonly text?: string; readonly type?: string }): Promise<readonly Memory[]>;
  correct(talker: Talker, id: string, content: string): Promise<Memory>;
  forget(talker: Talker, ids: readonly string[]): Promise<readonly Memory[]>;
  findCharacterId(talker: Talker): Promise<string | null>;
  /** Rejects with `conflict` in a temporary conversation. */
  assertNotTemporary(talker: Talker): Promise<void>;
}

export function createPersonMemories(deps: PersonMemoriesDeps): PersonMemories {
  const { store, index, memories, people, sessions, settings } = deps;
  const findCharacterId = async ({ sessionId, characterId }: Talker) =>
    characterId ?? (await sessions().find(sessionId))?.character_id ?? null;
  const resolveAudience = async (talker: Talker): Promise<Audience> => {
    const { inbound, sessionId } = talker;
    const address = senderAddress(inbound);
    const addresses = (await people()?.addressesOf(address)) ?? [address];
    const { isGroup } = inbound.conversation;
    if (isGroup && !settings().get(GROUP_MEMORY)) return { addresses: [], characterId: null };
    return {
      addresses,
      characterId: await findCharacterId(talker),
      ...(isGroup && { groupId: sessionId }),
    };
  };
  const list: PersonMemories["list"] = async (talker, { text = "", type } = {}) => {
    const audience = await resolveAudience(talker);
    const found =
      text === "" ? await store.listMostImportant(audience, MAX_MEMORIES_LISTED) : await searchMemories(text, audience);
    return found
      .filter(
        (one) => one.target_id !== null && isVisibleTo(one, audience) && (type === undefined || one.type === type),
      )
      .toSorted((a, b) => (text === "" && a.said_at < b.said_at ? 1 : text === "" ? -1 : 0));
  };
  const searchMemories = async (text: string, audience: Audience) => {
    const hits = await index.search(text, audience, MAX_MEMORIES_LISTED);
    const ids = [...hits].filter(([, score]) => score >= MIN_FIT).map(([id]) => id);
    const found = new Map((await store.findMany(ids)).map((one) => [one.id, one]));
    return ids.flatMap((id) => found.get(id) ?? []);
  };
  const getOwn = async (talker: Talker, ids: readonly string[]) => {
    const audience = await resolveAudience(talker);
    const found = (await store.findMany(ids)).filter((one) => one.target_id !== null && isVisibleTo(one, audience));
    const missing = ids.find((id) => !found.some((one) => one.id === id));
    // The error does not reveal whether the memory belongs to another person.
    if (missing !== undefined) throw notFound("memory", missing);
    return found;
  };
  return {
    async assertNotTemporary({ sessionId }) {
      if ((await sessions().find(sessionId))?.is_temporary) throw memoryTexts.error("conflict", "temporary");
    },
    list,
    findCharacterId,
    address: ({ inbound }) => senderAddress(inbound),
    async correct(talker, id, content) {
      await getOwn(talker, [id]);
      return memories.change(id, { content });
    },
    async forget(talker, ids) {
      const found = await getOwn(talker, ids);
      await memories.removeAll(found.map(({ id }) => id));
      return found;
    },
  };
}
