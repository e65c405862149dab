import type { Call, Seed } from "../calls.ts";

const LIST = ["items", "total", "limit", "offset"];
const MEMORY = ["id", "title", "content", "type", "expires_at", "source", "said_at", "revision"];
let count = 0;

const createMemory = async ({ api }: Seed): Promise<{ readonly memory_id: string }> => {
  const draft = { title: `memory ${++count}`, content: `likes tea number ${count}` };
  return { memory_id: (await api.post<{ id: string }>("/api/memory", draft)).id };
};
const createCharacter = async ({ api }: Seed): Promise<{ readonly character_id: string }> => {
  const { id } = await api.post<{ id: string }>("/api/characters", { name: `rememberer ${++count}` });
  return { character_id: id };
};
const createBoth = async (seed: Seed): Promise<{ readonly character_id: string; readonly memory_id: string }> => {
  const { character_id } = await createCharacter(seed);
  const { id } = await seed.api.post<{ id: string }>(`/api/characters/${character_id}/memories`, {
    content: "knows me",
  });
  return { character_id, memory_id: id };
};

/** A working call of every route of memories. */
export const MEMORY_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/memory": { gives: LIST },
  "POST /api/memory": { body: { title: "tea", content: "likes tea" }, gives: MEMORY },
  "DELETE /api/memory": { body: { target_id: "web:user:nobody" }, gives: ["deleted"] },
  "PUT /api/memory/{memory_id}": { params: createMemory, body: { content: "likes coffee" }, gives: MEMORY },
  "DELETE /api/memory/{memory_id}": { params: createMemory, gives: ["id", "deleted"] },
  "GET /api/memory/export": { gives: ["version", "type", "exported_at", "total", "memories"] },
  "POST /api/memory/batch-delete": {
    params: createMemory,
    body: ({ memory_id }) => ({ ids: [memory_id, "mem_none"] }),
    gives: ["deleted", "failed", "ids", "errors"],
  },
  "POST /api/memory/import": {
    body: { memories: [{ title: "tea", content: "likes green tea" }] },
    gives: ["imported", "skipped", "failed", "items", "errors"],
  },
  "GET /api/characters/{character_id}/memories": { params: createCharacter, gives: LIST },
  "POST /api/characters/{character_id}/memories": {
    params: createCharacter,
    body: { content: "knows me" },
    gives: MEMORY,
  },
  "DELETE /api/characters/{character_id}/memories/{memory_id}": { params: createBoth, gives: ["id", "deleted"] },
};

/** Calls beyond the contract: people with memories, and merging memories. */
export const OWN_MEMORY_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/memory/people": { gives: ["items"] },
  "POST /api/memory/merge": {
    async params(seed) {
      return { one: (await createMemory(seed)).memory_id, other: (await createMemory(seed)).memory_id };
    },
    body: ({ one, other }) => ({ ids: [one, other] }),
    gives: MEMORY,
  },
};
