import type { ObjectSchema } from "@hapi/joi";
import {
  AppError,
  type ChangeRequest,
  type Character,
  type CharacterFace,
  type CharacterFields,
  type CharacterPresets,
  type CharacterPrompt,
  type Characters,
  cardPictures,
  changedCharacter,
  characterPrompt,
  checkRevision,
  completeCharacter,
  type Database,
  type LiveEvents,
  notFound,
  type PictureFields,
  type RecordParts,
  type ResourceQuery,
  type ResourceRecords,
  resourceChanged,
  type StoredRecords,
  schemaRefusal,
  wholePrompt,
  withExtra,
} from "@parley/core";
import { characterFailure } from "./said-failures.ts";
import { characters } from "./schema.ts";
import type { CharacterStates } from "./states.ts";

const MAX_FACES = 2_000;
const TRIES = 10;

export interface CharacterRecordsParts {
  readonly stored: () => StoredRecords<CharacterFields>;
  readonly database: () => Database;
  readonly events: LiveEvents;
  readonly states: CharacterStates;
  readonly presets: () => CharacterPresets | undefined;
  /** What other plugins keep of characters. */
  readonly belongings: RecordParts;
  /** Ids of the sessions that it is bound to. */
  readonly boundTo: (characterId: string) => Promise<readonly string[]>;
  /** Of a world book; undefined where nobody knows. */
  readonly hasBook: (id: string) => Promise<boolean | undefined>;
}

/** What a turn reads of a character: all but what only people and cards are shown. */
export type Speaker = CharacterFace &
  Pick<Character, "initial_state" | "post_history_instructions"> & { readonly prompt: CharacterPrompt };

/** Characters as records. */
export interface CharacterRecords
  extends Pick<Characters, "find" | "get" | "named" | "page" | "faces" | "create" | "creating" | "update"> {
  readonly rows: ResourceRecords<CharacterFields>;
  readonly pictures: PictureFields;
  /** `conflict` while a turn with it is running. */
  remove(id: string, ifMatch?: number): Promise<{ readonly sessions_unbound: number }>;
  speaker(id: string): Promise<Speaker | undefined>;
  all(): AsyncIterable<Character>;
  /** Forgets what is held in memory. */
  forget(): void;
  /** Heeds what other processes change; returns the end of it. */
  follow(): () => void;
}

type Given = Readonly<Record<string, unknown>> & Partial<CharacterFields>;

export function createCharacterRecords(parts: CharacterRecordsParts): CharacterRecords {
  const { stored, database, events, states, presets, belongings, boundTo, hasBook } = parts;
  /** What is being read when it is forgotten stays forgotten. */
  const held = new Map<string, Promise<Speaker | undefined>>();
  const find = (id: string) => stored().find(id);
  const speaker = (id: string) => {
    const known = held.get(id);
    if (known) return known;
    if (held.size >= MAX_FACES) held.delete(held.keys().next().value as string);
    const reading = find(id).then((found) => found && speakerOf(found));
    held.set(id, reading);
    const forget = () => {
      if (held.get(id) === reading) held.delete(id);
    };
    // Who is not there is looked for again.
    reading.then((found) => found ?? forget(), forget);
    return reading;
  };
  const check = async ({ world_book_ids = [] }: Partial<CharacterFields>, before: readonly string[] = []) => {
    for (const id of world_book_ids) {
      if (before.includes(id) || (await hasBook(id)) !== false) continue;
      throw characterFailure("bad_request", "no_book", { id }, { field: "world_book_ids" });
    }
  };
  const prepared = async (given: Given): Promise<CharacterFields> => {
    const { preset_id, ...own } = given;
    const preset = preset_id === undefined ? {} : await presets()?.find(String(preset_id));
    if (!preset) throw notFound("preset", String(preset_id));
    const { id: _id, ...from } = preset as Given;
    const fields = completeCharacter(withExtra(from), withExtra(own));
    await check(fields);
    return fields;
  };
  const change = async (id: string, given: Given, request: Partial<ChangeRequest>) => {
    const before = await stored().get(id);
    await check(given, before.world_book_ids);
    const next = await stored().change(id, (now) => changedCharacter(now, given), request);
    held.delete(id);
    return next;
  };
  // A record that comes from elsewhere brings its id.
  const create = async (given: Given) =>
    stored().create({ ...(await prepared(given)), ...(given.id !== undefined && { id: given.id }) });
  const remove: CharacterRecords["remove"] = async (id, ifMatch) => {
    checkRevision(await stored().get(id), ifMatch);
    const bound = await boundTo(id);
    for (let tried = 1; ; tried += 1) {
      const theirs = await belongings.removed(id);
      await belongings.leaving(id);
      const own = [...(await stored().removing(id)), ...states.removingCharacter(id)];
      try {
        await database().write([...own, ...theirs]);
        break;
      } catch (error) {
        // A session was changed meanwhile: what it keeps is read again.
        if (!AppError.is(error) || error.code !== "conflict" || tried >= TRIES) throw error;
      }
    }
    held.delete(id);
    events.publish(resourceChanged(characters, id, "deleted"));
    return { sessions_unbound: bound.length };
  };
  const page = async ({ tag, ...query }: ResourceQuery) =>
    stored().page({ ...query, ...(tag !== undefined && { tags: tag }) });

  return {
    find,
    remove,
    get: (id) => stored().get(id),
    speaker,
    page,
    create: async (draft) => create(checked(characters.draft, draft)),
    all: () => stored().all(),
    forget: () => held.clear(),
    follow: () => stored().onElsewhere((id) => (id === undefined ? held.clear() : void held.delete(id))),
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
        const face = await speaker(id);
        if (face) found.set(id, face);
      }
      return found;
    },
    async creating(draft) {
      const made = await stored().creating(await prepared(checked(characters.draft, draft)));
      const { id, revision } = made.item;
      return { ...made, created: () => events.publish(resourceChanged(characters, id, "created", revision)) };
    },
    update: async (id, patch, ifMatch) => change(id, checked(characters.patch, patch), { ifMatch }),
    pictures: cardPictures(
      "characters.faces",
      () => stored().all(),
      ({ id }, emptied) => change(id, emptied, {}),
    ),
    rows: {
      async page(query) {
        const { items, ...rest } = await page(query);
        return { ...rest, items: items.map(inList) };
      },
      get: (id) => stored().get(id),
      create: (draft) => create(draft as unknown as Given),
      change: (id, patch, request) => change(id, patch as Given, request),
      remove: (id, { ifMatch }) => remove(id, ifMatch),
    },
  };
}

/** Whoever is no row of the service is held to the same. */
function checked(schema: ObjectSchema, given: object): Given {
  const { value, error } = schema.validate(given, { errors: { label: "path", wrap: { label: false } } });
  if (error) throw schemaRefusal(error);
  return value;
}

function inList({
  system_prompt: _prompt,
  example_dialogues: _examples,
  extensions: _extensions,
  card_extra: _extra,
  ...shown
}: Character): Character {
  return shown as Character;
}

function speakerOf(character: Character): Speaker {
  const { id, name, avatar, portrait, scenario, first_message, world_book_ids } = character;
  const { initial_state, post_history_instructions } = character;
  const prompt = characterPrompt(character);
  return {
    id,
    name,
    avatar,
    portrait,
    scenario,
    first_message,
    system_prompt: wholePrompt(prompt),
    world_book_ids,
    initial_state,
    post_history_instructions,
    prompt,
  };
}
