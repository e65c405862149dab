import {
  Budgets,
  Caches,
  Clock,
  Databases,
  Egress,
  Environment,
  GatewayLog,
  LiveEvents,
  type Logger,
  ModelProtocols,
  RecordStore,
  Redaction,
  type Resolver,
  Secrets,
  Settings,
  Signals,
  TIME_ZONE,
} from "@parley/core";
import { createBroadcast } from "@parley/core/storage";
import { createAttempts } from "./calls/attempts.ts";
import { createEmbeddingCache } from "./calls/embedding-cache.ts";
import { createModelCalls } from "./calls/model-calls.ts";
import { createFailover } from "./failover/failover.ts";
import { createHealth, type HealthUpdate, shortenUpdate } from "./failover/health.ts";
import { ACTIVE_MODELS, MODELS } from "./failover/model-priorities.ts";
import { createModelQueue } from "./failover/model-queue.ts";
import { createTokenBudget } from "./failover/token-budget.ts";
import { createUnsupportedFeatures } from "./failover/unsupported-features.ts";
import { AI_CONFIG, createAiConfig } from "./records/ai-config.ts";
import { createCatalog } from "./records/catalog.ts";
import { createConfiguration } from "./records/configuration.ts";
import { createKeyStore } from "./records/key-store.ts";
import { subscribeModelChanges } from "./records/model-changes.ts";
import { createModelRecords } from "./records/model-records.ts";
import { createModelTester } from "./records/model-tester.ts";
import { createTokenUsage } from "./usage/token-usage.ts";

/** Creates the services of the plugin: the records of models, and the calls to them. */
export function assemble(from: Resolver, log: Logger) {
  const records = assembleRecords(from);
  const { catalog, modelRecords, aiConfig, protocols } = records;
  const [clock, events, redaction] = [from.get(Clock), from.get(LiveEvents), from.get(Redaction)];
  const database = from.get(Databases).main;
  const budget = createTokenBudget({
    database,
    isShared: () => from.get(Databases).isShared === true,
    clock,
    timeZone: () => from.find(Settings)?.get(TIME_ZONE) ?? "UTC",
  });
  const usage = createTokenUsage({
    database,
    clock,
    log,
    budget,
    pricesOf: async (modelId) => (await modelRecords.listStored()).find(({ id }) => id === modelId),
  });
  const sharing = { database: () => database, signals: () => from.find(Signals), log };
  const healthUpdates = createBroadcast<HealthUpdate>("model-health", sharing);
  const health = createHealth(clock, (update) => healthUpdates.send(shortenUpdate(update)));
  const features = createUnsupportedFeatures();
  const modelQueue = createModelQueue({ health, budget, features, clock });
  const gatewayLog = () => from.find(GatewayLog);
  const attempts = createAttempts({
    catalog,
    modelQueue,
    features,
    usage,
    budgets: () => from.find(Budgets),
    clock,
    events,
    gatewayLog,
    log,
  });
  const cache = createEmbeddingCache(from.get(Caches));
  const runTest = createModelTester({ catalog, usage, clock, redaction });
  return {
    ...records,
    usage,
    health,
    healthUpdates,
    modelQueue,
    cache,
    calls: createModelCalls({ catalog, attempts, cache }),
    configuration: createConfiguration({ records: modelRecords, aiConfig, catalog, protocols, runTest }),
    failover: createFailover({ records: modelRecords, catalog, modelQueue }),
  };
}

function assembleRecords(from: Resolver) {
  const [clock, events, redaction] = [from.get(Clock), from.get(LiveEvents), from.get(Redaction)];
  const [records, environment] = [from.get(RecordStore), from.get(Environment)];
  const protocols = () => from.all(ModelProtocols);
  const keys = createKeyStore({ secrets: from.get(Secrets), environment });
  const shared = { keys, protocols, environment, events, clock };
  const modelRecords = createModelRecords({
    ...shared,
    models: records.documents(MODELS),
    pointers: records.documents(ACTIVE_MODELS),
    putTogether: records.putTogether,
  });
  const aiConfig = createAiConfig({ ...shared, documents: records.documents(AI_CONFIG) });
  return {
    keys,
    protocols,
    modelRecords,
    aiConfig,
    catalog: createCatalog({
      records: modelRecords,
      aiConfig,
      keys,
      protocols,
      environment,
      egress: from.get(Egress),
      redaction,
    }),
    onChanged: subscribeModelChanges({
      events,
      collections: [MODELS, ACTIVE_MODELS, AI_CONFIG].map((kind) => records.documents<{ readonly id: string }>(kind)),
    }),
  };
}
