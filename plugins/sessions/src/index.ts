import {
  Channels,
  Characters,
  Clock,
  Collections,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  Files,
  Gateway,
  GROUP_MEMORY,
  JobKinds,
  Jobs,
  LiveEvents,
  Memories,
  MessageFilter,
  Models,
  People,
  PictureFields,
  Probes,
  PromptSources,
  RecordLifecycle,
  type Resolver,
  RouteTables,
  recordParts,
  Schedules,
  Sessions,
  SettingDefinitions,
  Settings,
  StateTimeline,
  Summaries,
  serviceKey,
  TextIndex,
  ToolTables,
  TurnStages,
  Workspaces,
} from "@parley/core";
import { createAdding } from "./adding.ts";
import { attach, giveVoice } from "./attach.ts";
import { createBranches } from "./branches.ts";
import { createBroadcasts } from "./broadcasts/broadcasts.ts";
import { broadcastJob } from "./broadcasts/send-job.ts";
import { type BroadcastStore, createBroadcastStore } from "./broadcasts/store.ts";
import { characterPart } from "./character-part.ts";
import { type Chat, createChat } from "./chat.ts";
import { createContextRows } from "./context-rows.ts";
import { createLastPrompts, debugOf, type LastPrompts } from "./debug.ts";
import { createExport } from "./export.ts";
import { createFolders } from "./folders.ts";
import { createImport } from "./import.ts";
import { createKeptMessages } from "./kept-messages.ts";
import { sessionTools } from "./mcp-tools.ts";
import { createMessageRows } from "./message-rows.ts";
import { createMessageSearch } from "./message-search.ts";
import { createMessageStore } from "./message-store.ts";
import { SESSION_MIGRATIONS } from "./migrations.ts";
import { createOperatorSend } from "./operator-send.ts";
import { now, type SessionParts } from "./parts.ts";
import { erasePersonJob } from "./people/erase-job.ts";
import { createErasures, type Erasures, type ErasuresDeps } from "./people/erasures.ts";
import { exportPerson } from "./people/export-person.ts";
import { listPeople } from "./people/list-people.ts";
import { SESSIONS_OF_PERSON } from "./people/person-part.ts";
import { peopleRoutes } from "./people/routes.ts";
import { peopleProbe } from "./people-today.ts";
import { sessionPictures } from "./pictures.ts";
import { createPlatformHistory } from "./platform-history.ts";
import { broadcastRoutes } from "./routes/broadcasts.ts";
import { chatRoutes } from "./routes/chat.ts";
import { contextRoutes } from "./routes/context.ts";
import { branchRoutes, keptRoutes, messageRoutes } from "./routes/messages.ts";
import { folderRoutes, sessionRoutes } from "./routes/sessions.ts";
import { transferRoutes } from "./routes/transfer.ts";
import { createSessionRows, type SessionRows } from "./session-rows.ts";
import { createSessionStore } from "./session-store.ts";
import { SWEEP, SWEEP_EVERY_MS, sweepJob } from "./temporary.ts";
import { createTimeline } from "./timeline.ts";
import { historyStage, recordReplyStage, recordUserStage } from "./turn-stages.ts";

/** Parts of every prompt, also where the plugin that gives one is not there. */
const LAYERS = [
  "app.behavior",
  "character.profile",
  "session.custom_prompt",
  "character.runtime_state",
  "character.relationship",
  "character.reaction_plan",
  "character.memories",
  "world_book",
  "knowledge.rag",
  "tool.instructions",
];

const Parts = serviceKey<SessionParts>("session-parts");
const Rows = serviceKey<SessionRows>("session-rows");
const OwnChat = serviceKey<Chat>("session-chat");
const Prompts = serviceKey<LastPrompts>("session-last-prompts");
const OwnErasures = serviceKey<Erasures>("session-erasures");
const OwnBroadcasts = serviceKey<BroadcastStore>("session-broadcasts");

