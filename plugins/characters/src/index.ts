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
import { autoStateEffect, autoStateJob } from "./auto-state.ts";
import { type CharacterRecords, createCharacterRecords } from "./character-records.ts";
import { createLatestTurns, type LatestTurns } from "./latest-turns.ts";
import { characterTools } from "./mcp-tools.ts";
import { createPeople, type People } from "./people.ts";
import { personPart } from "./person-part.ts";
import { PROMPT_SOURCES } from "./prompt-sources.ts";
import { characterRoutes } from "./routes.ts";
import { createRuntime, type Runtime } from "./runtime.ts";
import { characters, personLinks } from "./schema.ts";
import { AUTO_STATE_INTERVAL } from "./settings.ts";
import { createStanding, type Standing } from "./standing.ts";
import { type CharacterStates, createStates } from "./states.ts";
import { CHARACTER_MIGRATIONS } from "./tables.ts";
import { moveStage, planStage, type TurnParts } from "./turn-stages.ts";

const Records = serviceKey<CharacterRecords>("characters.records");
const States = serviceKey<CharacterStates>("characters.states");
const OwnPeople = serviceKey<People>("characters.people");
const OwnStanding = serviceKey<Standing>("characters.standing");
const Latest = serviceKey<LatestTurns>("characters.latest-turns");
const OwnRuntime = serviceKey<Runtime>("characters.runtime");
const Stages = serviceKey<TurnParts>("characters.turn-parts");

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

/** Characters with moods and relationships: the records, and what each answered message moves. */
export default definePlugin({
  id: "characters",
  requires: [Databases, RecordStore, Settings],
  register(context) {
    const { provide, contribute } = context;
    provide(States, (from) => createStates(() => from.get(Databases).main, from.get(Clock)));
    provide(Records, recordsFrom);
    provide(OwnPeople, (from) => createPeople(() => from.get(RecordStore).of(personLinks)));
    provide(LinkedPeople, (from) => from.get(OwnPeople));
    provide(OwnStanding, standingFrom);
    provide(Latest, (from) => createLatestTurns(() => from.get(Redaction)));
    provide(OwnRuntime, runtimeFrom);
    provide(Stages, turnPartsFrom);
    provide(Characters, (from) => {
      const {
        rows: _rows,
        remove: _remove,
        speaker: _speaker,
        all: _all,
        forget: _forget,
        follow: _follow,
        pictures: _pictures,
        ...records
      } = from.get(Records);
      const { moodOf, sceneOf, snapshotOf, restoring, withoutMessages } = from.get(OwnStanding);
      return { ...records, moodOf, sceneOf, snapshotOf, restoring, withoutMessages };
    });
    contribute(SettingDefinitions, () => AUTO_STATE_INTERVAL);
    addRecords(context, characters);
    addRecords(context, personLinks);
    addResource(context, characters, (from) => from.get(Records).rows);
    addResource(context, personLinks, (from) => from.get(OwnPeople).rows);
    contribute(RouteTables, (from) =>
      characterRoutes({
        records: from.get(Records),
        standing: from.get(OwnStanding),
        latest: from.get(Latest),
        runtime: from.get(OwnRuntime),
      }),
    );
    contribute(TurnStages, (from) => planStage(from.get(Stages)));
    contribute(TurnStages, (from) => moveStage(from.get(Stages)));
    for (const make of PROMPT_SOURCES) {
      contribute(PromptSources, (from) => make(from.get(Records), () => from.get(Settings).get(TIME_ZONE)));
    }
    contribute(JobKinds, (from) =>
      autoStateJob({
        records: from.get(Records),
        states: from.get(States),
        sessions: () => from.get(Sessions),
        models: () => from.get(ModelCalls),
        latest: from.get(Latest),
        runtime: from.get(OwnRuntime),
      }),
    );
    contribute(PictureFields, (from) => from.get(Records).pictures);
    contribute(RecordLifecycle, (from) => sessionPart(from.get(States)));
    contribute(Probes, (from) => ({
      id: "characters",
      stats: async () => ({ characters: await countCharacters(from) }),
    }));
    contribute(RecordLifecycle, (from) =>
      personPart(
        () => from.get(RecordStore).of(personLinks),
        () => from.get(OwnPeople),
      ),
    );
    contribute(ToolTables, (from) => characterTools(from.get(Records)));
    contribute(TransferSections, (from) =>
      resourceSection({ id: "characters", title: characters.title.many }, characters, () => from.get(Records).rows),
    );
    for (const area of AREAS) contribute(ConsoleAreas, () => area);
  },
  async start({ get, defer }) {
    await get(Databases).main.migrate("characters", CHARACTER_MIGRATIONS);
    defer(get(LiveEvents).subscribe(lateStickers(get(Latest))));
    defer(get(Records).follow());
    defer(get(OwnPeople).follow());
    get(OwnRuntime).start();
  },
});

/** Tells of pictures that come after their answers: the message they are hung on is told of again. */
function lateStickers(latest: LatestTurns) {
  return (event: LiveEvent) => {
    if (event.type !== "message_updated") return;
    const { message } = event.payload as { readonly message?: Message };
    const hasSticker = message?.attachments.some((one) => one.type === "sticker");
    if (hasSticker && message?.trace_id) latest.stickerCame(message.trace_id);
  };
}

/** What conversations take along: a copy has the state of its own, one that goes takes it with it. */
function sessionPart(states: CharacterStates): RecordPart {
  return {
    id: "characters.state",
    of: "session",
    removed: async (id) => [states.removingScope(sessionKey(id))],
    copied: async ({ from, to }) => [states.copyingScope(sessionKey(from), sessionKey(to))],
  };
}

function recordsFrom(from: Resolver): CharacterRecords {
  return createCharacterRecords({
    stored: () => from.get(RecordStore).of(characters),
    database: () => from.get(Databases).main,
    events: from.get(LiveEvents),
    states: from.get(States),
    presets: () => from.find(CharacterPresets),
    belongings: recordParts(() => from.all(RecordLifecycle), "character"),
    boundTo: async (id) => (await from.find(Sessions)?.boundTo(id)) ?? [],
    hasBook: async (id) => (await from.find(Lorebooks)?.existing([id]))?.has(id),
  });
}

function standingFrom(from: Resolver): Standing {
  return createStanding({
    records: from.get(Records),
    states: from.get(States),
    people: from.get(OwnPeople),
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

function runtimeFrom(from: Resolver): Runtime {
  return createRuntime({
    records: from.get(Records),
    states: from.get(States),
    clock: from.get(Clock),
    count: () => countCharacters(from),
    interval: () => from.get(Settings).get(AUTO_STATE_INTERVAL),
  });
}

function turnPartsFrom(from: Resolver): TurnParts {
  return {
    records: from.get(Records),
    states: from.get(States),
    people: from.get(OwnPeople),
    timeline: () => from.get(StateTimeline),
    latest: from.get(Latest),
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
