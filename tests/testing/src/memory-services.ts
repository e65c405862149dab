import {
  Clock,
  Collections,
  type Database,
  Databases,
  LiveEvents,
  RecordStore,
  type ServiceKey,
  systemClock,
} from "@parley/core";
import { createRecordStore } from "@parley/plugin-records/record-store";
import { memoryCollections } from "./memory-collections.ts";
import { memoryDatabase, memoryDatabases } from "./memory-database.ts";
import { recordedEvents } from "./test-services.ts";

/** What a record store tells about what changes, and when. */
export interface MemoryRecordStoreOptions {
  readonly database?: Database;
  readonly events?: LiveEvents;
  readonly clock?: Clock;
}

/** The service's own record store over a database in memory: the records of a plugin's resources, gone with the test. */
export function memoryRecordStore({
  database = memoryDatabase(),
  events = recordedEvents(),
  clock = systemClock,
}: MemoryRecordStoreOptions = {}): RecordStore {
  return createRecordStore({
    database: () => database,
    // Nobody else has these records.
    memories: { of: () => ({ telling: () => [], onElsewhere: () => () => {} }), listen: () => () => {} },
    events,
    clock,
    files: () => undefined,
  });
}

/**
 * What a plugin that keeps records needs of the service, all in memory: databases, collections, records, live events and
 * the clock. For `services` of `startPlugins`.
 */
export function memoryServices(): readonly (readonly [key: ServiceKey<unknown>, service: unknown])[] {
  const databases = memoryDatabases();
  const events = recordedEvents();
  return [
    [Databases, databases],
    [Collections, memoryCollections()],
    [RecordStore, memoryRecordStore({ database: databases.main, events })],
    [LiveEvents, events],
    [Clock, systemClock],
  ];
}
