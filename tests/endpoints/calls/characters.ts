import type { Call, Seed } from "../calls.ts";

const LIST = ["items", "total", "limit", "offset"];
const STATE = ["character_id", "scope_id", "mood", "energy", "persisted"];
const BOND = ["character_id", "target_id", "affection", "trust", "persisted"];
let count = 0;

/** Creates a conversation with a character. */
const createShared = async (seed: Seed) => {
  const { character_id } = await createCharacter(seed);
  const { id } = await seed.api.post<{ id: string }>("/api/sessions", { character_ids: [character_id] });
  return { session_id: id, character_id };
};
const createCharacter = async ({ api }: Seed): Promise<{ readonly character_id: string }> => {
  const { id } = await api.post<{ id: string }>("/api/characters", { name: `character ${++count}` });
  return { character_id: id };
};
const createLink = async ({ api }: Seed): Promise<{ readonly link_id: string }> => {
  const draft = { name: "Ann", target_id: `imA:user:${++count}`, same_as: "web:user:ann" };
  return { link_id: (await api.post<{ id: string }>("/api/person-links", draft)).id };
};

/** A working call of every route of characters. */
export const CHARACTER_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/characters": { gives: LIST },
  "POST /api/characters": {
    body: { name: "one character" },
    gives: ["id", "system_prompt"],
    except: { unknownKey: "is kept in card_extra" },
  },
  "GET /api/characters/{character_id}": { params: createCharacter, gives: ["id", "system_prompt", "extensions"] },
  "PUT /api/characters/{character_id}": {
    params: createCharacter,
    body: { description: "other" },
    gives: ["id", "revision"],
    except: { unknownKey: "is kept in card_extra" },
  },
  "DELETE /api/characters/{character_id}": { params: createCharacter, gives: ["id", "deleted", "sessions_unbound"] },
  "GET /api/characters/{character_id}/state": { params: createCharacter, gives: STATE },
  "PUT /api/characters/{character_id}/state": { params: createCharacter, body: { mood: "开心" }, gives: STATE },
  "GET /api/characters/{character_id}/relationships": { params: createCharacter, gives: BOND },
  "PUT /api/characters/{character_id}/relationships": { params: createCharacter, body: { trust: 60 }, gives: BOND },
  "GET /api/characters/{character_id}/debug/latest-turn": { params: createCharacter, gives: ["turn"] },
  "POST /api/characters/runtime/initialize": { body: {}, gives: ["initialized", "already", "characters", "errors"] },
  "GET /api/characters/runtime/status": { gives: ["initialized", "state", "characters", "scopes", "auto_state"] },
};

/** A working call of every route that links addresses to a person. */
export const PERSON_CALLS: Readonly<Record<string, Call>> = {
  "PUT /api/sessions/{session_id}/scene": {
    params: createShared,
    body: ({ character_id }) => ({ present: [character_id] }),
    gives: ["id", "scenes"],
  },
  "GET /api/person-links": { gives: LIST },
  "POST /api/person-links": {
    body: { name: "Ann", target_id: "imA:user:1000", same_as: "web:user:ann" },
    gives: ["id", "target_id", "same_as"],
  },
  "GET /api/person-links/{link_id}": { params: createLink, gives: ["id", "target_id"] },
  "PUT /api/person-links/{link_id}": { params: createLink, body: { name: "Other" }, gives: ["id", "revision"] },
  "DELETE /api/person-links/{link_id}": { params: createLink, gives: ["id", "deleted"] },
};
