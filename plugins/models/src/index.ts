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
  onceOfOneVersion,
  Probes,
  RecordLifecycle,
  type RecordPart,
  Redaction,
  type Resolver,
  RouteTables,
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
import { type AiConfig, createAiConfig, type StoredAiConfig } from "./ai-config.ts";
import { createAttempts } from "./calls/attempts.ts";
import { createEmbeddingCache, type EmbeddingCache, embeddingMigrations } from "./calls/embedding-cache.ts";
import { createHealth, type Health } from "./calls/health.ts";
import { createLine, type Line } from "./calls/line.ts";
import { createModelCalls } from "./calls/model-calls.ts";
import { createTokenBudget, type TokenBudget } from "./calls/token-budget.ts";
import { type Catalog, createCatalog } from "./catalog.ts";
import { modelsCheck } from "./check.ts";
import { type Configuration, createConfiguration } from "./configuration.ts";
import { createFailover } from "./failover.ts";
import { followHealth, healthTeller } from "./health-news.ts";
import { createKeyStore, type KeyStore } from "./key-store.ts";
import { modelTools } from "./mcp-tools.ts";
import { followModelChanges } from "./model-changes.ts";
import { MODELS, POINTERS } from "./model-queue.ts";
import { createModelRecords, type ModelRecords } from "./model-records.ts";
import { models } from "./model-resource.ts";
import { createTrial } from "./model-trial.ts";
import { offlineProtocol } from "./offline-model.ts";
import { modelsProbe } from "./probe.ts";
import { anthropicMessages, geminiGenerate, openaiChat, openaiResponses } from "./protocols.ts";
import { aiConfigRoutes, failoverRoutes, modelRoutes } from "./routes.ts";
import { CONNECTION_SECRETS, type StoredModel } from "./schema.ts";
import { CURRENCY } from "./settings.ts";
import { createTokenUsage, usageMigrations } from "./token-usage.ts";
import { aiConfigSection, modelsSection } from "./transfer.ts";

interface ModelsConfig {
  readonly offline_word_ms: number;
}

const DAY_MS = 86_400_000;

const AI_CONFIG = "ai-config";
const Keys = serviceKey<KeyStore>("models.keys");
const StoredModels = serviceKey<SealedCollection<StoredModel>>("models.stored");
const StoredConfig = serviceKey<SealedCollection<StoredAiConfig>>("models.stored-config");
const Records = serviceKey<ModelRecords>("models.records");
const FallbackConfig = serviceKey<AiConfig>("models.ai-config");
const ModelCatalog = serviceKey<Catalog>("models.catalog");
const ModelConfiguration = serviceKey<Configuration>("models.configuration");
const Budget = serviceKey<TokenBudget>("models.budget");
const OwnHealth = serviceKey<Health>("models.health");
const Queue = serviceKey<Line>("models.line");
const Vectors = serviceKey<EmbeddingCache>("models.embedding-cache");
const Usage = serviceKey<ReturnType<typeof createTokenUsage>>("models.usage");

