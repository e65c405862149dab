import { fetchRaw, parley, type Shapes, uploadForm } from "./client.ts";
import { readAllPages } from "./list-pages.ts";

export type ListedCharacter = Shapes["ListedCharacter"];
export type Character = Shapes["Character"];
export type CardFormat = "zip" | "png" | "json_v2" | "json_v3";

/** Fields of a card; unknown ones are preserved. */
type CardBody = Readonly<Record<string, unknown>>;

const CHARACTER_PATH = "/api/characters/{character_id}";

export const characters = {
  /** Fetches every character, sorted by name. */
  listAll: () =>
    readAllPages(
      (page) => parley.get("/api/characters", { query: { ...page, sort: "name" } }),
      ({ id }) => id,
    ),
  get: (character_id: string) => parley.get(CHARACTER_PATH, { path: { character_id } }),
  create: (body: CardBody) => parley.post("/api/characters", { body: { ...body, name: String(body.name ?? "") } }),
  change: (character_id: string, body: CardBody, ifMatch?: number) =>
    parley.put(CHARACTER_PATH, { path: { character_id }, body, ifMatch }),
  remove: (character_id: string) => parley.delete(CHARACTER_PATH, { path: { character_id } }),
  previewPrompt: (body: CardBody, signal: AbortSignal) => parley.post("/api/personality/preview", { body, signal }),
  /** Creates a session with a character and returns its id. */
  async createSession(character_id: string): Promise<string> {
    const { id } = await parley.post("/api/sessions", { body: { character_id } });
    return id;
  },
};

/** Creates a character from a card file of any supported format. */
export function importCard(file: File) {
  return uploadForm("/api/personality/import", [["file", file]], { query: { as: "character" } });
}

export function storePortrait(file: File) {
  return uploadForm("/api/personality/portrait", [["file", file]]);
}

/** Returns the card as a file to download. */
export async function exportCard(character_id: string, format: CardFormat): Promise<Blob> {
  const response = await fetchRaw("/api/personality/export", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ character_id, format }),
  });
  return response.blob();
}
