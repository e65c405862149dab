import { randomBytes } from "node:crypto";
import {
  Caches,
  Clock,
  Collections,
  createSecrets,
  type Database,
  Databases,
  type DocumentKind,
  DocumentKinds,
  LiveEvents,
  RecordKinds,
  RecordStore,
  Redaction,
  type Resolver,
  type Resource,
  SecretBox,
  Secrets,
  type ServiceKey,
  silentLogger,
  systemClock,
} from "@parley/core";
import { createCaches, createDocuments, createRecordStore, createSecretBox } from "@parley/plugin-records/record-store";
import { memoryDatabase, memoryDatabases } from "./memory-database.ts";
import { recordedEvents } from "./test-services.ts";

/** Options of the in-memory record store. */
export interface MemoryRecordStoreOptions {
  /** Returns the kinds that plugins have declared; others are rejected, as by the service. */
  readonly kinds: () => readonly Resource[];
  /** Declared kinds of documents; default: none. */
  readonly documents?: () => readonly DocumentKind<never>[];
  readonly database?: Database;
  /** Provides the encryption of secrets, and the redaction that learns them; default: with a key of this process. */
  readonly secrets?: Pick<Resolver, "get">;
  readonly events?: LiveEvents;
  readonly clock?: Clock;
}

const key = randomBytes(32);
/** Encryption with a key that exists only in this process. */
const services = new Map<ServiceKey<unknown>, unknown>([
  [SecretBox, createSecretBox(() => key)],
  [Redaction, { mask: (value: unknown) => value, toMaskedJson: JSON.stringify, remember: () => {} }],
]);
const secretServices: Pick<Resolver, "get"> = { get: <T>(key: ServiceKey<T>) => services.get(key) as T };

services.set(Secrets, createSecrets(secretServices));

/** Returns the service that encrypts secrets, with a key that exists only in this process. */
export function memorySecrets(): Secrets {
  return secretServices.get(Secrets);
}

function memoryDocuments(
  database: Database,
  kinds: () => readonly DocumentKind[] = () => [],
  from: Pick<Resolver, "get"> = secretServices,
) {
  return createDocuments({
    database: () => database,
    alone: (_name, work) => work(),
    signals: () => undefined,
    kinds,
    from,
    log: silentLogger,
  });
}

/**
 * Creates in-memory collections for a test.
 * @deprecated Use `memoryRecordStore`.
 */
export function memoryCollections(): Collections {
  return memoryDocuments(memoryDatabase());
}

/** Creates the service's record store over an in-memory database, for the records of a plugin's resources. */
export function memoryRecordStore({
  kinds,
  documents = () => [],
  database = memoryDatabase(),
  secrets = secretServices,
  events = recordedEvents(),
  clock = systemClock,
}: MemoryRecordStoreOptions): RecordStore {
  return createRecordStore({
    database: () => database,
    // No other process has these records.
    remoteChanges: {
      forKind: () => ({ toNotifyWrites: () => [], onElsewhere: () => () => {} }),
      listen: () => () => {},
    },
    events,
    clock,
    files: () => undefined,
    kinds,
    documents: memoryDocuments(database, documents, secrets),
    from: secrets,
    log: silentLogger,
  });
}

/** Creates in-memory caches for a test; they end with its process. */
export function memoryCaches(): Caches {
  return createCaches({ path: ":memory:", log: silentLogger });
}

/**
 * In-memory services for a plugin with records: databases, collections, records, caches, live events and the clock.
 * Pass it to `startPlugins` as it is: `{ services: memoryServices }`.
 */
export function memoryServices(
  from: Pick<Resolver, "all">,
): readonly (readonly [key: ServiceKey<unknown>, service: unknown])[] {
  const databases = memoryDatabases();
  const events = recordedEvents();
  return [
    [Databases, databases],
    [Collections, memoryDocuments(databases.main)],
    [
      RecordStore,
      memoryRecordStore({
        kinds: () => from.all(RecordKinds),
        documents: () => from.all(DocumentKinds),
        database: databases.main,
        events,
      }),
    ],
    [Caches, memoryCaches()],
    [LiveEvents, events],
    [Clock, systemClock],
  ];
}
