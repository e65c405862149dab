import Joi from "@hapi/joi";
import {
  addResource,
  Checks,
  Clock,
  Collections,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  Egress,
  Environment,
  GatewayLog,
  LiveEvents,
  type Logger,
  ModelCalls,
  ModelProtocols,
  Models,
  Nodes,
  Probes,
  RecordLifecycle,
  type RecordPart,
  Redaction,
  type Resolver,
  RouteTables,
  runOnceVersionsMatch,
  type SealedCollection,
  SecretBox,
  SettingDefinitions,
  Settings,
  Signals,
  sealedCollection,
  serviceKey,
  TIME_ZONE,
  TokenUsage,
  ToolTables,
  TransferSections,
} from "@parley/core";
import { createAttempts } from "./calls/attempts.ts";
import { createEmbeddingCache, type EmbeddingCache } from "./calls/embedding-cache.ts";
import { createModelCalls } from "./calls/model-calls.ts";
import { createFailover } from "./failover/failover.ts";
import { createHealth, type Health } from "./failover/health.ts";
import { createHealthBroadcaster, subscribeHealth } from "./failover/health-broadcast.ts";
import { ACTIVE_MODELS, MODELS } from "./failover/model-priorities.ts";
import { createModelQueue, type ModelQueue } from "./failover/model-queue.ts";
import { createTokenBudget, type TokenBudget } from "./failover/token-budget.ts";
import { createUnsupportedFeatures, type UnsupportedFeatures } from "./failover/unsupported-features.ts";
import { modelTools } from "./mcp-tools.ts";
import { MODEL_MIGRATIONS } from "./migrations.ts";
import { offlineProtocol } from "./providers/offline-model.ts";
import { anthropicMessages, geminiGenerate, openaiChat, openaiResponses } from "./providers/protocols.ts";
import { type AiConfig, createAiConfig, type StoredAiConfig } from "./records/ai-config.ts";
import { type Catalog, createCatalog } from "./records/catalog.ts";
import { type Configuration, createConfiguration } from "./records/configuration.ts";
import { createKeyStore, type KeyStore } from "./records/key-store.ts";
import { subscribeModelChanges } from "./records/model-changes.ts";
import { createModelRecords, type ModelRecords } from "./records/model-records.ts";
import { models } from "./records/model-resource.ts";
import { createModelTester } from "./records/model-tester.ts";
import { CONNECTION_SECRETS, type StoredModel } from "./records/schema.ts";
import { aiConfigSection, modelsSection } from "./records/transfer.ts";
import { aiConfigRoutes, failoverRoutes, modelRoutes } from "./routes.ts";
import { CURRENCY } from "./settings.ts";
import { modelsCheck } from "./usage/check.ts";
import { modelsProbe } from "./usage/probe.ts";
import { createTokenUsage } from "./usage/token-usage.ts";

interface ModelsConfig {
  readonly offline_word_ms: number;
}

const DAY_MS = 86_400_000;

const AI_CONFIG = "ai-config";
const KeyStoreKey = serviceKey<KeyStore>("models.keys");
const StoredModelsKey = serviceKey<SealedCollection<StoredModel>>("models.stored");
const StoredConfigKey = serviceKey<SealedCollection<StoredAiConfig>>("models.stored-config");
const ModelRecordsKey = serviceKey<ModelRecords>("models.records");
const AiConfigKey = serviceKey<AiConfig>("models.ai-config");
const CatalogKey = serviceKey<Catalog>("models.catalog");
const ConfigurationKey = serviceKey<Configuration>("models.configuration");
const TokenBudgetKey = serviceKey<TokenBudget>("models.budget");
const HealthKey = serviceKey<Health>("models.health");
const UnsupportedFeaturesKey = serviceKey<UnsupportedFeatures>("models.refusals");
const ModelQueueKey = serviceKey<ModelQueue>("models.line");
const EmbeddingCacheKey = serviceKey<EmbeddingCache>("models.embedding-cache");
const TokenUsageKey = serviceKey<ReturnType<typeof createTokenUsage>>("models.usage");

