import {
  type CharacterPresets,
  checkRevision,
  type Database,
  type LiveEvents,
  type Lorebooks,
  notFound,
  type PictureFields,
  type PreparedChange,
  type ResourceItem,
  type ResourceQuery,
  type ResourceRecords,
  resourceChanged,
  type StoredRecords,
  splitCommaList,
  type Write,
} from "@parley/core";
import {
  type CharacterFields,
  cardPictures,
  completeCharacter,
  diffCharacter,
  withExtra,
} from "@parley/core/characters";
import { type List, toPage } from "@parley/core/http";
import { type CharacterInput, omitLongTexts, pickCharacterFields, validateInput } from "../records/character-input.ts";
import { cardTexts } from "../texts.ts";
import { BUILT_IN_PRESETS, type BuiltInPreset } from "./built-in-presets.ts";
import { presets, type Upload } from "./schema.ts";

const MAX_IDS = 50;

export type Preset = ResourceItem<CharacterFields> & { readonly builtin: false; readonly uploads: readonly Upload[] };

export interface PresetDeps {
  readonly stored: () => StoredRecords<CharacterFields>;
  readonly database: () => Database;
  readonly events: LiveEvents;
  readonly lorebooks: () => Lorebooks | undefined;
  /** Returns the writes for records that use a deleted preset. */
  readonly releasePreset: (id: string) => Promise<{ readonly writes: readonly Write[]; publish(): void }>;
}

/** Custom and bundled presets. */
export interface PresetRecords extends CharacterPresets {
  readonly rows: ResourceRecords<CharacterFields>;
  readonly pictures: PictureFields;
  builtIn(query: { readonly limit: number; readonly offset: number }): List<BuiltInPreset>;
  /** Returns a custom preset; rejects with `bad_request` for a built-in one. */
  getCustom(id: string): Promise<Preset>;
  /** Returns the fields of a preset, also of a built-in one; rejects with `not_found` for an unknown id. */
  fields(id: string): Promise<CharacterFields>;
  /** Returns the writes of a new preset; `created` must be called after they are stored. */
  creating(fields: Partial<CharacterFields>): Promise<PreparedChange<CharacterFields> & { created(): void }>;
  noteUpload(id: string, upload: Upload): Promise<void>;
  all(): AsyncIterable<Preset>;
  has(id: string): Promise<boolean>;
}

export function createPresetRecords(deps: PresetDeps): PresetRecords {
  const { stored, database, events, lorebooks, releasePreset } = deps;
  const builtIn = (id: string) => BUILT_IN_PRESETS.find((one) => one.id === id);
  const find = async (id: string) => {
    const found = await stored().find(id);
    return found && toPreset(found);
  };
  const getCustom = async (id: string) => {
    if (builtIn(id)) throw cardTexts.error("bad_request", "built_in", { id });
    const found = await find(id);
    if (!found) throw notFound("preset", id);
    return found;
  };
  const fields = async (id: string) => {
    const found = builtIn(id) ?? (await find(id));
    if (!found) throw notFound("preset", id);
    return pickCharacterFields(found);
  };
  const byIds = async (list: string) => {
    const ids = [...new Set(splitCommaList(list))];
    if (ids.length > MAX_IDS) throw cardTexts.error("bad_request", "many_ids", { most: MAX_IDS }, { field: "ids" });
    const found = await Promise.all(ids.map(find));
    return found.filter((one) => one !== undefined);
  };
  const change = async (id: string, given: Partial<CharacterFields>, ifMatch?: number) => {
    await getCustom(id);
    return stored().change(id, (now) => diffCharacter(now, given as CharacterInput), { ifMatch });
  };

  return {
    getCustom,
    fields,
    builtIn: (query) => toPage(BUILT_IN_PRESETS, query),
    has: async (id) => builtIn(id) !== undefined || (await stored().find(id)) !== undefined,
    async find(id) {
      const found = builtIn(id) ?? (await find(id));
      if (!found) return undefined;
      const own = (await lorebooks()?.boundTo(id)) ?? [];
      return {
        ...pickCharacterFields(found),
        world_book_ids: [...new Set([...found.world_book_ids, ...own])].slice(0, 100),
      };
    },
    async creating(given) {
      const made = await stored().creating(completeCharacter(withExtra(validateInput(presets.draft, given))));
      const { id, revision } = made.item;
      return { ...made, created: () => events.publish(resourceChanged(presets, id, "created", revision)) };
    },
    async noteUpload(id, upload) {
      await stored().change(id, (now) => {
        const others = toPreset(now).uploads.filter(({ platform }) => platform !== upload.platform);
        return { uploads: [...others, upload] } as Partial<CharacterFields>;
      });
    },
    async *all() {
      for await (const one of stored().all()) yield toPreset(one);
    },
    pictures: cardPictures(
      "personality.presets",
      () => stored().all(),
      ({ id }, emptied) => change(id, emptied),
    ),
    rows: {
      async page({ tag, ids, ...query }: ResourceQuery) {
        if (typeof ids === "string" && ids !== "") return toPage(await byIds(ids), query);
        const found = await stored().page({ ...query, ...(tag !== undefined && { tags: tag }) });
        return { ...found, items: found.items.map((one) => omitLongTexts(toPreset(one)) as Preset) };
      },
      get: async (id) => getCustom(id),
      async create(draft) {
        const given = draft as CharacterInput;
        if (given.id !== undefined && (await stored().find(String(given.id)))) {
          throw cardTexts.error("conflict", "id_taken", { id: String(given.id) }, { field: "id" });
        }
        const id = given.id === undefined ? {} : { id: given.id };
        return toPreset(await stored().create({ ...completeCharacter(withExtra(given)), ...id }));
      },
      change: async (id, patch, { ifMatch }) => toPreset(await change(id, patch, ifMatch)),
      async remove(id, { ifMatch }) {
        checkRevision(await getCustom(id), ifMatch);
        const others = await releasePreset(id);
        const [removed] = await database().write([...(await stored().removing(id, ifMatch)), ...others.writes]);
        if (removed?.changes === 0) throw notFound("preset", id);
        events.publish(resourceChanged(presets, id, "deleted"));
        others.publish();
      },
    },
  };
}

function toPreset(item: ResourceItem<CharacterFields>): Preset {
  const { uploads = [] } = item as Partial<Preset>;
  return { ...item, builtin: false, uploads };
}
