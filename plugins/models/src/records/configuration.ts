import {
  deadline,
  type ListedModel,
  MODEL_PURPOSES,
  type ModelProtocol,
  type ModelPurpose,
  type ModelSource,
  notFound,
  toModelReason,
} from "@parley/core";
import { type List, type Page, toPage } from "@parley/core/http";
import { parsePurpose } from "../failover/failover.ts";
import { modelsTexts } from "../texts.ts";
import type { AiConfig, StoredAiConfig } from "./ai-config.ts";
import type { Catalog } from "./catalog.ts";
import type { ConfiguredModel } from "./configured-model.ts";
import { findKeySource } from "./key-source.ts";
import { isUnchanged } from "./key-store.ts";
import { type ModelFields, toOrigin, withDefaults } from "./model-fields.ts";
import type { ModelRecords } from "./model-records.ts";
import type { ModelTester, ModelTestResult } from "./model-tester.ts";
import { PURPOSES, type Purpose } from "./purposes.ts";
import {
  type AiConfigFields,
  type AiConfigPatch,
  CONNECTION_SECRETS,
  type ConnectionTest,
  type ModelView,
  type ServerQuery,
  type StoredModel,
} from "./schema.ts";

export interface AiConfigView extends AiConfigFields {
  readonly has_api_key: boolean;
  readonly api_key_masked: string;
  readonly effective: {
    readonly model_id: string | null;
    readonly model: string;
    readonly protocol: string;
    readonly source: ModelSource | null;
  };
  readonly updated_at: string | null;
  readonly revision: number;
}

export interface PurposeConfig {
  readonly purpose: ModelPurpose;
  readonly model_id: string | null;
  readonly source: ModelSource;
  readonly config: ModelFields;
}

export interface ProtocolView {
  readonly id: string;
  readonly name: string;
  readonly purposes: readonly ModelPurpose[];
  readonly default_base_url: string;
  readonly key_env: string;
  readonly supports: ModelProtocol["supports"];
}

export interface ServerModels extends Pick<ModelTestResult, "ok" | "status_code" | "category" | "detail" | "said"> {
  readonly items: readonly ListedModel[];
}

export interface ConfigurationDeps {
  readonly records: ModelRecords;
  readonly aiConfig: AiConfig;
  readonly catalog: Catalog;
  readonly protocols: () => readonly ModelProtocol[];
  readonly runTest: ModelTester;
}

/** The AI configuration and connection tests. */
export interface Configuration {
  aiConfig(): Promise<AiConfigView>;
  updateAiConfig(
    patch: AiConfigPatch,
    ifMatch?: number,
  ): Promise<{ readonly data: AiConfigView; readonly message: string }>;
  testConnection(
    test: ConnectionTest,
    user: string,
    signal: AbortSignal,
  ): Promise<Omit<ModelTestResult, "usage"> & { readonly model: string }>;
  /** Lists the models of a server; a failure is returned as a result, not thrown. */
  listServerModels(question: ServerQuery, signal: AbortSignal): Promise<ServerModels>;
  testModel(
    id: string,
    options: { readonly prompt?: string; readonly timeout_s: number },
    user: string,
    signal: AbortSignal,
  ): Promise<ModelTestResult>;
  getByPurpose(purpose: string): Promise<PurposeConfig>;
  listByPurpose(): Promise<{ readonly configs: Readonly<Record<string, PurposeConfig | null>> }>;
  listActive(): Promise<{ readonly active_models: Readonly<Record<string, ActiveModel>> }>;
  listModels(purpose: string, page: Page): Promise<List<ModelView> & { readonly purpose: ModelPurpose }>;
  purposes(): List<Purpose>;
  protocols(): List<ProtocolView>;
}

interface ActiveModel {
  readonly model_id: string | null;
  readonly source: ModelSource | null;
  readonly model: ModelView | null;
  readonly has_config: boolean;
}

