import Joi from "@hapi/joi";
import {
  Clock,
  Collections,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  Egress,
  Environment,
  LiveEvents,
  type Logger,
  ModelProtocols,
  Models,
  Probes,
  Redaction,
  type Resolver,
  RouteTables,
  SecretBox,
  serviceKey,
  TokenUsage,
  ToolTables,
  TransferSections,
} from "@parley/core";
import { type AiConfig, createAiConfig } from "./ai-config.ts";
import { type Catalog, createCatalog } from "./catalog.ts";
import { type Configuration, createConfiguration } from "./configuration.ts";
import { createKeyStore, type KeyStore } from "./key-store.ts";
import { modelTools } from "./mcp-tools.ts";
import { createModelRecords, type ModelRecords } from "./model-records.ts";
import { createTrial } from "./model-trial.ts";
import { offlineProtocol } from "./offline-model.ts";
import { modelsProbe } from "./probe.ts";
import { anthropicMessages, geminiGenerate, openaiChat, openaiResponses } from "./protocols.ts";
import { aiConfigRoutes, modelRoutes } from "./routes.ts";
import { createTokenUsage, usageMigrations } from "./token-usage.ts";
import { modelsSection } from "./transfer.ts";

interface ModelsConfig {
  readonly offline_word_ms: number;
}

const DAY_MS = 86_400_000;

const Keys = serviceKey<KeyStore>("models.keys");
const Records = serviceKey<ModelRecords>("models.records");
const FallbackConfig = serviceKey<AiConfig>("models.ai-config");
const ModelCatalog = serviceKey<Catalog>("models.catalog");
const ModelConfiguration = serviceKey<Configuration>("models.configuration");
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
      .description("Milliseconds between the words of the offline model"),
  }),
  register({ config, log, provide, contribute }) {
    provide(Keys, keyStore);
    provide(Records, modelRecords);
    provide(FallbackConfig, aiConfig);
    provide(ModelCatalog, catalog);
    provide(ModelConfiguration, configuration);
    provide(Usage, (from) => tokenUsage(from, log));
    provide(Models, (from) => from.get(ModelCatalog));
    provide(TokenUsage, (from) => from.get(Usage));
    for (const protocol of [openaiChat, openaiResponses, anthropicMessages, geminiGenerate]) {
      contribute(ModelProtocols, () => protocol);
    }
    contribute(ModelProtocols, () => offlineProtocol(config.offline_word_ms));
    contribute(Probes, (from) => {
      const usage = from.get(Usage);
      return modelsProbe({ models: from.get(Models), usage, times: usage.times, clock: from.get(Clock) });
    });
    contribute(
      ConsoleAreas,
      (): ConsoleArea => ({
        id: "models",
        group: "bot",
        title: { en: "Models", zh: "模型" },
        icon: "model",
        order: 10,
        view: { kind: "page", page: "models" },
      }),
    );
    contribute(RouteTables, (from) => aiConfigRoutes(from.get(ModelConfiguration)));
    contribute(ToolTables, (from) => {
      const parts = { records: from.get(Records), configuration: from.get(ModelConfiguration), usage: from.get(Usage) };
      return modelTools({ ...parts, clock: from.get(Clock) });
    });
    contribute(TransferSections, (from) => modelsSection(() => from.get(Records)));
    contribute(RouteTables, (from) => modelRoutes(from.get(Records), from.get(ModelConfiguration)));
  },
  async start({ get, log, defer }) {
    const usage = get(Usage);
    await get(Databases).main.migrate("models", usageMigrations);
    defer(() => usage.settled());
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
    models: from.get(Collections).open("models"),
    pointers: from.get(Collections).open("active-models"),
    keys: from.get(Keys),
    protocols: () => from.all(ModelProtocols),
    environment: from.get(Environment),
    events: from.get(LiveEvents),
    clock: from.get(Clock),
  });

const aiConfig = (from: Resolver) =>
  createAiConfig({
    documents: from.get(Collections).open("ai-config"),
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

const configuration = (from: Resolver) =>
  createConfiguration({
    records: from.get(Records),
    aiConfig: from.get(FallbackConfig),
    catalog: from.get(ModelCatalog),
    protocols: () => from.all(ModelProtocols),
    trial: createTrial({ catalog: from.get(ModelCatalog), usage: from.get(Usage), clock: from.get(Clock) }),
  });

const tokenUsage = (from: Resolver, log: Logger) =>
  createTokenUsage({
    database: from.get(Databases).main,
    clock: from.get(Clock),
    log,
    pricesOf: async (modelId) => (await from.get(Records).stored()).find(({ id }) => id === modelId),
  });
