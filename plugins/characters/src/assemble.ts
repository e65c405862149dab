import {
  Clock,
  Databases,
  Egress,
  Environment,
  Files,
  Gateway,
  Jobs,
  LiveEvents,
  Lorebooks,
  ModelCalls,
  PictureFields,
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
import { createCardExport } from "./cards/card-export.ts";
import { createCardGenerator } from "./cards/card-generator.ts";
import { createCardImport } from "./cards/card-import.ts";
import { createPlatforms } from "./cards/card-platforms.ts";
import { createSubjects } from "./cards/card-subjects.ts";
import { type CurrentRecord, createCurrentPersonality } from "./personality/current-personality.ts";
import { personalities } from "./personality/schema.ts";
import { createPersonaRecords } from "./personas/persona-records.ts";
import { personas } from "./personas/schema.ts";
import { createPortraits } from "./pictures/portraits.ts";
import { selectFirstPreset } from "./presets/built-in-presets.ts";
import { createPresetRecords, type PresetRecords } from "./presets/preset-records.ts";
import { presets as presetResource } from "./presets/schema.ts";
import { type CharacterRecords, createCharacterRecords } from "./records/character-records.ts";
import { createPeople } from "./records/people.ts";
import { characters, personLinks } from "./records/schema.ts";
import { openRunnerWhenUsed } from "./regex-scripts/open-runner.ts";
import { AUTO_STATE_INTERVAL } from "./settings.ts";
import { createAutoStateEffect } from "./state/auto-state.ts";
import { createLatestTurns } from "./state/latest-turns.ts";
import { createRuntimeStatus } from "./state/runtime-status.ts";
import { createStateService } from "./state/state-service.ts";
import { createStateStore, type StateStore } from "./state/state-store.ts";
import type { TurnStagesDeps } from "./turns/turn-stages.ts";

/** Creates the services of the plugin: characters, their states, people, presets, the personality and cards. */
export function assemble(from: Resolver) {
  const [clock, events, settings] = [from.get(Clock), from.get(LiveEvents), from.get(Settings)];
  const sessions = () => from.get(Sessions);
  const timeline = () => from.get(StateTimeline);
  const timeZone = () => settings.get(TIME_ZONE);
  const personRecords = () => from.get(RecordStore).of(personLinks);
  const states = createStateStore(() => from.get(Databases).main, clock);
  const { presets, current } = assemblePersonality(from);
  const records = assembleRecords(from, states, presets);
  const people = createPeople(personRecords);
  const personaRecords = createPersonaRecords({
    cached: () => from.get(RecordStore).cached(personas),
    stored: () => from.get(RecordStore).of(personas),
    people,
  });
  const latest = createLatestTurns(() => from.get(Redaction));
  const count = async () => (await from.get(RecordStore).of(characters).page({ limit: 1, offset: 0 })).total;
  const interval = () => settings.get(AUTO_STATE_INTERVAL);
  return {
    states,
    records,
    people,
    personas: personaRecords,
    personRecords,
    latest,
    presets,
    current,
    ...assembleCards(from, records, presets),
    sessions,
    count,
    models: () => from.get(ModelCalls),
    macroValues: () => ({ seed: "preview", conversation: "preview", at: clock.now(), timeZone: timeZone() }),
    timeZone,
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
    regexes: openRunnerWhenUsed(from),
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

/** Creates the presets and the current personality, which refer to each other. */
function assemblePersonality(from: Resolver): { readonly presets: PresetRecords; readonly current: CurrentRecord } {
  const [database, events] = [() => from.get(Databases).main, from.get(LiveEvents)];
  const presets = createPresetRecords({
    stored: () => from.get(RecordStore).of(presetResource),
    database,
    events,
    lorebooks: () => from.find(Lorebooks),
    releasePreset: (id) => current.releasePreset(id),
  });
  const current = createCurrentPersonality({
    stored: () => from.get(RecordStore).of(personalities),
    database,
    events,
    presets: () => presets,
    firstPreset: () => selectFirstPreset((name) => from.get(Environment).get(name)),
  });
  return { presets, current };
}

function assembleRecords(from: Resolver, states: StateStore, presets: PresetRecords): CharacterRecords {
  return createCharacterRecords({
    stored: () => from.get(RecordStore).of(characters),
    database: () => from.get(Databases).main,
    events: from.get(LiveEvents),
    states,
    presets,
    lifecycle: recordParts(() => from.all(RecordLifecycle), "character"),
    boundTo: async (id) => (await from.find(Sessions)?.boundTo(id)) ?? [],
    hasBook: async (id) => (await from.find(Lorebooks)?.existing([id]))?.has(id),
  });
}

/** Creates the import, export and generation of character cards, and their portraits. */
function assembleCards(from: Resolver, characterRecords: CharacterRecords, presets: PresetRecords) {
  const [clock, egress, environment] = [from.get(Clock), from.get(Egress), from.get(Environment)];
  const portraits = createPortraits({ files: () => from.get(Files), fields: () => from.all(PictureFields), clock });
  const database = () => from.get(Databases).main;
  const lorebooks = () => from.find(Lorebooks);
  const common = { presets, portraits, database, characters: characterRecords, lorebooks, clock };
  const subjects = createSubjects(common);
  const exports = createCardExport({ ...common, subjects });
  return {
    portraits,
    cards: { ...createCardImport(common), ...exports },
    generated: createCardGenerator({ ...common, models: () => from.get(ModelCalls), subjects }),
    platforms: createPlatforms({ ...common, settings: from.get(Settings), egress, environment, cards: exports }),
  };
}

function createMessagesAfter(sessions: () => Sessions): TurnStagesDeps["messagesAfter"] {
  return async (sessionId, { id }) => {
    const { items } = await sessions().messages(sessionId, { after: id, order: "asc", limit: 500, offset: 0 });
    return items.map((message) => message.id);
  };
}
