import Joi from "@hapi/joi";
import {
  addDocuments,
  addResource,
  Checks,
  Clock,
  type ConsoleArea,
  ConsoleAreas,
  Databases,
  definePlugin,
  ModelCalls,
  ModelProtocols,
  Models,
  Probes,
  RecordLifecycle,
  type RecordPart,
  RecordStore,
  RouteTables,
  Secrets,
  SettingDefinitions,
  Settings,
  serviceKey,
  TokenUsage,
  ToolTables,
  TransferSections,
  Upkeeps,
  withLabel,
} from "@parley/core";
import { assemble } from "./assemble.ts";
import { ACTIVE_MODELS, MODELS } from "./failover/model-priorities.ts";
import type { ModelQueue } from "./failover/model-queue.ts";
import { createModelTools } from "./mcp-tools.ts";
import { MODEL_MIGRATIONS } from "./migrations.ts";
import { createOfflineProtocol } from "./providers/offline-model.ts";
import { anthropicMessages, geminiGenerate, openaiChat, openaiResponses } from "./providers/protocols.ts";
import { AI_CONFIG } from "./records/ai-config.ts";
import type { Catalog } from "./records/catalog.ts";
import { models } from "./records/model-resource.ts";
import { createAiConfigSection, createModelsSection } from "./records/transfer.ts";
import { createAiConfigRoutes, createFailoverRoutes, createModelRoutes } from "./routes.ts";
import { CURRENCY } from "./settings.ts";
import { createModelsCheck } from "./usage/check.ts";
import { createModelsProbe } from "./usage/probe.ts";

interface ModelsConfig {
  readonly offline_word_ms: number;
}

import { modelsTexts } from "./texts.ts";

const DAY_MS = 86_400_000;

interface Own extends ReturnType<typeof assemble> {}
const Own = serviceKey<Own>("models.own");

/** Provides model records, their wire protocols, the offline model, and the accounting of usage and cost. */
export default definePlugin<ModelsConfig>({
  id: "models",
  requires: [RecordStore, Databases, Secrets],
  config: Joi.object<ModelsConfig, true>({
    offline_word_ms: withLabel(Joi.number().integer().min(0).max(5000).default(0), {
      title: { en: "Pause between words of the offline model (ms)", zh: "离线模型输出间隔（毫秒）" },
      help: { en: "Milliseconds between words of the offline model", zh: "离线模型输出词之间的间隔（毫秒）" },
    }),
  }),
  register(context) {
    const { config, log, provide, contribute } = context;
    provide(Own, (from) => assemble(from, log));
    provide(Models, (from) => ({ ...from.get(Own).catalog, onChanged: from.get(Own).onChanged }));
    provide(ModelCalls, (from) => from.get(Own).calls);
    provide(TokenUsage, (from) => from.get(Own).usage);
    for (const protocol of [openaiChat, openaiResponses, anthropicMessages, geminiGenerate]) {
      contribute(ModelProtocols, () => protocol);
    }
    contribute(ModelProtocols, () => createOfflineProtocol(config.offline_word_ms));
    contribute(Checks, (from) =>
      createModelsCheck(
        () => from.get(Own).catalog,
        () => from.get(Own).modelQueue,
      ),
    );
    contribute(Probes, (from) => {
      const usage = from.get(Own).usage;
      const answers = () => isChatAvailable(from.get(Own).catalog, from.get(Own).modelQueue);
      return createModelsProbe({
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
    contribute(RouteTables, (from) => createAiConfigRoutes(from.get(Own).configuration));
    contribute(ToolTables, (from) => {
      const deps = {
        records: from.get(Own).modelRecords,
        configuration: from.get(Own).configuration,
        usage: from.get(Own).usage,
      };
      const currency = () => from.get(Settings).get(CURRENCY);
      return createModelTools({ ...deps, clock: from.get(Clock), currency });
    });
    contribute(RouteTables, (from) => createFailoverRoutes(from.get(Own).failover));
    addDocuments(context, MODELS, ACTIVE_MODELS, AI_CONFIG);
    addResource(context, models, (from) => from.get(Own).modelRecords.rows);
    contribute(TransferSections, (from) =>
      createModelsSection(
        () => from.get(Own).modelRecords,
        () => from.get(Own).keys,
      ),
    );
    contribute(TransferSections, (from) =>
      createAiConfigSection(
        () => from.get(Own).aiConfig,
        () => from.get(Own).keys,
      ),
    );
    contribute(Upkeeps, (from) => ({
      name: "models.prune",
      title: { en: "Remove old token usage", zh: "清理旧的 token 用量" },
      everyMs: DAY_MS,
      run: async ({ log }) =>
        log(modelsTexts.message("usage_removed", { count: await from.get(Own).usage.removeOld() })),
    }));
    contribute(RouteTables, (from) => createModelRoutes(from.get(Own).modelRecords, from.get(Own).configuration));
  },
  async start({ get, defer }) {
    const usage = get(Own).usage;
    await get(Databases).main.migrate("models", MODEL_MIGRATIONS);
    defer(() => usage.flush());
    // Of missed updates the cooldowns have ended by now.
    defer(get(Own).healthUpdates.listen(get(Own).health.receive));
  },
});

async function isChatAvailable(models: Catalog, queue: ModelQueue): Promise<boolean> {
  const activeModel = await models.findConfigured("chat");
  return activeModel !== undefined && (await queue.view(activeModel)).state === "healthy";
}
