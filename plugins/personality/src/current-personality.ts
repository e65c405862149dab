import {
  type CurrentPersonality,
  cardPictures,
  changedCharacter,
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
import type { BuiltInPreset } from "./built-in-presets.ts";
import { onlyFields, type PresetRecords } from "./preset-records.ts";
import { personalities, type StoredPersonality } from "./schema.ts";

/** The id of the one record. */
const ID = "personality_current";

export interface CurrentParts {
  readonly stored: () => StoredRecords<StoredPersonality>;
  readonly database: () => Database;
  readonly events: LiveEvents;
  readonly presets: () => Pick<PresetRecords, "fields">;
  /** What it is where there is none yet. */
  readonly first: () => BuiltInPreset;
}

export interface CurrentRecord extends Personality {
  readonly pictures: PictureFields;
  change(patch: Readonly<Record<string, unknown>>, ifMatch?: number): Promise<CurrentPersonality>;
  /** What is to be written when a preset goes: the text stays, its name does not. */
  withoutPreset(id: string): Promise<{ readonly writes: readonly Write[]; tell(): void }>;
  /** Makes the first one; what it returns ends what was begun. */
  start(): Promise<() => void>;
}

/** The personality in force: one record, which is always there. */
export function createCurrentPersonality({ stored, database, events, presets, first }: CurrentParts): CurrentRecord {
  /** What is being read when it is forgotten stays forgotten. */
  let held: Promise<CurrentPersonality> | undefined;
  const read = async () => stored().get(ID);
  const forget = () => {
    held = undefined;
  };
  const change = async (given: Readonly<Record<string, unknown>>, ifMatch?: number) => {
    const { preset_id, ...patch } = given as { readonly preset_id?: string };
    checkRevision(await read(), ifMatch);
    const loaded = preset_id === undefined ? {} : { ...(await presets().fields(preset_id)), preset_id };
    const next = await stored().change(
      ID,
      (now) => {
        const { preset_id: _preset, ...fields } = now;
        const changed = changedCharacter({ ...fields, ...loaded }, patch);
        return { ...loaded, ...changed };
      },
      { ifMatch },
    );
    forget();
    return shown(next);
  };
  return {
    change,
    current() {
      held ??= read().then(shown);
      held.catch(forget);
      return held;
    },
    async withoutPreset(id) {
      const now = await read();
      if (now.preset_id !== id) return { writes: [], tell() {} };
      const { writes, item } = await stored().changing(now, { preset_id: null });
      return {
        writes,
        tell() {
          forget();
          events.publish(resourceChanged(personalities, ID, "updated", item.revision));
        },
      };
    },
    pictures: cardPictures(
      "personality.current",
      () => stored().all(),
      (_, emptied) => change(emptied),
    ),
    async start() {
      const leave = stored().onElsewhere(forget);
      if (await stored().find(ID)) return leave;
      const preset = first();
      const made = await stored().creating({ ...onlyFields(preset), preset_id: preset.id }, { id: ID });
      try {
        await database().write(made.writes);
      } catch (error) {
        // Another process was first.
        if (!(await stored().find(ID))) throw error;
      }
      return leave;
    },
  };
}

function shown({ id: _id, created_at: _created, ...fields }: ResourceItem<StoredPersonality>): CurrentPersonality {
  return fields;
}
