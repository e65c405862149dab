import {
  type CurrentPersonality,
  checkRevision,
  type Database,
  type LiveEvents,
  type Personality,
  type PictureFields,
  type ResourceItem,
  resourceChanged,
  type StoredRecords,
  type Write,
} from "@parley/core";
import { type CharacterFields, cardPictures, diffCharacter } from "@parley/core/characters";
import type { BuiltInPreset } from "../presets/built-in-presets.ts";
import type { PresetRecords } from "../presets/preset-records.ts";
import { pickCharacterFields } from "../records/character-input.ts";
import { type SpeakerTexts, toSpeakerTexts } from "../turns/speaker-sources.ts";
import { personalities, type StoredPersonality } from "./schema.ts";

/** Id of the single record. */
const PERSONALITY_ID = "personality_current";

export interface CurrentPersonalityDeps {
  readonly stored: () => StoredRecords<StoredPersonality>;
  readonly database: () => Database;
  readonly events: LiveEvents;
  readonly presets: () => Pick<PresetRecords, "fields">;
  /** Preset of the first personality. */
  readonly firstPreset: () => BuiltInPreset;
}

export interface CurrentRecord extends Personality {
  readonly pictures: PictureFields;
  /** Returns the personality's texts for a prompt, cached in memory. */
  speaker(): Promise<SpeakerTexts>;
  /** Returns the fields of the first personality. */
  initial(): CharacterFields;
  change(patch: Readonly<Record<string, unknown>>, ifMatch?: number): Promise<CurrentPersonality>;
  /** Returns the writes for a deleted preset: the text remains, but its reference to the preset is removed. */
  releasePreset(id: string): Promise<{ readonly writes: readonly Write[]; publish(): void }>;
  /** Creates the first personality; the returned function stops the service. */
  start(): Promise<() => void>;
}

/** Creates the current personality: a single record that always exists. */
export function createCurrentPersonality(deps: CurrentPersonalityDeps): CurrentRecord {
  const { stored, database, events, presets, firstPreset } = deps;
  /** A read running while the cache is cleared is not cached. */
  let cached: Promise<{ readonly record: CurrentPersonality; readonly texts: SpeakerTexts }> | undefined;
  const read = async () => stored().get(PERSONALITY_ID);
  const clearCache = () => {
    cached = undefined;
  };
  const readCached = () => {
    cached ??= read().then((found) => ({ record: toCurrentPersonality(found), texts: toSpeakerTexts(found) }));
    cached.catch(clearCache);
    return cached;
  };
  const change = async (input: Readonly<Record<string, unknown>>, ifMatch?: number) => {
    const { preset_id, ...patch } = input as { readonly preset_id?: string };
    checkRevision(await read(), ifMatch);
    const presetFields = preset_id === undefined ? {} : { ...(await presets().fields(preset_id)), preset_id };
    const next = await stored().change(
      PERSONALITY_ID,
      (now) => {
        const { preset_id: _preset, ...fields } = now;
        const changed = diffCharacter({ ...fields, ...presetFields }, patch);
        return { ...presetFields, ...changed };
      },
      { ifMatch },
    );
    clearCache();
    return toCurrentPersonality(next);
  };
  return {
    change,
    current: async () => (await readCached()).record,
    speaker: async () => (await readCached()).texts,
    async releasePreset(id) {
      const now = await read();
      if (now.preset_id !== id) return { writes: [], publish() {} };
      const { writes, item } = await stored().changing(now, { preset_id: null });
      return {
        writes,
        publish() {
          clearCache();
          events.publish(resourceChanged(personalities, PERSONALITY_ID, "updated", item.revision));
        },
      };
    },
    pictures: cardPictures(
      "personality.current",
      () => stored().all(),
      (_, emptied) => change(emptied),
    ),
    initial: () => pickCharacterFields(firstPreset()),
    async start() {
      const unsubscribe = stored().onElsewhere(clearCache);
      if (await stored().find(PERSONALITY_ID)) return unsubscribe;
      const preset = firstPreset();
      const created = await stored().creating(
        { ...pickCharacterFields(preset), preset_id: preset.id },
        { id: PERSONALITY_ID },
      );
      try {
        await database().write(created.writes);
      } catch (error) {
        // Another process was first.
        if (!(await stored().find(PERSONALITY_ID))) throw error;
      }
      return unsubscribe;
    },
  };
}

function toCurrentPersonality({
  id: _id,
  created_at: _created,
  ...fields
}: ResourceItem<StoredPersonality>): CurrentPersonality {
  return fields;
}
