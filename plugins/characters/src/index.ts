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
  Gateway,
  JobKinds,
  Jobs,
  People as LinkedPeople,
  type LiveEvent,
  LiveEvents,
  Lorebooks,
  type Message,
  ModelCalls,
  PictureFields,
  Probes,
  PromptSources,
  RecordLifecycle,
  type RecordPart,
  RecordStore,
  Redaction,
  type Resolver,
  RouteTables,
  recordParts,
  resourceSection,
  Sessions,
  SettingDefinitions,
  Settings,
  StateTimeline,
  serviceKey,
  sessionKey,
  TIME_ZONE,
  ToolTables,
  TransferSections,
  TurnStages,
} from "@parley/core";
import { characterTools } from "./mcp-tools.ts";
import { type CharacterRecords, createCharacterRecords } from "./records/character-records.ts";
import { createPeople, type People } from "./records/people.ts";
import { personLifecycle } from "./records/person-lifecycle.ts";
import { characters, personLinks } from "./records/schema.ts";
import { characterRoutes } from "./routes.ts";
import { AUTO_STATE_INTERVAL } from "./settings.ts";
import { autoStateEffect, autoStateJob } from "./state/auto-state.ts";
import { createLatestTurns, type LatestTurns } from "./state/latest-turns.ts";
import { CHARACTER_MIGRATIONS } from "./state/migrations.ts";
import { createRuntimeStatus, type RuntimeStatus } from "./state/runtime-status.ts";
import { createStateService, type StateService } from "./state/state-service.ts";
import { createStateStore, type StateStore } from "./state/state-store.ts";
import { PROMPT_SOURCES } from "./turns/prompt-sources.ts";
import { reactionStage, stateUpdateStage, type TurnStagesDeps } from "./turns/turn-stages.ts";

const RecordsKey = serviceKey<CharacterRecords>("characters.records");
const StateStoreKey = serviceKey<StateStore>("characters.states");
const PeopleKey = serviceKey<People>("characters.people");
const StateServiceKey = serviceKey<StateService>("characters.standing");
const LatestTurnsKey = serviceKey<LatestTurns>("characters.latest-turns");
const RuntimeStatusKey = serviceKey<RuntimeStatus>("characters.runtime");
const TurnStagesDepsKey = serviceKey<TurnStagesDeps>("characters.turn-parts");

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
];

/** Characters with moods and relationships: the records, and the changes by each answered message. */
export default definePlugin({
  id: "characters",
  requires: [Databases, RecordStore, Settings],
  register(context) {
    const { provide, contribute } = context;
    provide(StateStoreKey, (from) => createStateStore(() => from.get(Databases).main, from.get(Clock)));
    provide(RecordsKey, createRecords);
    provide(PeopleKey, (from) => createPeople(() => from.get(RecordStore).of(personLinks)));
    provide(LinkedPeople, (from) => from.get(PeopleKey));
    provide(StateServiceKey, createStateServiceFrom);
    provide(LatestTurnsKey, (from) => createLatestTurns(() => from.get(Redaction)));
    provide(RuntimeStatusKey, createRuntime);
    provide(TurnStagesDepsKey, createTurnStagesDeps);
    provide(Characters, (from) => {
      const {
        rows: _rows,
        remove: _remove,
        findSpeaker: _speaker,
        all: _all,
        clearCache: _forget,
        subscribe: _follow,
        pictures: _pictures,
        ...records
      } = from.get(RecordsKey);
      const { moodOf, sceneOf, snapshotOf, restoring, withoutMessages } = from.get(StateServiceKey);
      return { ...records, moodOf, sceneOf, snapshotOf, restoring, withoutMessages };
    });
    contribute(SettingDefinitions, () => AUTO_STATE_INTERVAL);
    addRecords(context, characters);
    addRecords(context, personLinks);
    addResource(context, characters, (from) => from.get(RecordsKey).rows);
    addResource(context, personLinks, (from) => from.get(PeopleKey).rows);
    contribute(RouteTables, (from) =>
      characterRoutes({
        records: from.get(RecordsKey),
        stateService: from.get(StateServiceKey),
        latest: from.get(LatestTurnsKey),
        runtime: from.get(RuntimeStatusKey),
      }),
    );
    contribute(TurnStages, (from) => reactionStage(from.get(TurnStagesDepsKey)));
    contribute(TurnStages, (from) => stateUpdateStage(from.get(TurnStagesDepsKey)));
    for (const make of PROMPT_SOURCES) {
      contribute(PromptSources, (from) => make(from.get(RecordsKey), () => from.get(Settings).get(TIME_ZONE)));
    }
    contribute(JobKinds, (from) =>
      autoStateJob({
        records: from.get(RecordsKey),
        states: from.get(StateStoreKey),
        sessions: () => from.get(Sessions),
        models: () => from.get(ModelCalls),
        latest: from.get(LatestTurnsKey),
        runtime: from.get(RuntimeStatusKey),
      }),
    );
    contribute(PictureFields, (from) => from.get(RecordsKey).pictures);
    contribute(RecordLifecycle, (from) => sessionLifecycle(from.get(StateStoreKey)));
    contribute(Probes, (from) => ({
      id: "characters",
      stats: async () => ({ characters: await countCharacters(from) }),
    }));
    contribute(RecordLifecycle, (from) =>
      personLifecycle(
        () => from.get(RecordStore).of(personLinks),
        () => from.get(PeopleKey),
      ),
    );
    contribute(ToolTables, (from) => characterTools(from.get(RecordsKey)));
    contribute(TransferSections, (from) =>
      resourceSection({ id: "characters", title: characters.title.many }, characters, () => from.get(RecordsKey).rows),
    );
    for (const area of AREAS) contribute(ConsoleAreas, () => area);
  },
  async start({ get, defer }) {
    await get(Databases).main.migrate("characters", CHARACTER_MIGRATIONS);
    defer(get(LiveEvents).subscribe(trackStickers(get(LatestTurnsKey))));
    defer(get(RecordsKey).subscribe());
    defer(get(PeopleKey).subscribe());
    get(RuntimeStatusKey).start();
  },
});

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
function sessionLifecycle(states: StateStore): RecordPart {
  return {
    id: "characters.state",
    of: "session",
    removed: async (id) => [states.deleteScopeWrite(sessionKey(id))],
    copied: async ({ from, to }) => [states.copyScopeWrite(sessionKey(from), sessionKey(to))],
  };
}

