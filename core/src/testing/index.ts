export {
  type ChannelAdapterCase,
  channelAdapterContract,
  type FakePlatform,
} from "./channel-adapter-contract.ts";
export { memoryCollections } from "./memory-collections.ts";
export { memoryDatabase, memoryDatabases } from "./memory-database.ts";
export { type CallOptions, type StartedPlugins, startPlugins, testCaller } from "./start-plugins.ts";
export { collectionsContract, databasesContract } from "./storage-contract.ts";
export { createTestClock, type RecordedEvents, recordedEvents, type TestClock } from "./test-services.ts";
