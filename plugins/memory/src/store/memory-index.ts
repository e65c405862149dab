import { createHash } from "node:crypto";
import {
  AppError,
  type Database,
  type Memory,
  type ModelCalls,
  type TextIndex,
  type TextQuery,
  type TextSpace,
  vectorSpaceOf,
  type Write,
} from "@parley/core";
import type { Audience } from "./memory-store.ts";

/** Maximum length of a passage; a longer memory is split. */
const MAX_PASSAGE_CHARS = 500;
const MAX_EARLIER_TEXTS = 5;
/** Maximum wait for the query's embedding; the search then uses words only. */
const QUERY_EMBED_TIMEOUT_MS = 2_000;
const BATCH_SIZE = 64;

/** The search index of active memories: a space of the text index. */
export interface MemoryIndex {
  /** Returns the writes that index a memory. The texts of `earlier`, which it replaced, find it too. */
  putWrites(memory: Memory, earlier?: readonly Memory[]): Promise<readonly Write[]>;
  deleteWrites(ids: readonly string[]): Promise<readonly Write[]>;
  /** Returns the ids of the best matches for a text, best first, with scores from 0 to 1. */
  search(text: string, audience: Audience, limit: number, signal?: AbortSignal): Promise<ReadonlyMap<string, number>>;
  /** Embeds passages of memories without a vector of the current model in batches; returns their number. Until then they are found by words only. */
  embed(signal: AbortSignal, progress: (done: number) => void): Promise<number>;
}

export interface MemoryIndexDeps {
  readonly index: () => TextIndex;
  readonly database: () => Database;
  readonly calls: () => ModelCalls | undefined;
}

export function createMemoryIndex({ index, database, calls }: MemoryIndexDeps): MemoryIndex {
  const space = (): TextSpace => index().space("memories");
  const embedQuery = async (text: string, signal: AbortSignal): Promise<Pick<TextQuery, "vector">> => {
    try {
      const made = await calls()?.embed([text], { signal, patienceMs: QUERY_EMBED_TIMEOUT_MS });
      const [values] = made?.vectors ?? [];
      return made && values && !made.isLocal ? { vector: { space: vectorSpaceOf(made), values } } : {};
    } catch (error) {
      if (signal.aborted || !AppError.is(error)) throw error;
      return {};
    }
  };
  return {
    async putWrites(memory, earlier = []) {
      const { id, title, content, said_at } = memory;
      const earlierTexts = earlier.slice(0, MAX_EARLIER_TEXTS).map((one) => one.content);
      const texts =
        content.length <= MAX_PASSAGE_CHARS ? [content] : (await index().passages(content)).map(({ text }) => text);
      const entries = [...texts, ...earlierTexts].map((text, place) => ({
        // A vector belongs to the text of its entry, so another text is another entry.
        id: `${id}:${place}:${hashText(`${title}\n${text}`)}`,
        place,
        title,
        text,
        time: Date.parse(said_at),
        labels: toLabels(memory),
      }));
      return space().replacing(id, entries);
    },
    deleteWrites: async (ids) => (ids.length === 0 ? [] : space().removing(ids)),
    async search(text, { addresses, characterId, groupId }, limit, signal = new AbortController().signal) {
      const hits = await space().search({
        text,
        ...(await embedQuery(text, signal)),
        limit,
        perGroup: 1,
        labels: [
          ["person:", ...addresses.map((address) => `person:${address}`)],
          ["character:", ...(characterId === null ? [] : [`character:${characterId}`])],
          ...(groupId === undefined ? [] : [["person:", `session:${groupId}`]]),
        ],
      });
      return new Map(hits.map(({ group, score }) => [group, score]));
    },
    async embed(signal, progress) {
      // The embedding of any text shows the vector space of the model.
      const first = await calls()?.embed(["memory"], { signal });
      if (!first || first.isLocal) return 0;
      const { dimensions } = first;
      const name = vectorSpaceOf(first);
      for (let done = 0; ; ) {
        const entries = await space().withoutVector(name, BATCH_SIZE);
        if (entries.length === 0) return done;
        const texts = entries.map(({ title, text }) => `${title}\n${text}`);
        const made = await calls()?.embed(texts, { signal, dimensions });
        // Another model was configured meanwhile; its job starts from the beginning.
        if (!made || vectorSpaceOf(made) !== name) return done;
        const vectors = new Map(entries.map(({ id }, at) => [id, made.vectors[at] as Float32Array]));
        await database().write(space().keepingVectors(name, vectors));
        done += entries.length;
        progress(done);
      }
    },
  };
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 10);
}

function toLabels({ target_id, character_id, session_id }: Memory): readonly string[] {
  return [`person:${target_id ?? ""}`, `character:${character_id ?? ""}`, `session:${session_id ?? ""}`];
}