export function createConfiguration(deps: ConfigurationDeps): Configuration {
  const { records, aiConfig, catalog, runTest } = deps;
  const ALL = { limit: 500, offset: 0 };

  const toView = async (stored: StoredAiConfig): Promise<AiConfigView> => {
    const { id, key, ...fields } = CONNECTION_SECRETS.masked(stored);
    const effective = toEffectiveModel(await catalog.findConfigured("chat"));
    return { ...fields, has_api_key: key !== null, api_key_masked: key?.mask ?? "", effective };
  };
  const purposeConfig = async (purpose: ModelPurpose): Promise<PurposeConfig | null> => {
    const configured = await catalog.findConfigured(purpose);
    if (!configured) return null;
    const { modelId, source, fields } = configured;
    return { purpose, model_id: modelId || null, source, config: CONNECTION_SECRETS.masked(toModelFields(fields)) };
  };
  const forEachPurpose = async <Value>(value: (purpose: ModelPurpose) => Promise<Value>) =>
    Object.fromEntries(
      await Promise.all(MODEL_PURPOSES.map(async (purpose) => [purpose, await value(purpose)] as const)),
    );

  return {
    aiConfig: async () => toView(await aiConfig.stored()),
    async updateAiConfig(patch, ifMatch) {
      const { config, notice } = await aiConfig.update(patch, ifMatch);
      return { data: await toView(config), message: notice };
    },
    async testConnection({ timeout_s, ...given }, user, signal) {
      const configured = await toTestedModel(given, deps);
      const { usage, ...result } = await runTest(configured, { purpose: "chat", timeoutS: timeout_s, user }, signal);
      return { ...result, model: configured.fields.model };
    },
    async listServerModels({ timeout_s, ...given }, signal) {
      const configured = await toServerModel(given, deps);
      using limit = deadline(timeout_s * 1000, signal);
      try {
        const items = await catalog.listAvailable(configured, limit.signal);
        return { ok: true, status_code: 200, category: null, detail: "", said: null, items };
      } catch (error) {
        const failure = catalog.toFailure(limit.signal.aborted ? limit.signal.reason : error);
        const { statusCode, category, detail } = failure;
        return {
          ok: false,
          status_code: statusCode,
          category,
          detail,
          said: toModelReason(failure),
          items: [],
        };
      }
    },
    async testModel(id, { prompt, timeout_s }, user, signal) {
      const model = await records.get(id);
      const configured = { modelId: id, source: "active", fields: model, keyOwner: id, key: model.key } as const;
      return runTest(configured, { purpose: model.purpose, prompt, timeoutS: timeout_s, user }, signal);
    },
    async getByPurpose(purpose) {
      const config = await purposeConfig(parsePurpose(purpose));
      if (!config) throw notFound("model for purpose", purpose);
      return config;
    },
    listByPurpose: async () => ({ configs: await forEachPurpose(purposeConfig) }),
    listActive: async () => ({
      active_models: await forEachPurpose(async (purpose): Promise<ActiveModel> => {
        const configured = await catalog.findConfigured(purpose);
        const model = configured?.modelId ? await records.view(await records.get(configured.modelId)) : null;
        return {
          model_id: configured?.modelId || null,
          source: configured?.source ?? null,
          model,
          has_config: configured !== undefined,
        };
      }),
    }),
    listModels: (purpose, page) => records.byPurpose(parsePurpose(purpose), page),
    purposes: () => toPage(PURPOSES, ALL),
    protocols: () => toPage(deps.protocols().map(toProtocolView), ALL),
  };
}

