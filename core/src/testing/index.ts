export { memoryCollections } from "./memory-collections.ts";
export { memoryDatabase, memoryDatabases } from "./memory-database.ts";
export { type CallOptions, type StartedPlugins, startPlugins, testCaller } from "./start-plugins.ts";
export { createTestClock, type RecordedEvents, recordedEvents, type TestClock } from "./test-services.ts";
