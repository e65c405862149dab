import {
  addRecords,
  addResource,
  CharacterPresets,
  Characters,
  ChatCommands,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  Files,
  JobKinds,
  type LiveEvent,
  LiveEvents,
  type Message,
  People,
  Personality,
  Personas,
  PictureFields,
  Probes,
  PromptSources,
  RecordLifecycle,
  type RecordPart,
  RecordStore,
  type RegisterContext,
  RouteTables,
  Sessions,
  SettingDefinitions,
  Settings,
  serviceKey,
  ToolTables,
  TransferSections,
  TurnStages,
} from "@parley/core";
import { sessionKey } from "@parley/core/channels";
import { resourceSection } from "@parley/core/transfer";
import { assemble } from "./assemble.ts";
import { CARD_PLATFORMS } from "./cards/card-platforms.ts";
import { createCardRoutes } from "./cards/routes.ts";
import { createCharacterTools } from "./mcp-tools.ts";
import { createPersonalitySection } from "./personality/personality-section.ts";
import { createPersonalityRoutes } from "./personality/routes.ts";
import { personalities } from "./personality/schema.ts";
import { createPersonaCommand } from "./personas/persona-command.ts";
import { personas } from "./personas/schema.ts";
import { createPersonaLayer, createPersonaStage } from "./personas/turn-persona.ts";
import { createPortraitRoutes } from "./pictures/routes.ts";
import { presets } from "./presets/schema.ts";
import { createPersonLifecycle } from "./records/person-lifecycle.ts";
import { characters, personLinks } from "./records/schema.ts";
import { SCRIPT_STAGES, type ScriptStagesDeps } from "./regex-scripts/script-stages.ts";
import { createCharacterRoutes } from "./routes.ts";
import { AUTO_STATE_INTERVAL } from "./settings.ts";
import { createAutoStateJob } from "./state/auto-state.ts";
import type { LatestTurns } from "./state/latest-turns.ts";
import { CHARACTER_MIGRATIONS } from "./state/migrations.ts";
import type { StateStore } from "./state/state-store.ts";
import { PROMPT_SOURCES } from "./turns/prompt-sources.ts";
import { createReactionStage, createStateUpdateStage } from "./turns/turn-stages.ts";

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("characters.own");

