import {
  Characters,
  Clock,
  Databases,
  Egress,
  Environment,
  Files,
  LiveEvents,
  Lorebooks,
  ModelCalls,
  PictureFields,
  RecordStore,
  type Resolver,
  Settings,
  TIME_ZONE,
} from "@parley/core";
import { createCardExport } from "./cards/card-export.ts";
import { createCardGenerator } from "./cards/card-generator.ts";
import { createCardImport } from "./cards/card-import.ts";
import { createPlatforms } from "./cards/card-platforms.ts";
import { createSubjects } from "./cards/card-subjects.ts";
import { type CurrentRecord, createCurrentPersonality } from "./current-personality.ts";
import { createPortraits } from "./pictures/portraits.ts";
import { selectFirstPreset } from "./presets/built-in-presets.ts";
import { createPresetRecords, type PresetRecords } from "./presets/preset-records.ts";
import { personalities, presets as presetResource } from "./schema.ts";

/** Creates the services of the plugin: presets, the current personality, portraits and character cards. */
export function assemble(from: Resolver) {
  const clock = from.get(Clock);
  const settings = from.get(Settings);
  const { presets, current } = assembleRecords(from);
  const common = {
    presets,
    portraits: createPortraits({ files: () => from.get(Files), fields: () => from.all(PictureFields), clock }),
    database: () => from.get(Databases).main,
    characters: () => from.get(Characters),
    lorebooks: () => from.find(Lorebooks),
    clock,
  };
  const subjects = createSubjects(common);
  const exports = createCardExport({ ...common, subjects });
  const [egress, environment] = [from.get(Egress), from.get(Environment)];
  const timeZone = () => settings.get(TIME_ZONE);
  return {
    presets,
    current,
    portraits: common.portraits,
    cards: { ...createCardImport(common), ...exports },
    generated: createCardGenerator({ ...common, models: () => from.get(ModelCalls), subjects }),
    platforms: createPlatforms({ ...common, settings, egress, environment, cards: exports }),
    timeZone,
    macroValues: () => ({ seed: "preview", conversation: "preview", at: clock.now(), timeZone: timeZone() }),
  };
}

/** Creates the presets and the current personality, which refer to each other. */
function assembleRecords(from: Resolver): { readonly presets: PresetRecords; readonly current: CurrentRecord } {
  const [database, events] = [() => from.get(Databases).main, from.get(LiveEvents)];
  const presets = createPresetRecords({
    stored: () => from.get(RecordStore).of(presetResource),
    database,
    events,
    lorebooks: () => from.find(Lorebooks),
    releasePreset: (id) => current.releasePreset(id),
  });
  const current = createCurrentPersonality({
    stored: () => from.get(RecordStore).of(personalities),
    database,
    events,
    presets: () => presets,
    firstPreset: () => selectFirstPreset((name) => from.get(Environment).get(name)),
  });
  return { presets, current };
}
