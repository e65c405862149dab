import {
  addRecords,
  addResource,
  CharacterPresets,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  Files,
  Personality,
  PictureFields,
  PromptSources,
  RecordStore,
  RouteTables,
  SettingDefinitions,
  Settings,
  serviceKey,
  TransferSections,
} from "@parley/core";
import { resourceSection } from "@parley/core/transfer";
import { assemble } from "./assemble.ts";
import { CARD_PLATFORMS } from "./cards/card-platforms.ts";
import { PROMPT_SOURCES } from "./prompt-sources.ts";
import { createPersonalityRoutes } from "./routes.ts";
import { personalities, presets } from "./schema.ts";
import { createPersonalitySection } from "./transfer.ts";

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("personality.own");

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

/** The speaker of conversations without a character, presets for characters, and character cards in every container. */
export default definePlugin({
  id: "personality",
  requires: [Databases, Files, RecordStore, Settings],
  register(context) {
    const { provide, contribute } = context;
    provide(Own, assemble);
    provide(CharacterPresets, (from) => from.get(Own).presets);
    provide(Personality, (from) => from.get(Own).current);
    contribute(SettingDefinitions, () => CARD_PLATFORMS);
    addRecords(context, presets);
    addRecords(context, personalities);
    addResource(context, presets, (from) => from.get(Own).presets.rows);
    contribute(RouteTables, (from) => createPersonalityRoutes(from.get(Own)));
    contribute(PictureFields, (from) => from.get(Own).presets.pictures);
    contribute(PictureFields, (from) => from.get(Own).current.pictures);
    for (const createSource of PROMPT_SOURCES) {
      contribute(PromptSources, (from) => createSource(from.get(Own).current, from.get(Own).timeZone));
    }
    contribute(TransferSections, (from) =>
      resourceSection({ id: "custom_presets", title: presets.title.many }, presets, () => from.get(Own).presets.rows),
    );
    contribute(TransferSections, (from) => createPersonalitySection(() => from.get(Own).current));
    for (const area of AREAS) contribute(ConsoleAreas, () => area);
  },
  async start({ get, defer }) {
    defer(await get(Own).current.start());
  },
});