const AREAS: readonly ConsoleArea[] = [
  {
    id: "characters",
    group: "bot",
    title: { en: "Characters", zh: "角色" },
    icon: "heart",
    view: { kind: "page", page: "characters" },
  },
  {
    id: "people",
    group: "bot",
    title: { en: "Linked people", zh: "关联用户" },
    icon: "people",
    scope: "admin",
    view: { kind: "resource", resource: personLinks.kind },
  },
  {
    id: "personas",
    group: "bot",
    title: { en: "Personas", zh: "用户设定" },
    icon: "people",
    view: { kind: "resource", resource: personas.kind },
  },
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

/** Registers characters, their states and relationships, and linked people. */
function registerCharacters(context: RegisterContext<unknown>): void {
  const { provide, contribute } = context;
  provide(People, (from) => from.get(Own).people);
  provide(Characters, (from) => createCharacters(from.get(Own)));
  contribute(SettingDefinitions, () => AUTO_STATE_INTERVAL);
  addRecords(context, characters);
  addRecords(context, personLinks);
  addResource(context, characters, (from) => from.get(Own).records.rows);
  addResource(context, personLinks, (from) => from.get(Own).people.rows);
  contribute(RouteTables, (from) => createCharacterRoutes(from.get(Own)));
  contribute(ToolTables, (from) => createCharacterTools(from.get(Own).records));
  contribute(TurnStages, (from) => createReactionStage(from.get(Own).turns));
  contribute(TurnStages, (from) => createStateUpdateStage(from.get(Own).turns));
  for (const create of SCRIPT_STAGES) contribute(TurnStages, (from) => create(toScriptDeps(from.get(Own))));
  contribute(JobKinds, (from) => createAutoStateJob(from.get(Own)));
  contribute(PictureFields, (from) => from.get(Own).records.pictures);
  contribute(RecordLifecycle, (from) => createSessionLifecycle(from.get(Own).states));
  contribute(RecordLifecycle, (from) => createPersonLifecycle(from.get(Own).personRecords, () => from.get(Own).people));
  contribute(TransferSections, (from) =>
    resourceSection({ id: "characters", title: characters.title.many }, characters, () => from.get(Own).records.rows),
  );
  contribute(Probes, (from) => ({
    id: "characters",
    stats: async () => ({ characters: await from.get(Own).count() }),
  }));
}

function toScriptDeps({ records, timeZone, regexes }: Own): ScriptStagesDeps {
  return { records, timeZone, runner: regexes.get };
}

/** Registers the personas of people. */
function registerPersonas(context: RegisterContext<unknown>): void {
  const { provide, contribute } = context;
  provide(Personas, (from) => from.get(Own).personas);
  addRecords(context, personas);
  addResource(context, personas, (from) => from.get(Own).personas.rows);
  contribute(TurnStages, (from) => createPersonaStage(from.get(Own).personas));
  contribute(PromptSources, (from) => createPersonaLayer(from.get(Own).timeZone));
  contribute(ChatCommands, (from) => createPersonaCommand(from.get(Own).personas, () => from.get(Sessions)));
  contribute(PictureFields, (from) => from.get(Own).personas.pictures);
  contribute(TransferSections, (from) =>
    resourceSection({ id: "personas", title: personas.title.many }, personas, () => from.get(Own).personas.ownRows),
  );
  contribute(RecordLifecycle, (from) => from.get(Own).personas.accountPart);
  contribute(RecordLifecycle, (from) => from.get(Own).personas.personPart);
}

/** Registers the personality of sessions without a character, presets, cards and portraits. */
function registerPersonality(context: RegisterContext<unknown>): void {
  const { provide, contribute } = context;
  provide(CharacterPresets, (from) => from.get(Own).presets);
  provide(Personality, (from) => from.get(Own).current);
  contribute(SettingDefinitions, () => CARD_PLATFORMS);
  addRecords(context, presets);
  addRecords(context, personalities);
  addResource(context, presets, (from) => from.get(Own).presets.rows);
  contribute(RouteTables, (from) => createPersonalityRoutes(from.get(Own)));
  contribute(RouteTables, (from) => createCardRoutes(from.get(Own)));
  contribute(RouteTables, (from) => createPortraitRoutes(from.get(Own).portraits));
  contribute(PictureFields, (from) => from.get(Own).presets.pictures);
  contribute(PictureFields, (from) => from.get(Own).current.pictures);
  contribute(TransferSections, (from) =>
    resourceSection({ id: "custom_presets", title: presets.title.many }, presets, () => from.get(Own).presets.rows),
  );
  contribute(TransferSections, (from) => createPersonalitySection(() => from.get(Own).current));
}

/** Characters with moods and relationships, the personality of conversations without a character, and character cards. */
export default definePlugin({
  id: "characters",
  requires: [Databases, Files, RecordStore, Settings],
  register(context) {
    context.provide(Own, assemble);
    // First, so that the name of the person is known to all texts with placeholders.
    registerPersonas(context);
    registerCharacters(context);
    registerPersonality(context);
    for (const create of PROMPT_SOURCES) context.contribute(PromptSources, (from) => create(from.get(Own)));
    for (const area of AREAS) context.contribute(ConsoleAreas, () => area);
  },
  async start({ get, defer }) {
    await get(Databases).main.migrate("characters", CHARACTER_MIGRATIONS);
    await get(RecordStore).cached(personas).load();
    const { latest, records, people, runtime, current } = get(Own);
    defer(await current.start());
    defer(get(LiveEvents).subscribe(trackStickers(latest)));
    defer(records.subscribe());
    defer(() => get(Own).regexes[Symbol.asyncDispose]());
    defer(people.subscribe());
    runtime.start();
  },
});

/** Creates the service with which other plugins use characters. */
function createCharacters({ records, stateService }: Own): Characters {
  const {
    rows: _rows,
    remove: _remove,
    findSpeaker: _findSpeaker,
    all: _all,
    clearCache: _clearCache,
    subscribe: _subscribe,
    pictures: _pictures,
    ...others
  } = records;
  const { moodOf, sceneOf, snapshotOf, restoring, withoutMessages } = stateService;
  return { ...others, moodOf, sceneOf, snapshotOf, restoring, withoutMessages };
}

/** Records stickers that arrive after their answer, by the update of the message they are attached to. */
function trackStickers(latest: LatestTurns) {
  return (event: LiveEvent) => {
    if (event.type !== "message_updated") return;
    const { message } = event.payload as { readonly message?: Message };
    const hasSticker = message?.attachments.some((one) => one.type === "sticker");
    if (hasSticker && message?.trace_id) latest.onStickerSent(message.trace_id);
  };
}

/** State of characters in sessions: copied and deleted with the session. */
function createSessionLifecycle(states: StateStore): RecordPart {
  return {
    id: "characters.state",
    of: "session",
    removed: async (id) => [states.deleteScopeWrite(sessionKey(id))],
    copied: async ({ from, to }) => [states.copyScopeWrite(sessionKey(from), sessionKey(to))],
  };
}