function createRecords(from: Resolver): CharacterRecords {
  return createCharacterRecords({
    stored: () => from.get(RecordStore).of(characters),
    database: () => from.get(Databases).main,
    events: from.get(LiveEvents),
    states: from.get(StateStoreKey),
    presets: () => from.find(CharacterPresets),
    lifecycle: recordParts(() => from.all(RecordLifecycle), "character"),
    boundTo: async (id) => (await from.find(Sessions)?.boundTo(id)) ?? [],
    hasBook: async (id) => (await from.find(Lorebooks)?.existing([id]))?.has(id),
  });
}

function createStateServiceFrom(from: Resolver): StateService {
  return createStateService({
    records: from.get(RecordsKey),
    states: from.get(StateStoreKey),
    people: from.get(PeopleKey),
    sessions: () => from.get(Sessions),
    gateway: () => from.find(Gateway),
    timeline: () => from.get(StateTimeline),
    write: (writes) => from.get(Databases).main.write(writes),
    events: from.get(LiveEvents),
    clock: from.get(Clock),
  });
}

async function countCharacters(from: Resolver): Promise<number> {
  return (await from.get(RecordStore).of(characters).page({ limit: 1, offset: 0 })).total;
}

function createRuntime(from: Resolver): RuntimeStatus {
  return createRuntimeStatus({
    records: from.get(RecordsKey),
    states: from.get(StateStoreKey),
    clock: from.get(Clock),
    count: () => countCharacters(from),
    interval: () => from.get(Settings).get(AUTO_STATE_INTERVAL),
  });
}

function createTurnStagesDeps(from: Resolver): TurnStagesDeps {
  return {
    records: from.get(RecordsKey),
    states: from.get(StateStoreKey),
    people: from.get(PeopleKey),
    timeline: () => from.get(StateTimeline),
    latest: from.get(LatestTurnsKey),
    clock: from.get(Clock),
    async messagesAfter(sessionId, { id }) {
      const { items } = await from
        .get(Sessions)
        .messages(sessionId, { after: id, order: "asc", limit: 500, offset: 0 });
      return items.map((message) => message.id);
    },
    autoState(turn, note, answered) {
      const interval = turn.session.auto_state_interval ?? from.get(Settings).get(AUTO_STATE_INTERVAL);
      const jobs = interval > 0 && answered % interval === 0 ? from.find(Jobs) : undefined;
      return jobs && autoStateEffect(jobs, turn, note);
    },
  };
}
