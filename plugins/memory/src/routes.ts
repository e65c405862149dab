import Joi from "@hapi/joi";
import { type Characters, notFound, type RouteTable, route, toItemFailure } from "@parley/core";
import { deletedData, envelopeOf } from "@parley/core/http";
import {
  batchDeleteBody,
  batchDeleteData,
  characterMemoriesQuery,
  characterMemoryBody,
  clearedData,
  clearQuery,
  exportQuery,
  importBody,
  importData,
  importQuery,
  memoryData,
  memoryList,
  memoryPackage,
  mergeBody,
  peopleData,
} from "./schema.ts";
import type { MemoryService } from "./store/memories.ts";
import type { MemoryStore } from "./store/memory-store.ts";
import { exportMemories, importMemories, type TransferDeps } from "./transfer.ts";

const memoryPath = "/api/memory";
const characterMemoriesPath = "/api/characters/{character_id}/memories";
const MEBIBYTE = 1024 * 1024;
const IMPORT_TIMEOUT_MS = 120_000;

export interface MemoryRoutesDeps extends TransferDeps {
  readonly memories: MemoryService;
  readonly store: MemoryStore;
}

/** Creates the routes besides CRUD of the memories. */
export function createMemoryRoutes(deps: MemoryRoutesDeps): RouteTable {
  const { memories, store } = deps;
  return [
    route({
      method: "DELETE",
      path: memoryPath,
      scope: "write",
      summary: "delete all memories, or those of a person or character",
      query: clearQuery,
      body: clearQuery,
      data: clearedData,
      run: async ({ query, body }) => ({ deleted: await memories.clear({ ...body, ...query }) }),
    }),
    route({
      method: "GET",
      path: `${memoryPath}/people`,
      scope: "read",
      summary: "list people with the number of their memories",
      data: peopleData,
      run: async () => ({ items: await listPeople(deps) }),
    }),
    route({
      method: "POST",
      path: `${memoryPath}/merge`,
      scope: "write",
      summary: "merge several memories",
      body: mergeBody,
      data: memoryData,
      run: ({ body }) => memories.merge(body),
    }),
    route({
      method: "POST",
      path: `${memoryPath}/batch-delete`,
      scope: "write",
      summary: "delete memories",
      body: batchDeleteBody,
      data: batchDeleteData,
      async run({ body: { ids } }) {
        const { known } = await memories.removeAll(ids);
        const errors = [...new Set(ids)]
          .filter((id) => !known.includes(id))
          .map((id) => ({ index: ids.indexOf(id), id, ...toItemFailure(notFound("memory", id)) }));
        return { deleted: known.length, failed: errors.length, ids: known, errors };
      },
    }),
    route({
      method: "GET",
      path: `${memoryPath}/export`,
      scope: "read",
      summary: "export memories with their history",
      reply: "raw",
      query: exportQuery,
      data: { "application/json": Joi.alternatives(envelopeOf(memoryPackage), memoryPackage) },
      timeoutMs: false,
      run: ({ query }) => exportMemories(deps, query),
    }),
    route({
      method: "POST",
      path: `${memoryPath}/import`,
      scope: "write",
      summary: "import memories",
      payload: "json-or-file",
      maxBytes: 50 * MEBIBYTE,
      timeoutMs: IMPORT_TIMEOUT_MS,
      query: importQuery,
      body: importBody,
      data: importData,
      run: ({ body, query }) => importMemories(deps, body, query),
    }),
    ...createCharacterMemoryRoutes(store, memories, deps.characters),
  ];
}

/** Creates the routes of memories below their character. */
function createCharacterMemoryRoutes(
  store: MemoryStore,
  memories: MemoryService,
  characters: () => Pick<Characters, "get"> | undefined,
): RouteTable {
  const requireCharacterId = async (id: string) => {
    const found = await characters()?.get(id);
    if (!found) throw notFound("character", id);
    return found.id;
  };
  return [
    route({
      method: "GET",
      path: characterMemoriesPath,
      scope: "read",
      summary: "list a character's memories",
      query: characterMemoriesQuery,
      data: memoryList,
      run: async ({ params, query }) =>
        memories.page({ ...query, character_id: await requireCharacterId(params.character_id) }),
    }),
    route({
      method: "POST",
      path: characterMemoriesPath,
      scope: "write",
      summary: "add a memory to a character",
      body: characterMemoryBody,
      data: memoryData,
      run: async ({ params, body }) =>
        memories.create({ ...body, character_id: await requireCharacterId(params.character_id) }),
    }),
    route({
      method: "DELETE",
      path: `${characterMemoriesPath}/{memory_id}`,
      scope: "write",
      summary: "delete a character's memory",
      data: deletedData,
      async run({ params: { character_id, memory_id }, ifMatch }) {
        const id = await requireCharacterId(character_id);
        const { character_id: owner } = await store.get(memory_id);
        if (owner !== id) throw notFound("memory", memory_id);
        await memories.remove(memory_id, ifMatch);
        return { id: memory_id, deleted: true };
      },
    }),
  ];
}

async function listPeople({ store, memories }: MemoryRoutesDeps) {
  const people = await store.countByPerson();
  const faces = await memories.withCharacterNames(people as never);
  return faces.map(({ target_id, character_id, character_name }, at) => ({
    target_id,
    character_id,
    character_name,
    memories: people[at]?.memories ?? 0,
  }));
}
