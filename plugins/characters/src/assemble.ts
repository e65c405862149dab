import {
  CharacterPresets,
  Clock,
  Databases,
  Gateway,
  Jobs,
  LiveEvents,
  Lorebooks,
  ModelCalls,
  RecordLifecycle,
  RecordStore,
  Redaction,
  type Resolver,
  Sessions,
  Settings,
  StateTimeline,
  TIME_ZONE,
} from "@parley/core";
import { recordParts } from "@parley/core/storage";
import { createCharacterRecords } from "./records/character-records.ts";
import { createPeople } from "./records/people.ts";
import { characters, personLinks } from "./records/schema.ts";
import { AUTO_STATE_INTERVAL } from "./settings.ts";
import { createAutoStateEffect } from "./state/auto-state.ts";
import { createLatestTurns } from "./state/latest-turns.ts";
import { createRuntimeStatus } from "./state/runtime-status.ts";
import { createStateService } from "./state/state-service.ts";
import { createStateStore } from "./state/state-store.ts";
import type { TurnStagesDeps } from "./turns/turn-stages.ts";

/** Creates the services of the plugin: characters, their states, and people. */
export function assemble(from: Resolver) {
  const [clock, events, settings] = [from.get(Clock), from.get(LiveEvents), from.get(Settings)];
  const sessions = () => from.get(Sessions);
  const timeline = () => from.get(StateTimeline);
  const personRecords = () => from.get(RecordStore).of(personLinks);
  const states = createStateStore(() => from.get(Databases).main, clock);
  const records = assembleRecords(from, states);
  const people = createPeople(personRecords);
  const latest = createLatestTurns(() => from.get(Redaction));
  const count = async () => (await from.get(RecordStore).of(characters).page({ limit: 1, offset: 0 })).total;
  const interval = () => settings.get(AUTO_STATE_INTERVAL);
  return {
    states,
    records,
    people,
    personRecords,
    latest,
    sessions,
    count,
    models: () => from.get(ModelCalls),
    timeZone: () => settings.get(TIME_ZONE),
    stateService: createStateService({
      records,
      states,
      people,
      sessions,
      gateway: () => from.find(Gateway),
      timeline,
      write: (writes) => from.get(Databases).main.write(writes),
      events,
      clock,
    }),
    runtime: createRuntimeStatus({ records, states, clock, count, interval }),
    turns: {
      records,
      states,
      people,
      timeline,
      latest,
      clock,
      messagesAfter: createMessagesAfter(sessions),
      autoState(turn, note, answered) {
        const every = turn.session.auto_state_interval ?? interval();
        const jobs = every > 0 && answered % every === 0 ? from.find(Jobs) : undefined;
        return jobs && createAutoStateEffect(jobs, turn, note);
      },
    } satisfies TurnStagesDeps as TurnStagesDeps,
  };
}

function assembleRecords(from: Resolver, states: ReturnType<typeof createStateStore>) {
  return createCharacterRecords({
    stored: () => from.get(RecordStore).of(characters),
    database: () => from.get(Databases).main,
    events: from.get(LiveEvents),
    states,
    presets: () => from.find(CharacterPresets),
    lifecycle: recordParts(() => from.all(RecordLifecycle), "character"),
    boundTo: async (id) => (await from.find(Sessions)?.boundTo(id)) ?? [],
    hasBook: async (id) => (await from.find(Lorebooks)?.existing([id]))?.has(id),
  });
}

function createMessagesAfter(sessions: () => Sessions): TurnStagesDeps["messagesAfter"] {
  return async (sessionId, { id }) => {
    const { items } = await sessions().messages(sessionId, { after: id, order: "asc", limit: 500, offset: 0 });
    return items.map((message) => message.id);
  };
}
