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
import { firstPreset } from "./built-in-presets.ts";
import { type CardExport, createCardExport } from "./card-export.ts";
import { createCardImport } from "./card-import.ts";
import { type CurrentRecord, createCurrentPersonality } from "./current-personality.ts";
import { createGenerated } from "./generated.ts";
import { CARD_PLATFORMS, createPlatforms } from "./platforms.ts";
import { createPortraits, type Portraits } from "./portraits.ts";
import { createPresetRecords, type PresetRecords } from "./preset-records.ts";
import { PROMPT_SOURCES } from "./prompt-sources.ts";
import { personalityRoutes, type RouteParts } from "./routes.ts";
import { personalities, presets } from "./schema.ts";
import { createSubjects, type Subjects } from "./subjects.ts";
import { personalitySection } from "./transfer.ts";

const Presets = serviceKey<PresetRecords>("personality.presets");
const Current = serviceKey<CurrentRecord>("personality.current");
const OwnPortraits = serviceKey<Portraits>("personality.portraits");
const OwnSubjects = serviceKey<Subjects>("personality.subjects");
const Exports = serviceKey<CardExport>("personality.exports");

/** Who speaks where no character is bound, presets to make characters of, and character cards in every container. */
export default definePlugin({
  id: "personality",
  requires: [Databases, Files, RecordStore, Settings],
  register(context) {
    const { provide, contribute } = context;
    provide(Presets, presetsFrom);
    provide(Current, currentFrom);
    provide(OwnPortraits, (from) =>
      createPortraits({
        files: () => from.get(Files),
        fields: () => from.all(PictureFields),
        clock: from.get(Clock),
      }),
    );
    provide(OwnSubjects, (from) =>
      createSubjects({
        presets: from.get(Presets),
        characters: () => from.get(Characters),
        lorebooks: () => from.find(Lorebooks),
      }),
    );
    provide(Exports, (from) =>
      createCardExport({
        presets: from.get(Presets),
        subjects: from.get(OwnSubjects),
        portraits: from.get(OwnPortraits),
        clock: from.get(Clock),
      }),
    );
    provide(CharacterPresets, (from) => from.get(Presets));
    provide(Personality, (from) => from.get(Current));
    contribute(SettingDefinitions, () => CARD_PLATFORMS);
    addRecords(context, presets);
    addRecords(context, personalities);
    addResource(context, presets, (from) => from.get(Presets).rows);
    contribute(RouteTables, (from) => personalityRoutes(routePartsFrom(from)));
    contribute(PictureFields, (from) => from.get(Presets).pictures);
    contribute(PictureFields, (from) => from.get(Current).pictures);
    for (const make of PROMPT_SOURCES) {
      contribute(PromptSources, (from) => make(from.get(Current), () => from.get(Settings).get(TIME_ZONE)));
    }
    contribute(TransferSections, (from) =>
      resourceSection({ id: "custom_presets", title: presets.title.many }, presets, () => from.get(Presets).rows),
    );
    contribute(TransferSections, (from) => personalitySection(() => from.get(Current)));
    for (const area of AREAS) contribute(ConsoleAreas, () => area);
  },
  async start({ get, defer }) {
    defer(await get(Current).start());
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

function presetsFrom(from: Resolver): PresetRecords {
  return createPresetRecords({
    stored: () => from.get(RecordStore).of(presets),
    database: () => from.get(Databases).main,
    events: from.get(LiveEvents),
    lorebooks: () => from.find(Lorebooks),
    leaving: (id) => from.get(Current).withoutPreset(id),
  });
}

function currentFrom(from: Resolver): CurrentRecord {
  return createCurrentPersonality({
    stored: () => from.get(RecordStore).of(personalities),
    database: () => from.get(Databases).main,
    events: from.get(LiveEvents),
    presets: () => from.get(Presets),
    first: () => firstPreset((name) => from.get(Environment).get(name)),
  });
}

function routePartsFrom(from: Resolver): RouteParts {
  const [records, portraits, subjects, exports] = [
    from.get(Presets),
    from.get(OwnPortraits),
    from.get(OwnSubjects),
    from.get(Exports),
  ];
  const imports = createCardImport({
    database: () => from.get(Databases).main,
    presets: records,
    characters: () => from.get(Characters),
    lorebooks: () => from.find(Lorebooks),
    portraits,
  });
  return {
    current: from.get(Current),
    said: () => ({
      seed: "preview",
      conversation: "preview",
      at: from.get(Clock).now(),
      timeZone: from.get(Settings).get(TIME_ZONE),
    }),
    presets: records,
    cards: { ...imports, ...exports },
    generated: createGenerated({ models: () => from.get(ModelCalls), subjects, portraits }),
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