/** Models plugin: model records and their wire protocols, the offline model, and usage cost. */
export default definePlugin<ModelsConfig>({
  id: "models",
  requires: [Collections, Databases, SecretBox],
  config: Joi.object<ModelsConfig, true>({
    offline_word_ms: Joi.number()
      .integer()
      .min(0)
      .max(5000)
      .default(0)
      .description("Milliseconds between words of the offline model"),
  }),
  register(context) {
    const { config, log, provide, contribute } = context;
    const sealing = { secrets: CONNECTION_SECRETS, log };
    provide(KeyStoreKey, keyStore);
    provide(StoredModelsKey, (from) =>
      sealedCollection<StoredModel>(from.get(Collections).open(MODELS), { ...sealing, owner: "model-request", from }),
    );
    provide(StoredConfigKey, (from) =>
      sealedCollection<StoredAiConfig>(from.get(Collections).open(AI_CONFIG), { ...sealing, owner: AI_CONFIG, from }),
    );
    provide(ModelRecordsKey, modelRecords);
    provide(AiConfigKey, aiConfig);
    provide(CatalogKey, catalog);
    provide(ConfigurationKey, configuration);
    provide(TokenUsageKey, (from) => tokenUsage(from, log));
    provide(TokenBudgetKey, tokenBudget);
    provide(HealthKey, (from) => health(from, log));
    provide(UnsupportedFeaturesKey, createUnsupportedFeatures);
    provide(ModelQueueKey, modelQueue);
    provide(EmbeddingCacheKey, (from) => {
      return createEmbeddingCache({ database: from.get(Databases).main, clock: from.get(Clock), log });
    });
    provide(Models, (from) => ({ ...from.get(CatalogKey), onChanged: modelChanges(from) }));
    provide(ModelCalls, (from) => modelCalls(from, log));
    provide(TokenUsage, (from) => from.get(TokenUsageKey));
    for (const protocol of [openaiChat, openaiResponses, anthropicMessages, geminiGenerate]) {
      contribute(ModelProtocols, () => protocol);
    }
    contribute(ModelProtocols, () => offlineProtocol(config.offline_word_ms));
    contribute(Checks, (from) =>
      modelsCheck(
        () => from.get(CatalogKey),
        () => from.get(ModelQueueKey),
      ),
    );
    contribute(Probes, (from) => {
      const usage = from.get(TokenUsageKey);
      const answers = () => isChatAvailable(from.get(CatalogKey), from.get(ModelQueueKey));
      return modelsProbe({
        models: from.get(Models),
        isChatAvailable: answers,
        usage,
        times: usage.times,
        clock: from.get(Clock),
      });
    });
    contribute(
      ConsoleAreas,
      (): ConsoleArea => ({
        id: "models",
        group: "bot",
        title: { en: "Models", zh: "模型" },
        icon: "model",
        order: 10,
        scope: "admin",
        view: { kind: "page", page: "models" },
      }),
    );
    contribute(
      RecordLifecycle,
      (): RecordPart => ({
        id: "models.of-person",
        of: "person",
        tables: [
          { table: "token_usage", set: { session_id: null, user: null, trace_id: null } },
          { table: "embedding_cache", isCache: true },
        ],
      }),
    );
    contribute(SettingDefinitions, () => CURRENCY);
    contribute(RouteTables, (from) => aiConfigRoutes(from.get(ConfigurationKey)));
    contribute(ToolTables, (from) => {
      const deps = {
        records: from.get(ModelRecordsKey),
        configuration: from.get(ConfigurationKey),
        usage: from.get(TokenUsageKey),
      };
      const currency = () => from.get(Settings).get(CURRENCY);
      return modelTools({ ...deps, clock: from.get(Clock), currency });
    });
    contribute(RouteTables, (from) => {
      const deps = {
        records: from.get(ModelRecordsKey),
        catalog: from.get(CatalogKey),
        modelQueue: from.get(ModelQueueKey),
      };
      return failoverRoutes(createFailover(deps));
    });
    addResource(context, models, (from) => from.get(ModelRecordsKey).rows);
    contribute(TransferSections, (from) =>
      modelsSection(
        () => from.get(ModelRecordsKey),
        () => from.get(KeyStoreKey),
      ),
    );
    contribute(TransferSections, (from) =>
      aiConfigSection(
        () => from.get(AiConfigKey),
        () => from.get(KeyStoreKey),
      ),
    );
    contribute(RouteTables, (from) => modelRoutes(from.get(ModelRecordsKey), from.get(ConfigurationKey)));
  },
  async start({ get, find, log, defer }) {
    const usage = get(TokenUsageKey);
    const seal = async () => {
      await get(StoredModelsKey).sealAll();
      await get(StoredConfigKey).sealAll();
    };
    defer(await runOnceVersionsMatch(find(Nodes), log, seal));
    await get(Databases).main.migrate("models", MODEL_MIGRATIONS);
    defer(() => usage.flush());
    defer(() => get(EmbeddingCacheKey).flush());
    defer(subscribeHealth(find(Signals), get(HealthKey)));
    await usage.removeOld();
    const timer = setInterval(() => {
      usage.removeOld().catch((error: unknown) => log.warn("old token usage could not be removed", { error }));
    }, DAY_MS);
    defer(() => clearInterval(timer));
  },
});

