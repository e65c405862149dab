import {
  addRecords,
  addResource,
  CharacterPresets,
  Characters,
  Clock,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  Egress,
  Environment,
  Files,
  LiveEvents,
  Lorebooks,
  ModelCalls,
  Personality,
  PictureFields,
  PromptSources,
  RecordStore,
  type Resolver,
  RouteTables,
  resourceSection,
  SettingDefinitions,
  Settings,
  serviceKey,
  TIME_ZONE,
  TransferSections,
} from "@parley/core";
import { type CardExport, createCardExport } from "./cards/card-export.ts";
import { createCardGenerator } from "./cards/card-generator.ts";
import { createCardImport } from "./cards/card-import.ts";
import { CARD_PLATFORMS, createPlatforms } from "./cards/card-platforms.ts";
import { createSubjects, type Subjects } from "./cards/card-subjects.ts";
import { type CurrentRecord, createCurrentPersonality } from "./current-personality.ts";
import { createPortraits, type Portraits } from "./pictures/portraits.ts";
import { selectFirstPreset } from "./presets/built-in-presets.ts";
import { createPresetRecords, type PresetRecords } from "./presets/preset-records.ts";
import { PROMPT_SOURCES } from "./prompt-sources.ts";
import { type PersonalityRoutesDeps, personalityRoutes } from "./routes.ts";
import { personalities, presets } from "./schema.ts";
import { personalitySection } from "./transfer.ts";

const PresetsKey = serviceKey<PresetRecords>("personality.presets");
const CurrentPersonalityKey = serviceKey<CurrentRecord>("personality.current");
const PortraitsKey = serviceKey<Portraits>("personality.portraits");
const SubjectsKey = serviceKey<Subjects>("personality.subjects");
const CardExportKey = serviceKey<CardExport>("personality.exports");

/** The personality plugin: the speaker where no character is bound, presets for characters, and character cards in every container. */
export default definePlugin({
  id: "personality",
  requires: [Databases, Files, RecordStore, Settings],
  register(context) {
    const { provide, contribute } = context;
    provide(PresetsKey, createPresets);
    provide(CurrentPersonalityKey, createCurrent);
    provide(PortraitsKey, (from) =>
      createPortraits({
        files: () => from.get(Files),
        fields: () => from.all(PictureFields),
        clock: from.get(Clock),
      }),
    );
    provide(SubjectsKey, (from) =>
      createSubjects({
        presets: from.get(PresetsKey),
        characters: () => from.get(Characters),
        lorebooks: () => from.find(Lorebooks),
      }),
    );
    provide(CardExportKey, (from) =>
      createCardExport({
        presets: from.get(PresetsKey),
        subjects: from.get(SubjectsKey),
        portraits: from.get(PortraitsKey),
        clock: from.get(Clock),
      }),
    );
    provide(CharacterPresets, (from) => from.get(PresetsKey));
    provide(Personality, (from) => from.get(CurrentPersonalityKey));
    contribute(SettingDefinitions, () => CARD_PLATFORMS);
    addRecords(context, presets);
    addRecords(context, personalities);
    addResource(context, presets, (from) => from.get(PresetsKey).rows);
    contribute(RouteTables, (from) => personalityRoutes(createRouteDeps(from)));
    contribute(PictureFields, (from) => from.get(PresetsKey).pictures);
    contribute(PictureFields, (from) => from.get(CurrentPersonalityKey).pictures);
    for (const make of PROMPT_SOURCES) {
      contribute(PromptSources, (from) =>
        make(from.get(CurrentPersonalityKey), () => from.get(Settings).get(TIME_ZONE)),
      );
    }
    contribute(TransferSections, (from) =>
      resourceSection({ id: "custom_presets", title: presets.title.many }, presets, () => from.get(PresetsKey).rows),
    );
    contribute(TransferSections, (from) => personalitySection(() => from.get(CurrentPersonalityKey)));
    for (const area of AREAS) contribute(ConsoleAreas, () => area);
  },
  async start({ get, defer }) {
    defer(await get(CurrentPersonalityKey).start());
  },
});

const AREAS: readonly ConsoleArea[] = [
  {
    id: "personality",
    group: "bot",
    title: { en: "Personality", zh: "人设" },
    icon: "star",
    view: { kind: "page", page: "personality" },
  },
  {
    id: "presets",
    group: "bot",
    title: { en: "Presets", zh: "预设" },
    icon: "tag",
    view: { kind: "resource", resource: presets.kind },
  },
];

function createPresets(from: Resolver): PresetRecords {
  return createPresetRecords({
    stored: () => from.get(RecordStore).of(presets),
    database: () => from.get(Databases).main,
    events: from.get(LiveEvents),
    lorebooks: () => from.find(Lorebooks),
    releasePreset: (id) => from.get(CurrentPersonalityKey).releasePreset(id),
  });
}

function createCurrent(from: Resolver): CurrentRecord {
  return createCurrentPersonality({
    stored: () => from.get(RecordStore).of(personalities),
    database: () => from.get(Databases).main,
    events: from.get(LiveEvents),
    presets: () => from.get(PresetsKey),
    firstPreset: () => selectFirstPreset((name) => from.get(Environment).get(name)),
  });
}

function createRouteDeps(from: Resolver): PersonalityRoutesDeps {
  const [records, portraits, subjects, exports] = [
    from.get(PresetsKey),
    from.get(PortraitsKey),
    from.get(SubjectsKey),
    from.get(CardExportKey),
  ];
  const imports = createCardImport({
    database: () => from.get(Databases).main,
    presets: records,
    characters: () => from.get(Characters),
    lorebooks: () => from.find(Lorebooks),
    portraits,
  });
  return {
    current: from.get(CurrentPersonalityKey),
    macroValues: () => ({
      seed: "preview",
      conversation: "preview",
      at: from.get(Clock).now(),
      timeZone: from.get(Settings).get(TIME_ZONE),
    }),
    presets: records,
    cards: { ...imports, ...exports },
    generated: createCardGenerator({ models: () => from.get(ModelCalls), subjects, portraits }),
    portraits,
    platforms: createPlatforms({
      settings: from.get(Settings),
      egress: from.get(Egress),
      environment: from.get(Environment),
      presets: records,
      cards: exports,
      clock: from.get(Clock),
    }),
  };
}