/** Model records and the wire protocols behind them, the offline model, and what calls cost. */
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
    provide(Keys, keyStore);
    provide(StoredModels, (from) =>
      sealedCollection<StoredModel>(from.get(Collections).open(MODELS), { ...sealing, owner: "model-request", from }),
    );
    provide(StoredConfig, (from) =>
      sealedCollection<StoredAiConfig>(from.get(Collections).open(AI_CONFIG), { ...sealing, owner: AI_CONFIG, from }),
    );
    provide(Records, modelRecords);
    provide(FallbackConfig, aiConfig);
    provide(ModelCatalog, catalog);
    provide(ModelConfiguration, configuration);
    provide(Usage, (from) => tokenUsage(from, log));
    provide(Budget, tokenBudget);
    provide(OwnHealth, (from) => health(from, log));
    provide(Queue, line);
    provide(Vectors, (from) => {
      return createEmbeddingCache({ database: from.get(Databases).main, clock: from.get(Clock), log });
    });
    provide(Models, (from) => ({ ...from.get(ModelCatalog), onChanged: modelChanges(from) }));
    provide(ModelCalls, (from) => modelCalls(from, log));
    provide(TokenUsage, (from) => from.get(Usage));
    for (const protocol of [openaiChat, openaiResponses, anthropicMessages, geminiGenerate]) {
      contribute(ModelProtocols, () => protocol);
    }
    contribute(ModelProtocols, () => offlineProtocol(config.offline_word_ms));
    contribute(Checks, (from) =>
      modelsCheck(
        () => from.get(ModelCatalog),
        () => from.get(Queue),
      ),
    );
    contribute(Probes, (from) => {
      const usage = from.get(Usage);
      const answers = () => chatAnswers(from.get(ModelCatalog), from.get(Queue));
      return modelsProbe({ models: from.get(Models), answers, usage, times: usage.times, clock: from.get(Clock) });
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
    contribute(RouteTables, (from) => aiConfigRoutes(from.get(ModelConfiguration)));
    contribute(ToolTables, (from) => {
      const parts = { records: from.get(Records), configuration: from.get(ModelConfiguration), usage: from.get(Usage) };
      const currency = () => from.get(Settings).get(CURRENCY);
      return modelTools({ ...parts, clock: from.get(Clock), currency });
    });
    contribute(RouteTables, (from) => {
      const parts = { records: from.get(Records), catalog: from.get(ModelCatalog), line: from.get(Queue) };
      return failoverRoutes(createFailover(parts));
    });
    addResource(context, models, (from) => from.get(Records).rows);
    contribute(TransferSections, (from) =>
      modelsSection(
        () => from.get(Records),
        () => from.get(Keys),
      ),
    );
    contribute(TransferSections, (from) =>
      aiConfigSection(
        () => from.get(FallbackConfig),
        () => from.get(Keys),
      ),
    );
    contribute(RouteTables, (from) => modelRoutes(from.get(Records), from.get(ModelConfiguration)));
  },
  async start({ get, find, log, defer }) {
    const usage = get(Usage);
    const seal = async () => {
      await get(StoredModels).sealAll();
      await get(StoredConfig).sealAll();
    };
    defer(await onceOfOneVersion(find(Nodes), log, seal));
    await get(Databases).main.migrate("models", [...usageMigrations, ...embeddingMigrations]);
    defer(() => usage.settled());
    defer(() => get(Vectors).settled());
    defer(followHealth(find(Signals), get(OwnHealth)));
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
    models: from.get(StoredModels),
    pointers: from.get(Collections).open(POINTERS),
    putTogether: (documents) => from.get(Collections).putTogether(documents),
    keys: from.get(Keys),
    protocols: () => from.all(ModelProtocols),
    environment: from.get(Environment),
    events: from.get(LiveEvents),
    clock: from.get(Clock),
  });

const aiConfig = (from: Resolver) =>
  createAiConfig({
    documents: from.get(StoredConfig),
    keys: from.get(Keys),
    protocols: () => from.all(ModelProtocols),
    environment: from.get(Environment),
    events: from.get(LiveEvents),
    clock: from.get(Clock),
  });

const catalog = (from: Resolver) =>
  createCatalog({
    records: from.get(Records),
    aiConfig: from.get(FallbackConfig),
    keys: from.get(Keys),
    protocols: () => from.all(ModelProtocols),
    environment: from.get(Environment),
    egress: from.get(Egress),
    redaction: from.get(Redaction),
  });

const modelChanges = (from: Resolver) => {
  const collections = [MODELS, POINTERS, AI_CONFIG].map((name) => from.get(Collections).open(name));
  return followModelChanges({ events: from.get(LiveEvents), collections });
};

const configuration = (from: Resolver) =>
  createConfiguration({
    records: from.get(Records),
    aiConfig: from.get(FallbackConfig),
    catalog: from.get(ModelCatalog),
    protocols: () => from.all(ModelProtocols),
    trial: createTrial({
      catalog: from.get(ModelCatalog),
      usage: from.get(Usage),
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
  const parts = { database: () => from.get(Databases).main, signals: () => from.find(Signals), log };
  return createHealth(from.get(Clock), healthTeller(parts));
};

const line = (from: Resolver) => {
  const clock = from.get(Clock);
  return createLine({ health: from.get(OwnHealth), budget: from.get(Budget), clock });
};

async function chatAnswers(models: Catalog, queue: Line): Promise<boolean> {
  const inForce = await models.configured("chat");
  return inForce !== undefined && (await queue.view(inForce)).state === "healthy";
}

const modelCalls = (from: Resolver, log: Logger) => {
  const catalog = from.get(ModelCatalog);
  const attempts = createAttempts({
    catalog,
    line: from.get(Queue),
    usage: from.get(Usage),
    clock: from.get(Clock),
    events: from.get(LiveEvents),
    gatewayLog: () => from.find(GatewayLog),
    log,
  });
  return createModelCalls({ catalog, attempts, cache: from.get(Vectors) });
};

const tokenUsage = (from: Resolver, log: Logger) =>
  createTokenUsage({
    database: from.get(Databases).main,
    clock: from.get(Clock),
    log,
    budget: from.get(Budget),
    pricesOf: async (modelId) => (await from.get(Records).stored()).find(({ id }) => id === modelId),
  });
