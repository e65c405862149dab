import {
  AppError,
  type ChangeRequest,
  type Character,
  type CharacterFace,
  type Characters,
  checkRevision,
  type Database,
  type LiveEvents,
  notFound,
  type PictureFields,
  type ResourceQuery,
  type ResourceRecords,
  resourceChanged,
  type StoredRecords,
} from "@parley/core";
import {
  type CharacterFields,
  cardPictures,
  completeCharacter,
  diffCharacter,
  joinPrompts,
  withExtra,
} from "@parley/core/characters";
import type { RecordParts } from "@parley/core/storage";
import type { PresetRecords } from "../presets/preset-records.ts";
import type { StateStore } from "../state/state-store.ts";
import { charactersTexts } from "../texts.ts";
import { type SpeakerTexts, toSpeakerTexts } from "../turns/speaker-sources.ts";
import { type CharacterInput, omitLongTexts, validateInput } from "./character-input.ts";
import { characters } from "./schema.ts";

const MAX_CACHED_SPEAKERS = 2_000;
const MAX_ATTEMPTS = 10;

export interface CharacterRecordsDeps {
  readonly stored: () => StoredRecords<CharacterFields>;
  readonly database: () => Database;
  readonly events: LiveEvents;
  readonly states: StateStore;
  readonly presets: Pick<PresetRecords, "find">;
  /** Data of other plugins about characters. */
  readonly lifecycle: RecordParts;
  /** Returns the ids of the sessions that are bound to a character. */
  readonly boundTo: (characterId: string) => Promise<readonly string[]>;
  /** Checks that a world book exists; undefined when unknown. */
  readonly hasBook: (id: string) => Promise<boolean | undefined>;
}

/** Character data that a turn reads; excludes fields only shown to people and cards. */
export type Speaker = CharacterFace & Pick<Character, "initial_state"> & SpeakerTexts;

export interface CharacterRecords
  extends Pick<Characters, "find" | "get" | "named" | "page" | "faces" | "create" | "creating" | "update"> {
  readonly rows: ResourceRecords<CharacterFields>;
  readonly pictures: PictureFields;
  /** Deletes a character; rejects with `conflict` during a turn with it. */
  remove(id: string, ifMatch?: number): Promise<{ readonly sessions_unbound: number }>;
  findSpeaker(id: string): Promise<Speaker | undefined>;
  all(): AsyncIterable<Character>;
  clearCache(): void;
  /** Follows changes of other processes; returns the unsubscribe function. */
  subscribe(): () => void;
}