/** Returns the model to test: the active one if nothing is given. Missing fields come from the AI configuration. */
async function toTestedModel(
  connectionInput: Omit<ConnectionTest, "timeout_s">,
  { aiConfig, catalog, protocols, records }: ConfigurationDeps,
): Promise<ConfiguredModel> {
  const activeModel = await catalog.findConfigured("chat");
  if (Object.keys(connectionInput).length === 0 && activeModel) return activeModel;
  const stored = await aiConfig.stored();
  const { api_key, api_key_from, ...connection } = CONNECTION_SECRETS.unmasked(connectionInput, stored);
  const protocol = connection.protocol ?? stored.protocol;
  const known = protocols().find(({ id }) => id === protocol);
  if (!known?.purposes.includes("chat")) throw modelsTexts.error("bad_request", "no_chat", {}, { field: "protocol" });
  const base_url = connection.base_url || (connection.protocol ? known.defaultBaseUrl : stored.base_url);
  const model = connection.model ?? stored.model;
  if (model === "" && protocol !== "offline")
    throw modelsTexts.error("bad_request", "required", {}, { field: "model" });
  const envFields = connection.api_key_env !== undefined ? { api_key_env: connection.api_key_env } : {};
  const fields = withDefaults(
    { name: model || "offline", model: model || "offline", protocol, base_url, ...envFields },
    protocols(),
  );
  const source = findKeySource({ api_key, api_key_from }, fields, await records.listStored());
  if (source) return { modelId: "", source: "ai_config", fields, keyOwner: source.id, key: source.key };
  const isStoredOrigin = toOrigin(base_url) === toOrigin(stored.base_url);
  const plainKey = isUnchanged(api_key) ? undefined : api_key;
  const mayUseStored = isStoredOrigin && !plainKey && connection.api_key_env === undefined;
  return {
    modelId: "",
    source: "ai_config",
    fields: mayUseStored ? { ...fields, api_key_env: stored.api_key_env } : fields,
    keyOwner: stored.id,
    key: mayUseStored ? stored.key : null,
    ...(plainKey && { plainKey }),
  };
}

/** Returns the server of a form. Missing fields come from the edited record, its key only for the same server. */
async function toServerModel(
  { model_id, api_key, ...serverInput }: Omit<ServerQuery, "timeout_s">,
  { records, protocols }: ConfigurationDeps,
): Promise<ConfiguredModel> {
  const stored = model_id === undefined ? undefined : await records.get(model_id);
  const given = CONNECTION_SECRETS.unmasked(serverInput, stored);
  const protocol = given.protocol ?? stored?.protocol ?? "openai_chat";
  const known = protocols().find(({ id }) => id === protocol);
  if (!known) throw modelsTexts.error("bad_request", "not_loaded", { id: protocol }, { field: "protocol" });
  const base_url = given.base_url || (given.protocol === undefined && stored?.base_url) || known.defaultBaseUrl;
  const isItsServer = stored !== undefined && toOrigin(base_url) === toOrigin(stored.base_url);
  const plainKey = isUnchanged(api_key) ? undefined : api_key;
  const mayUseStored = isItsServer && !plainKey && given.api_key_env === undefined;
  const api_key_env = given.api_key_env ?? (mayUseStored ? stored.api_key_env : null);
  const extra_headers_env = isItsServer ? stored.extra_headers_env : {};
  const named = { name: protocol, model: protocol, protocol, base_url, api_key_env, extra_headers_env };
  return {
    modelId: "",
    source: "active",
    fields: withDefaults(named, protocols()),
    keyOwner: stored?.id ?? "",
    key: mayUseStored ? stored.key : null,
    ...(plainKey && { plainKey }),
  };
}

function toEffectiveModel(configured: ConfiguredModel | undefined): AiConfigView["effective"] {
  return {
    model_id: configured?.modelId || null,
    model: configured?.fields.model ?? "",
    protocol: configured?.fields.protocol ?? "",
    source: configured?.source ?? null,
  };
}

/** Returns the fields of a record that people can set. */
function toModelFields(fields: ModelFields & Partial<StoredModel>): ModelFields {
  const { id, key, created_at, updated_at, revision, ...rest } = fields;
  return rest;
}

function toProtocolView({ id, name, purposes, defaultBaseUrl, keyVariable, supports }: ModelProtocol): ProtocolView {
  return { id, name, purposes, default_base_url: defaultBaseUrl, key_env: keyVariable, supports };
}
