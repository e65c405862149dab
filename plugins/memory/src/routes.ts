import Joi from "@hapi/joi";
import { type Characters, deletedData, envelopeOf, itemFailure, notFound, type RouteTable, route } from "@parley/core";
import type { OwnMemories } from "./memories.ts";
import type { MemoryStore } from "./memory-store.ts";
import {
  batchDeleteBody,
  batchDeleteData,
  characterMemoriesQuery,
  characterMemoryBody,
  clearedData,
  clearQuery,
  exportQuery,
  importBody,
  importedData,
  importQuery,
  memoryData,
  memoryList,
  memoryPackage,
  mergeBody,
  peopleData,
} from "./schema.ts";
import { exportOf, importAll, type TransferParts } from "./transfer.ts";

const base = "/api/memory";
const ofCharacter = "/api/characters/{character_id}/memories";
const MEBIBYTE = 1024 * 1024;
const IMPORT_MS = 120_000;

export interface RouteParts extends TransferParts {
  readonly memories: OwnMemories;
  readonly store: MemoryStore;
}

/** The rows besides those of the record itself. */
export function memoryRoutes(parts: RouteParts): RouteTable {
  const { memories, store } = parts;
  return [
    route({
      method: "DELETE",
      path: base,
      scope: "write",
      summary: "forget all memories, of a person, of a character",
      query: clearQuery,
      body: clearQuery,
      data: clearedData,
      run: async ({ query, body }) => ({ deleted: await memories.clear({ ...body, ...query }) }),
    }),
    route({
      method: "GET",
      path: `${base}/people`,
      scope: "read",
      summary: "of whom something is remembered, and how much",
      data: peopleData,
      run: async () => ({ items: await named(parts) }),
    }),
    route({
      method: "POST",
      path: `${base}/merge`,
      scope: "write",
      summary: "make one memory of several",
      body: mergeBody,
      data: memoryData,
      run: ({ body }) => memories.merge(body),
    }),
    route({
      method: "POST",
      path: `${base}/batch-delete`,
      scope: "write",
      summary: "delete memories",
      body: batchDeleteBody,
      data: batchDeleteData,
      async run({ body: { ids } }) {
        const { known } = await memories.removeAll(ids);
        const errors = [...new Set(ids)]
          .filter((id) => !known.includes(id))
          .map((id) => ({ index: ids.indexOf(id), id, ...itemFailure(notFound("memory", id)) }));
        return { deleted: known.length, failed: errors.length, ids: known, errors };
      },
    }),
    route({
      method: "GET",
      path: `${base}/export`,
      scope: "read",
      summary: "memories as a file, with the history of what changed",
      reply: "raw",
      query: exportQuery,
      data: { "application/json": Joi.alternatives(envelopeOf(memoryPackage), memoryPackage) },
      timeoutMs: false,
      run: ({ query }) => exportOf(parts, query),
    }),
    route({
      method: "POST",
      path: `${base}/import`,
      scope: "write",
      summary: "take in exported memories",
      payload: "json-or-file",
      maxBytes: 50 * MEBIBYTE,
      timeoutMs: IMPORT_MS,
      query: importQuery,
      body: importBody,
      data: importedData,
      run: ({ body, query }) => importAll(parts, body, query),
    }),
    ...characterRoutes(store, memories, parts.characters),
  ];
}

/** The same memories below their character. */
function characterRoutes(
  store: MemoryStore,
  memories: OwnMemories,
  characters: () => Pick<Characters, "get"> | undefined,
): RouteTable {
  const known = async (id: string) => {
    const found = await characters()?.get(id);
    if (!found) throw notFound("character", id);
    return found.id;
  };
  return [
    route({
      method: "GET",
      path: ofCharacter,
      scope: "read",
      summary: "list a character's memories",
      query: characterMemoriesQuery,
      data: memoryList,
      run: async ({ params, query }) => memories.page({ ...query, character_id: await known(params.character_id) }),
    }),
    route({
      method: "POST",
      path: ofCharacter,
      scope: "write",
      summary: "add a memory to a character",
      body: characterMemoryBody,
      data: memoryData,
      run: async ({ params, body }) => memories.create({ ...body, character_id: await known(params.character_id) }),
    }),
    route({
      method: "DELETE",
      path: `${ofCharacter}/{memory_id}`,
      scope: "write",
      summary: "delete a character's memory",
      data: deletedData,
      async run({ params: { character_id, memory_id }, ifMatch }) {
        const id = await known(character_id);
        const { character_id: owner } = await store.get(memory_id);
        if (owner !== id) throw notFound("memory", memory_id);
        await memories.remove(memory_id, ifMatch);
        return { id: memory_id, deleted: true };
      },
    }),
  ];
}

async function named({ store, memories }: RouteParts) {
  const people = await store.people();
  const faces = await memories.named(people as never);
  return faces.map(({ target_id, character_id, character_name }, at) => ({
    target_id,
    character_id,
    character_name,
    memories: people[at]?.memories ?? 0,
  }));
}
