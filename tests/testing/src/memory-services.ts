import { randomBytes } from "node:crypto";
import {
  Clock,
  Collections,
  type Database,
  Databases,
  LiveEvents,
  RecordKinds,
  RecordStore,
  Redaction,
  type Resolver,
  type Resource,
  SecretBox,
  type ServiceKey,
  silentLogger,
  systemClock,
} from "@parley/core";
import { createRecordStore, createSecretBox } from "@parley/plugin-records/record-store";
import { memoryCollections } from "./memory-collections.ts";
import { memoryDatabase, memoryDatabases } from "./memory-database.ts";
import { recordedEvents } from "./test-services.ts";

/** Options of the in-memory record store. */
export interface MemoryRecordStoreOptions {
  /** Kinds that plugins have declared; others are rejected, as by the service. */
  readonly kinds: () => readonly Resource[];
  readonly database?: Database;
  readonly events?: LiveEvents;
  readonly clock?: Clock;
}

const key = randomBytes(32);
/** Encryption with a key of this process. */
const secretServices = new Map<ServiceKey<unknown>, unknown>([
  [SecretBox, createSecretBox(() => key)],
  [Redaction, { mask: (value: unknown) => value, remember: () => {} }],
]);

/** Creates the service's record store over an in-memory database, for the records of a plugin's resources. */
export function memoryRecordStore({
  kinds,
  database = memoryDatabase(),
  events = recordedEvents(),
  clock = systemClock,
}: MemoryRecordStoreOptions): RecordStore {
  return createRecordStore({
    database: () => database,
    // Nobody else has these records.
    remoteChanges: {
      forKind: () => ({ toNotifyWrites: () => [], onElsewhere: () => () => {} }),
      listen: () => () => {},
    },
    events,
    clock,
    files: () => undefined,
    kinds,
    from: { get: <T>(key: ServiceKey<T>) => secretServices.get(key) as T },
    log: silentLogger,
  });
}

/**
 * In-memory services for a plugin with records: databases, collections, records, live events and the clock. Pass it
 * to `startPlugins` as it is: `{ services: memoryServices }`.
 */
export function memoryServices(
  from: Pick<Resolver, "all">,
): readonly (readonly [key: ServiceKey<unknown>, service: unknown])[] {
  const databases = memoryDatabases();
  const events = recordedEvents();
  return [
    [Databases, databases],
    [Collections, memoryCollections()],
    [RecordStore, memoryRecordStore({ kinds: () => from.all(RecordKinds), database: databases.main, events })],
    [LiveEvents, events],
    [Clock, systemClock],
  ];
}
