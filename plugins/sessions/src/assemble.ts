import {
  Channels,
  Characters,
  Clock,
  Databases,
  Files,
  Gateway,
  Jobs,
  LiveEvents,
  Memories,
  MessageFilter,
  Models,
  People,
  Personas,
  PromptSources,
  RecordLifecycle,
  RecordStore,
  type Resolver,
  Settings,
  Summaries,
  TextIndex,
  Workspaces,
} from "@parley/core";
import { recordParts } from "@parley/core/storage";
import { createBroadcastStore } from "./broadcasts/store.ts";
import { createLastPrompts } from "./conversations/debug.ts";
import { createSessionService, type SessionService } from "./conversations/session-service.ts";
import { createAddMessage } from "./messages/add-message.ts";
import { createErasures, type ErasuresDeps, PERSON_ERASURES } from "./people/erasures.ts";
import { now, type SessionDeps } from "./session-deps.ts";
import { createMessageStore } from "./store/message-store.ts";
import { createSessionStore } from "./store/session-store.ts";
import { createTimeline } from "./store/timeline.ts";
import { createChat } from "./turns/chat.ts";

/** Keys of prompt parts that always exist, even when the plugin that provides one is disabled. */
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

/** Creates the services of the plugin: conversations with their messages, erasures and broadcasts. */
export function assemble(from: Resolver) {
  const deps = assembleDeps(from);
  const service = createSessionService(deps);
  const erasing = assembleErasing(from, deps, service);
  const jobs = () => from.get(Jobs);
  return {
    deps,
    service,
    chat: createChat(deps),
    lastPrompts: createLastPrompts(),
    addMessage: createAddMessage(deps),
    erasing,
    erasures: createErasures(erasing),
    broadcasting: { deps, jobs, store: createBroadcastStore(deps.database, () => now(deps)) },
    jobs,
  };
}

function assembleDeps(from: Resolver): SessionDeps {
  const clock = from.get(Clock);
  const database = () => from.get(Databases).main;
  const channels = () => from.find(Channels);
  const characters = () => from.find(Characters);
  return {
    sessions: createSessionStore(database, () => from.find(Gateway), clock, characters, channels),
    messages: createMessageStore(database, () => from.get(Databases).isShared === true),
    database,
    events: from.get(LiveEvents),
    clock,
    settings: from.get(Settings),
    gateway: () => from.get(Gateway),
    jobs: () => from.get(Jobs),
    channels,
    filter: () => from.find(MessageFilter),
    characters,
    personas: () => from.find(Personas),
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

function assembleErasing(from: Resolver, deps: SessionDeps, service: SessionService): ErasuresDeps {
  return {
    database: deps.database,
    people: () => from.find(People),
    stored: () => from.get(RecordStore).documents(PERSON_ERASURES),
    sessionDeps: () => deps,
    sessionService: () => service,
    personLifecycles: () => from.all(RecordLifecycle).filter(({ of }) => of === "person"),
    texts: () => from.find(TextIndex),
    compact: async () => from.get(Databases).compact?.(),
    events: deps.events,
  };
}
