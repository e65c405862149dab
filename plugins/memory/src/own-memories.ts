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
import type { OwnMemories } from "./memories.ts";
import type { MemoryIndex } from "./memory-index.ts";
import { type Audience, isHeard, type MemoryStore } from "./memory-store.ts";
import { memoryFailure } from "./said-failures.ts";

const MOST = 200;
const FITS = 0.3;

export interface OwnPartsOf {
  readonly store: MemoryStore;
  readonly index: MemoryIndex;
  readonly memories: OwnMemories;
  readonly people: () => People | undefined;
  readonly sessions: () => Sessions;
  readonly settings: () => Settings;
}

/** Whoever talks, and where. */
export interface Talker {
  readonly inbound: Pick<InboundMessage, "channelId" | "conversation" | "sender" | "isOperatorOnly">;
  readonly sessionId: string;
}

/** What people themselves see, correct and forget: only what is remembered of them. */
export interface PersonsMemories {
  readonly address: (talker: Talker) => string;
  /** The newest first; in a group only what was said in it. */
  list(talker: Talker, asked?: { readonly text?: string; readonly type?: string }): Promise<readonly Memory[]>;
  correct(talker: Talker, id: string, content: string): Promise<Memory>;
  forget(talker: Talker, ids: readonly string[]): Promise<readonly Memory[]>;
  characterOf(talker: Talker): Promise<string | null>;
  /** `conflict` in a conversation that leaves nothing. */
  refuseTemporary(talker: Talker): Promise<void>;
}

export function createPersonsMemories(parts: OwnPartsOf): PersonsMemories {
  const { store, index, memories, people, sessions, settings } = parts;
  const characterOf = async ({ sessionId }: Talker) => (await sessions().find(sessionId))?.character_id ?? null;
  const audienceOf = async ({ inbound, sessionId }: Talker): Promise<Audience> => {
    const address = senderAddress(inbound);
    const addresses = (await people()?.addressesOf(address)) ?? [address];
    const { isGroup } = inbound.conversation;
    if (isGroup && !settings().get(GROUP_MEMORY)) return { addresses: [], characterId: null };
    return {
      addresses,
      characterId: await characterOf({ inbound, sessionId }),
      ...(isGroup && { groupId: sessionId }),
    };
  };
  const list: PersonsMemories["list"] = async (talker, { text = "", type } = {}) => {
    const audience = await audienceOf(talker);
    const found = text === "" ? await store.foremost(audience, MOST) : await fitting(text, audience);
    return found
      .filter((one) => one.target_id !== null && isHeard(one, audience) && (type === undefined || one.type === type))
      .toSorted((a, b) => (text === "" && a.said_at < b.said_at ? 1 : text === "" ? -1 : 0));
  };
  const fitting = async (text: string, audience: Audience) => {
    const hits = await index.search(text, audience, MOST);
    const ids = [...hits].filter(([, score]) => score >= FITS).map(([id]) => id);
    const found = new Map((await store.among(ids)).map((one) => [one.id, one]));
    return ids.flatMap((id) => found.get(id) ?? []);
  };
  const theirs = async (talker: Talker, ids: readonly string[]) => {
    const audience = await audienceOf(talker);
    const found = (await store.among(ids)).filter((one) => one.target_id !== null && isHeard(one, audience));
    const missing = ids.find((id) => !found.some((one) => one.id === id));
    // Whether it is somebody else's is nobody's business.
    if (missing !== undefined) throw notFound("memory", missing);
    return found;
  };
  return {
    async refuseTemporary({ sessionId }) {
      if ((await sessions().find(sessionId))?.is_temporary) throw memoryFailure("conflict", "temporary");
    },
    list,
    characterOf,
    address: ({ inbound }) => senderAddress(inbound),
    async correct(talker, id, content) {
      await theirs(talker, [id]);
      return memories.change(id, { content });
    },
    async forget(talker, ids) {
      const found = await theirs(talker, ids);
      await memories.removeAll(found.map(({ id }) => id));
      return found;
    },
  };
}
