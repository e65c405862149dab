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
import { createBroadcasts } from "./broadcasts/broadcasts.ts";
import { broadcastJob } from "./broadcasts/send-job.ts";
import { type BroadcastStore, createBroadcastStore } from "./broadcasts/store.ts";
import { characterLifecycle } from "./conversations/character-lifecycle.ts";
import { createContextService } from "./conversations/context-service.ts";
import { createLastPrompts, getDebugInfo, type LastPrompts } from "./conversations/debug.ts";
import { createFolders } from "./conversations/folders.ts";
import { sessionPictures } from "./conversations/session-pictures.ts";
import { createSessionService, type SessionService } from "./conversations/session-service.ts";
import { SWEEP_INTERVAL_MS, SWEEP_TEMPORARY, temporarySweepJob } from "./conversations/temporary-sweep.ts";
import { sessionTools } from "./mcp-tools.ts";
import { createAddMessage } from "./messages/add-message.ts";
import { attachToMessage, setAudioUrl } from "./messages/attach.ts";
import { createBranches } from "./messages/branches.ts";
import { createPrepareDeliveryError } from "./messages/deliver-message.ts";
import { createMessageFeedback } from "./messages/message-feedback.ts";
import { createMessageSearch } from "./messages/message-search.ts";
import { createMessageService } from "./messages/message-service.ts";
import { createSendAsOperator } from "./messages/operator-send.ts";
import { createPlatformHistory } from "./messages/platform-history.ts";
import { activePeopleProbe } from "./people/active-people-probe.ts";
import { erasePersonJob } from "./people/erase-job.ts";
import { createErasures, type Erasures, type ErasuresDeps } from "./people/erasures.ts";
import { exportPerson } from "./people/export-person.ts";
import { listPeople } from "./people/list-people.ts";
import { PERSON_LIFECYCLE } from "./people/person-lifecycle.ts";
import { peopleRoutes } from "./people/routes.ts";
import { broadcastRoutes } from "./routes/broadcasts.ts";
import { chatRoutes } from "./routes/chat.ts";
import { contextRoutes } from "./routes/context.ts";
import { branchRoutes, feedbackRoutes, messageRoutes } from "./routes/messages.ts";
import { folderRoutes, sessionRoutes } from "./routes/sessions.ts";
import { transferRoutes } from "./routes/transfer.ts";
import { now, type SessionDeps } from "./session-deps.ts";
import { createMessageStore } from "./store/message-store.ts";
import { SESSION_MIGRATIONS } from "./store/migrations.ts";
import { createSessionStore } from "./store/session-store.ts";
import { createTimeline } from "./store/timeline.ts";
import { createSessionExporter } from "./transfer/export.ts";
import { createSessionImporter } from "./transfer/import.ts";
import { type Chat, createChat } from "./turns/chat.ts";
import { historyStage, recordReplyStage, recordUserStage } from "./turns/turn-stages.ts";