export function createCharacterRecords(deps: CharacterRecordsDeps): CharacterRecords {
  const { stored, database, events, states, presets, lifecycle, boundTo, hasBook } = deps;
  /** Cache of speakers by id; holds promises, so that a read in progress stays invalidated. */
  const speakerById = new Map<string, Promise<Speaker | undefined>>();
  const find = (id: string) => stored().find(id);
  const findSpeaker = (id: string) => {
    const known = speakerById.get(id);
    if (known) return known;
    if (speakerById.size >= MAX_CACHED_SPEAKERS) speakerById.delete(speakerById.keys().next().value as string);
    const reading = find(id).then((found) => found && toSpeaker(found));
    speakerById.set(id, reading);
    const evict = () => {
      if (speakerById.get(id) === reading) speakerById.delete(id);
    };
    // Missing characters are not cached.
    reading.then((found) => found ?? evict(), evict);
    return reading;
  };
  const assertBooksExist = async (
    { world_book_ids = [] }: Partial<CharacterFields>,
    before: readonly string[] = [],
  ) => {
    for (const id of world_book_ids) {
      if (before.includes(id) || (await hasBook(id)) !== false) continue;
      throw charactersTexts.error("bad_request", "no_book", { id }, { field: "world_book_ids" });
    }
  };
  const prepareFields = async (given: CharacterInput): Promise<CharacterFields> => {
    const { preset_id, ...own } = given;
    const preset = preset_id === undefined ? {} : await presets.find(String(preset_id));
    if (!preset) throw notFound("preset", String(preset_id));
    const { id: _id, ...from } = preset as CharacterInput;
    const fields = completeCharacter(withExtra(from), withExtra(own));
    await assertBooksExist(fields);
    return fields;
  };
  const change = async (id: string, given: CharacterInput, request: Partial<ChangeRequest>) => {
    const before = await stored().get(id);
    await assertBooksExist(given, before.world_book_ids);
    const next = await stored().change(id, (now) => diffCharacter(now, given), request);
    speakerById.delete(id);
    return next;
  };
  // An imported record has its own id.
  const create = async (given: CharacterInput) =>
    stored().create({ ...(await prepareFields(given)), ...(given.id !== undefined && { id: given.id }) });
  const remove: CharacterRecords["remove"] = async (id, ifMatch) => {
    const bound = await boundTo(id);
    for (let attempt = 1; ; attempt += 1) {
      checkRevision(await stored().get(id), ifMatch);
      const pluginWrites = await lifecycle.removed(id);
      await lifecycle.leaving(id);
      const own = [...(await stored().removing(id, ifMatch)), ...states.deleteCharacterWrites(id)];
      try {
        const [removed] = await database().write([...own, ...pluginWrites]);
        if (removed?.changes === 0) throw notFound("character", id);
        break;
      } catch (error) {
        // A session changed meanwhile, so its data is read again.
        if (!AppError.is(error) || error.code !== "conflict" || attempt >= MAX_ATTEMPTS) throw error;
      }
    }
    speakerById.delete(id);
    events.publish(resourceChanged(characters, id, "deleted"));
    return { sessions_unbound: bound.length };
  };
  const page = async ({ tag, ...query }: ResourceQuery) =>
    stored().page({ ...query, ...(tag !== undefined && { tags: tag }) });

  return {
    find,
    remove,
    get: (id) => stored().get(id),
    findSpeaker,
    page,
    create: async (draft) => create(validateInput(characters.draft, draft)),
    all: () => stored().all(),
    clearCache: () => speakerById.clear(),
    subscribe: () =>
      stored().onElsewhere((id) => (id === undefined ? speakerById.clear() : void speakerById.delete(id))),
    async named(name) {
      const found: Character[] = [];
      for (let offset = 0; ; offset += 500) {
        const { items, total } = await stored().page({ q: name, sort: "created_at", limit: 500, offset });
        found.push(...items.filter((one) => one.name === name));
        if (items.length === 0 || offset + items.length >= total) return found;
      }
    },
    async faces(ids) {
      const found = new Map<string, CharacterFace>();
      for (const id of new Set(ids)) {
        const face = await findSpeaker(id);
        if (face) found.set(id, face);
      }
      return found;
    },
    async creating(draft) {
      const made = await stored().creating(await prepareFields(validateInput(characters.draft, draft)));
      const { id, revision } = made.item;
      return { ...made, created: () => events.publish(resourceChanged(characters, id, "created", revision)) };
    },
    update: async (id, patch, ifMatch) => change(id, validateInput(characters.patch, patch), { ifMatch }),
    pictures: cardPictures(
      "characters.faces",
      () => stored().all(),
      ({ id }, emptied) => change(id, emptied, {}),
    ),
    rows: {
      async page(query) {
        const { items, ...rest } = await page(query);
        return { ...rest, items: items.map((one) => omitLongTexts(one) as Character) };
      },
      get: (id) => stored().get(id),
      create: (draft) => create(draft as unknown as CharacterInput),
      change: (id, patch, request) => change(id, patch as CharacterInput, request),
      remove: (id, { ifMatch }) => remove(id, ifMatch),
    },
  };
}

function toSpeaker(character: Character): Speaker {
  const { id, avatar, portrait, first_message, world_book_ids, initial_state } = character;
  const texts = toSpeakerTexts(character);
  return {
    ...texts,
    id,
    avatar,
    portrait,
    first_message,
    world_book_ids,
    initial_state,
    system_prompt: joinPrompts(texts.prompt),
  };
}
