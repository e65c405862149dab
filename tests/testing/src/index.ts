export { answerProblem, type Declared, type GivenAnswer } from "./answer-problem.ts";
export { blobStoreContract } from "./blob-store-contract.ts";
export {
  CHANNEL_ADAPTER_CHECKS,
  type ChannelAdapterCase,
  channelAdapterContract,
  type FakePlatform,
  type MakeCase,
  type PlatformFault,
  runChannelCheck,
} from "./channel-adapter-contract.ts";
export { memoryDatabase, memoryDatabases } from "./memory-database.ts";
export {
  type MemoryRecordStoreOptions,
  memoryCaches,
  memoryCollections,
  memoryRecordStore,
  memorySecrets,
  memoryServices,
} from "./memory-services.ts";
export {
  type ScriptedAnswer,
  type ScriptedCalls,
  type ScriptedCallsOptions,
  type ScriptedQuestion,
  scriptedCalls,
  scriptedModel,
} from "./scripted-calls.ts";
export { type CallOptions, type StartedPlugins, startPlugins, testCaller } from "./start-plugins.ts";
export { collectionsContract, databasesContract } from "./storage-contract.ts";
export {
  createTestClock,
  type RecordedEvents,
  recordedEvents,
  type TestClock,
  type TestSettings,
  testSettings,
} from "./test-services.ts";
export { applyEffects, type TestTurn, testContext, testTurn } from "./test-turn.ts";
export { type TorturedPlatform, type TortureOptions, tortureAdapter } from "./torture/torture-adapter.ts";
export type {
  TortureReport,
  /** @deprecated Use `TortureReport`. */ TortureReport as TortureVerdict,
} from "./torture/torture-report.ts";