/** Keys of prompt parts that always exist, even without the plugin that provides one. */
const BUILT_IN_PROMPT_KEYS = [
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

const SessionDepsKey = serviceKey<SessionDeps>("session-parts");
const SessionServiceKey = serviceKey<SessionService>("session-rows");
const ChatKey = serviceKey<Chat>("session-chat");
const LastPromptsKey = serviceKey<LastPrompts>("session-last-prompts");
const ErasuresKey = serviceKey<Erasures>("session-erasures");
const BroadcastStoreKey = serviceKey<BroadcastStore>("session-broadcasts");

/** Conversations and their history. */
export default definePlugin({
  id: "sessions",
  requires: [Databases, Settings],
  register({ provide, contribute }) {
    provide(SessionDepsKey, createSessionDeps);
    provide(SessionServiceKey, (from) => createSessionService(from.get(SessionDepsKey)));
    provide(ChatKey, (from) => createChat(from.get(SessionDepsKey)));
    provide(LastPromptsKey, () => createLastPrompts());
    provide(BroadcastStoreKey, (from) => {
      const deps = from.get(SessionDepsKey);
      return createBroadcastStore(deps.database, () => now(deps));
    });
    provide(Sessions, createSessions);
    provide(StateTimeline, (from) => from.get(SessionDepsKey).timeline);
    contribute(RecordLifecycle, (from) => characterLifecycle(from.get(SessionDepsKey)));
    contribute(RecordLifecycle, () => PERSON_LIFECYCLE);
    provide(ErasuresKey, (from) => createErasures(erasuresDeps(from)));
    contribute(JobKinds, (from) => erasePersonJob(() => from.get(ErasuresKey)));
    contribute(RouteTables, (from) =>
      peopleRoutes({
        erasures: () => from.get(ErasuresKey),
        jobs: () => from.get(Jobs),
        now: from.get(Clock).now,
        list: (query) => listPeople(from.get(Databases).main, query),
        exportPerson: (person) => exportPerson(erasuresDeps(from), person),
      }),
    );
    contribute(PictureFields, (from) => sessionPictures(from.get(SessionDepsKey)));
    contribute(SettingDefinitions, () => GROUP_MEMORY);
    contribute(Probes, (from) =>
      activePeopleProbe({
        database: () => from.get(Databases).main,
        settings: from.get(Settings),
        clock: from.get(Clock),
      }),
    );
    contribute(JobKinds, (from) => temporarySweepJob(from.get(SessionDepsKey), from.get(SessionServiceKey)));
    contribute(TurnStages, (from) => recordUserStage(from.get(SessionDepsKey)));
    contribute(TurnStages, (from) => historyStage(from.get(SessionDepsKey)));
    contribute(TurnStages, (from) => recordReplyStage(from.get(SessionDepsKey)));
    contribute(TurnStages, (from) => from.get(LastPromptsKey).stage);
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
      const { sessions } = from.get(SessionDepsKey);
      const debug = (id: string) => getDebugInfo(from.get(SessionDepsKey), from.get(LastPromptsKey), id);
      return sessionRoutes(from.get(SessionServiceKey), (id) => sessions.get(id), debug);
    });
    contribute(RouteTables, (from) => {
      const deps = from.get(SessionDepsKey);
      const addMessage = createAddMessage(deps);
      return messageRoutes(createMessageService(deps, addMessage), createSendAsOperator(deps, addMessage));
    });
    contribute(RouteTables, (from) =>
      branchRoutes(createBranches(from.get(SessionDepsKey)), createMessageSearch(from.get(SessionDepsKey))),
    );
    contribute(RouteTables, (from) => feedbackRoutes(createMessageFeedback(from.get(SessionDepsKey))));
    contribute(RouteTables, (from) => broadcastRoutes(createBroadcasts(broadcastDeps(from))));
    contribute(JobKinds, (from) =>
      broadcastJob({ ...broadcastDeps(from), addMessage: createAddMessage(from.get(SessionDepsKey)) }),
    );
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
    contribute(RouteTables, (from) => folderRoutes(createFolders(from.get(SessionDepsKey))));
    contribute(RouteTables, (from) => chatRoutes(from.get(ChatKey)));
    contribute(RouteTables, (from) => contextRoutes(createContextService(from.get(SessionDepsKey))));
    contribute(RouteTables, (from) =>
      transferRoutes(createSessionExporter(from.get(SessionDepsKey)), createSessionImporter(from.get(SessionDepsKey))),
    );
    contribute(ToolTables, (from) => {
      const { sessions, messages, gateway } = from.get(SessionDepsKey);
      const outcome = (traceId: string, signal: AbortSignal) => gateway().outcome(traceId, signal);
      return sessionTools({
        service: from.get(SessionServiceKey),
        sessions,
        messages,
        chat: from.get(ChatKey),
        outcome,
      });
    });
  },
  async start({ get }) {
    await get(Databases).main.migrate("sessions", SESSION_MIGRATIONS);
  },
  async ready({ find }) {
    const schedule = { everyMs: SWEEP_INTERVAL_MS, madeUpWithinMs: 24 * 3_600_000 };
    await find(Schedules)?.put({ id: SWEEP_TEMPORARY, kind: SWEEP_TEMPORARY, payload: {}, ...schedule });
  },
});

const broadcastDeps = (from: Resolver) => ({
  deps: from.get(SessionDepsKey),
  store: from.get(BroadcastStoreKey),
  jobs: () => from.get(Jobs),
});

function erasuresDeps(from: Resolver): ErasuresDeps {
  return {
    database: () => from.get(Databases).main,
    people: () => from.find(People),
    stored: () => from.get(Collections).open("person-erasures"),
    sessionDeps: () => from.get(SessionDepsKey),
    sessionService: () => from.get(SessionServiceKey),
    personLifecycles: () => from.all(RecordLifecycle).filter(({ of }) => of === "person"),
    texts: () => from.find(TextIndex),
    compact: async () => from.get(Databases).compact?.(),
    events: from.get(LiveEvents),
  };
}

function createSessionDeps(from: Resolver): SessionDeps {
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
    lifecycle: recordParts(() => from.all(RecordLifecycle), "session"),
    promptKeys: () => [...BUILT_IN_PROMPT_KEYS, ...from.all(PromptSources).map(({ key, id }) => key ?? id)],
  };
}

function createSessions(from: Resolver): Sessions {
  const { sessions, messages } = from.get(SessionDepsKey);
  const service = from.get(SessionServiceKey);
  const chat = from.get(ChatKey);
  return {
    find: sessions.find,
    boundTo: sessions.findByCharacter,
    get: sessions.get,
    messagesById: messages.byIds,
    storedMessages: messages.readByIds,
    counts: sessions.countMessages,
    activeSince: sessions.countActive,
    history: async (id, limit) => messages.history(await sessions.get(id), limit),
    customPrompt: sessions.cachedCustomPrompt,
    openFor: service.openFor,
    nameAutomatically: service.nameAutomatically,
    create: service.create,
    openOwn: service.openOwn,
    attach: (sessionId, messageId, attachment) =>
      attachToMessage(from.get(SessionDepsKey), { sessionId, messageId, attachment }),
    giveVoice: (sessionId, messageId, audioUrl) =>
      setAudioUrl(from.get(SessionDepsKey), { sessionId, messageId, audioUrl }),
    published: service.published,
    useModel: (id, model_id) => service.update(id, { model_id }),
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
    prepareDeliveryError: createPrepareDeliveryError(from.get(SessionDepsKey)),
    ...createPlatformHistory(from.get(SessionDepsKey), service),
  };
}