/** Conversations and their history. */
export default definePlugin({
  id: "sessions",
  requires: [Databases, Settings],
  register({ provide, contribute }) {
    provide(Parts, partsFrom);
    provide(Rows, (from) => createSessionRows(from.get(Parts)));
    provide(OwnChat, (from) => createChat(from.get(Parts)));
    provide(Prompts, () => createLastPrompts());
    provide(OwnBroadcasts, (from) => {
      const parts = from.get(Parts);
      return createBroadcastStore(parts.database, () => now(parts));
    });
    provide(Sessions, sessionsFrom);
    provide(StateTimeline, (from) => from.get(Parts).timeline);
    contribute(RecordLifecycle, (from) => characterPart(from.get(Parts)));
    contribute(RecordLifecycle, () => SESSIONS_OF_PERSON);
    provide(OwnErasures, (from) => createErasures(erasuresDeps(from)));
    contribute(JobKinds, (from) => erasePersonJob(() => from.get(OwnErasures)));
    contribute(RouteTables, (from) =>
      peopleRoutes({
        erasures: () => from.get(OwnErasures),
        jobs: () => from.get(Jobs),
        now: from.get(Clock).now,
        list: (query) => listPeople(from.get(Databases).main, query),
        exportPerson: (person) => exportPerson(erasuresDeps(from), person),
      }),
    );
    contribute(PictureFields, (from) => sessionPictures(from.get(Parts)));
    contribute(SettingDefinitions, () => GROUP_MEMORY);
    contribute(Probes, (from) =>
      peopleProbe({
        database: () => from.get(Databases).main,
        settings: from.get(Settings),
        clock: from.get(Clock),
      }),
    );
    contribute(JobKinds, (from) => sweepJob(from.get(Parts), from.get(Rows)));
    contribute(TurnStages, (from) => recordUserStage(from.get(Parts)));
    contribute(TurnStages, (from) => historyStage(from.get(Parts)));
    contribute(TurnStages, (from) => recordReplyStage(from.get(Parts)));
    contribute(TurnStages, (from) => from.get(Prompts).stage);
    contribute(
      ConsoleAreas,
      (): ConsoleArea => ({
        id: "conversations",
        group: "chat",
        title: { en: "Conversations", zh: "会话" },
        icon: "chat",
        order: 10,
        view: { kind: "page", page: "conversations" },
      }),
    );
    contribute(RouteTables, (from) => {
      const { sessions } = from.get(Parts);
      const debug = (id: string) => debugOf(from.get(Parts), from.get(Prompts), id);
      return sessionRoutes(from.get(Rows), (id) => sessions.get(id), debug);
    });
    contribute(RouteTables, (from) => {
      const parts = from.get(Parts);
      const adding = createAdding(parts);
      return messageRoutes(createMessageRows(parts, adding), createOperatorSend(parts, adding));
    });
    contribute(RouteTables, (from) =>
      branchRoutes(createBranches(from.get(Parts)), createMessageSearch(from.get(Parts))),
    );
    contribute(RouteTables, (from) => keptRoutes(createKeptMessages(from.get(Parts))));
    contribute(RouteTables, (from) => broadcastRoutes(createBroadcasts(broadcastParts(from))));
    contribute(JobKinds, (from) => broadcastJob({ ...broadcastParts(from), adding: createAdding(from.get(Parts)) }));
    contribute(
      ConsoleAreas,
      (): ConsoleArea => ({
        id: "broadcasts",
        group: "connections",
        title: { en: "Broadcasts", zh: "群发" },
        icon: "send",
        order: 15,
        scope: "admin",
        view: { kind: "page", page: "broadcasts" },
      }),
    );
    contribute(
      ConsoleAreas,
      (): ConsoleArea => ({
        id: "person-data",
        group: "safety",
        title: { en: "People", zh: "用户数据" },
        icon: "archive",
        scope: "admin",
        view: { kind: "page", page: "people" },
      }),
    );
    contribute(RouteTables, (from) => folderRoutes(createFolders(from.get(Parts))));
    contribute(RouteTables, (from) => chatRoutes(from.get(OwnChat)));
    contribute(RouteTables, (from) => contextRoutes(createContextRows(from.get(Parts))));
    contribute(RouteTables, (from) => transferRoutes(createExport(from.get(Parts)), createImport(from.get(Parts))));
    contribute(ToolTables, (from) => {
      const { sessions, messages, gateway } = from.get(Parts);
      const outcome = (traceId: string, signal: AbortSignal) => gateway().outcome(traceId, signal);
      return sessionTools({ rows: from.get(Rows), sessions, messages, chat: from.get(OwnChat), outcome });
    });
  },
  async start({ get }) {
    await get(Databases).main.migrate("sessions", SESSION_MIGRATIONS);
  },
  async ready({ find }) {
    const often = { everyMs: SWEEP_EVERY_MS, madeUpWithinMs: 24 * 3_600_000 };
    await find(Schedules)?.put({ id: SWEEP, kind: SWEEP, payload: {}, ...often });
  },
});