const keyStore = (from: Resolver) =>
  createKeyStore({ box: from.get(SecretBox), environment: from.get(Environment), redaction: from.get(Redaction) });

const modelRecords = (from: Resolver) =>
  createModelRecords({
    models: from.get(StoredModelsKey),
    pointers: from.get(Collections).open(ACTIVE_MODELS),
    putTogether: (documents) => from.get(Collections).putTogether(documents),
    keys: from.get(KeyStoreKey),
    protocols: () => from.all(ModelProtocols),
    environment: from.get(Environment),
    events: from.get(LiveEvents),
    clock: from.get(Clock),
  });

const aiConfig = (from: Resolver) =>
  createAiConfig({
    documents: from.get(StoredConfigKey),
    keys: from.get(KeyStoreKey),
    protocols: () => from.all(ModelProtocols),
    environment: from.get(Environment),
    events: from.get(LiveEvents),
    clock: from.get(Clock),
  });

const catalog = (from: Resolver) =>
  createCatalog({
    records: from.get(ModelRecordsKey),
    aiConfig: from.get(AiConfigKey),
    keys: from.get(KeyStoreKey),
    protocols: () => from.all(ModelProtocols),
    environment: from.get(Environment),
    egress: from.get(Egress),
    redaction: from.get(Redaction),
  });

const modelChanges = (from: Resolver) => {
  const collections = [MODELS, ACTIVE_MODELS, AI_CONFIG].map((name) => from.get(Collections).open(name));
  return subscribeModelChanges({ events: from.get(LiveEvents), collections });
};

const configuration = (from: Resolver) =>
  createConfiguration({
    records: from.get(ModelRecordsKey),
    aiConfig: from.get(AiConfigKey),
    catalog: from.get(CatalogKey),
    protocols: () => from.all(ModelProtocols),
    runTest: createModelTester({
      catalog: from.get(CatalogKey),
      usage: from.get(TokenUsageKey),
      clock: from.get(Clock),
      redaction: from.get(Redaction),
    }),
  });

const tokenBudget = (from: Resolver) =>
  createTokenBudget({
    database: from.get(Databases).main,
    isShared: () => from.get(Databases).isShared === true,
    clock: from.get(Clock),
    timeZone: () => from.find(Settings)?.get(TIME_ZONE) ?? "UTC",
  });

const health = (from: Resolver, log: Logger) => {
  const deps = { database: () => from.get(Databases).main, signals: () => from.find(Signals), log };
  return createHealth(from.get(Clock), createHealthBroadcaster(deps));
};

const modelQueue = (from: Resolver) => {
  const clock = from.get(Clock);
  return createModelQueue({
    health: from.get(HealthKey),
    budget: from.get(TokenBudgetKey),
    features: from.get(UnsupportedFeaturesKey),
    clock,
  });
};

async function isChatAvailable(models: Catalog, queue: ModelQueue): Promise<boolean> {
  const activeModel = await models.configured("chat");
  return activeModel !== undefined && (await queue.view(activeModel)).state === "healthy";
}

const modelCalls = (from: Resolver, log: Logger) => {
  const catalog = from.get(CatalogKey);
  const attempts = createAttempts({
    catalog,
    modelQueue: from.get(ModelQueueKey),
    features: from.get(UnsupportedFeaturesKey),
    usage: from.get(TokenUsageKey),
    clock: from.get(Clock),
    events: from.get(LiveEvents),
    gatewayLog: () => from.find(GatewayLog),
    log,
  });
  return createModelCalls({ catalog, attempts, cache: from.get(EmbeddingCacheKey) });
};

const tokenUsage = (from: Resolver, log: Logger) =>
  createTokenUsage({
    database: from.get(Databases).main,
    clock: from.get(Clock),
    log,
    budget: from.get(TokenBudgetKey),
    pricesOf: async (modelId) => (await from.get(ModelRecordsKey).stored()).find(({ id }) => id === modelId),
  });