const broadcastParts = (from: Resolver) => ({
  parts: from.get(Parts),
  store: from.get(OwnBroadcasts),
  jobs: () => from.get(Jobs),
});

function erasuresDeps(from: Resolver): ErasuresDeps {
  return {
    database: () => from.get(Databases).main,
    people: () => from.find(People),
    stored: () => from.get(Collections).open("person-erasures"),
    parts: () => from.get(Parts),
    rows: () => from.get(Rows),
    personParts: () => from.all(RecordLifecycle).filter(({ of }) => of === "person"),
    texts: () => from.find(TextIndex),
    compact: async () => from.get(Databases).compact?.(),
    events: from.get(LiveEvents),
  };
}

function partsFrom(from: Resolver): SessionParts {
  const clock = from.get(Clock);
  const database = () => from.get(Databases).main;
  return {
    sessions: createSessionStore(
      database,
      () => from.find(Gateway),
      clock,
      () => from.find(Characters),
      () => from.find(Channels),
    ),
    messages: createMessageStore(database, () => from.get(Databases).isShared === true),
    database,
    events: from.get(LiveEvents),
    clock,
    settings: from.get(Settings),
    gateway: () => from.get(Gateway),
    channels: () => from.find(Channels),
    filter: () => from.find(MessageFilter),
    characters: () => from.find(Characters),
    models: () => from.find(Models),
    memories: () => from.find(Memories),
    summaries: () => from.get(Summaries),
    files: () => from.find(Files),
    workspaces: () => from.find(Workspaces),
    timeline: createTimeline(database),
    belongings: recordParts(() => from.all(RecordLifecycle), "session"),
    promptKeys: () => [...LAYERS, ...from.all(PromptSources).map(({ key, id }) => key ?? id)],
  };
}

function sessionsFrom(from: Resolver): Sessions {
  const { sessions, messages } = from.get(Parts);
  const rows = from.get(Rows);
  const chat = from.get(OwnChat);
  return {
    find: sessions.find,
    boundTo: sessions.boundTo,
    get: sessions.get,
    messagesById: messages.byIds,
    storedMessages: messages.storedByIds,
    counts: sessions.counts,
    activeSince: sessions.activeSince,
    history: async (id, limit) => messages.history(await sessions.get(id), limit),
    customPrompt: sessions.promptOf,
    openFor: rows.openFor,
    nameAutomatically: rows.nameAutomatically,
    create: rows.create,
    openOwn: rows.openOwn,
    attach: (sessionId, messageId, attachment) => attach(from.get(Parts), { sessionId, messageId, attachment }),
    giveVoice: (sessionId, messageId, audioUrl) => giveVoice(from.get(Parts), { sessionId, messageId, audioUrl }),
    published: rows.published,
    useModel: (id, model_id) => rows.update(id, { model_id }),
    chat: chat.chat,
    regenerate: chat.regenerate,
    async list({ channelId: channel_id, archived = "all", ...query }) {
      const { next_cursor: _cursor, ...list } = await sessions.list({ ...query, archived, channel_id });
      return list;
    },
    async messages(idOrKey, query) {
      const session = await sessions.get(idOrKey);
      return messages.page(session, { ...query, include_system: false, include_hidden: false });
    },
    ...createPlatformHistory(from.get(Parts), rows),
  };
}
