import {
  deadline,
  type List,
  type ListedModel,
  listOf,
  MODEL_PURPOSES,
  type ModelProtocol,
  type ModelPurpose,
  type ModelSource,
  modelFailureSaid,
  notFound,
  type Page,
} from "@parley/core";
import type { AiConfig, StoredAiConfig } from "./ai-config.ts";
import type { Catalog, ConfiguredModel } from "./catalog.ts";
import { checkedPurpose } from "./failover.ts";
import { keySource } from "./key-source.ts";
import { isUnchanged } from "./key-store.ts";
import { fieldsOf, originOf } from "./model-fields.ts";
import type { ModelRecords } from "./model-records.ts";
import type { Trial, TrialResult } from "./model-trial.ts";
import { PURPOSES, type Purpose } from "./purposes.ts";
import { modelFailure } from "./said-failures.ts";
import {
  type AiConfigFields,
  type AiConfigPatch,
  CONNECTION_SECRETS,
  type ConnectionTest,
  type ModelFields,
  type ModelView,
  type ServerQuestion,
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

export interface ServerModels extends Pick<TrialResult, "ok" | "status_code" | "category" | "detail" | "said"> {
  readonly items: readonly ListedModel[];
}

export interface ConfigurationParts {
  readonly records: ModelRecords;
  readonly aiConfig: AiConfig;
  readonly catalog: Catalog;
  readonly protocols: () => readonly ModelProtocol[];
  readonly trial: Trial;
}

/** What the rows show of which model does what, and the tests of a connection. */
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
  ): Promise<Omit<TrialResult, "usage"> & { readonly model: string }>;
  /** Which models a server has; a failure is a result, not an error. */
  serverModels(question: ServerQuestion, signal: AbortSignal): Promise<ServerModels>;
  testModel(
    id: string,
    options: { readonly prompt?: string; readonly timeout_s: number },
    user: string,
    signal: AbortSignal,
  ): Promise<TrialResult>;
  ofPurpose(purpose: string): Promise<PurposeConfig>;
  ofAllPurposes(): Promise<{ readonly configs: Readonly<Record<string, PurposeConfig | null>> }>;
  activeByPurpose(): Promise<{ readonly active_models: Readonly<Record<string, ActiveModel>> }>;
  modelsOf(purpose: string, page: Page): Promise<List<ModelView> & { readonly purpose: ModelPurpose }>;
  purposes(): List<Purpose>;
  protocols(): List<ProtocolView>;
}

interface ActiveModel {
  readonly model_id: string | null;
  readonly source: ModelSource | null;
  readonly model: ModelView | null;
  readonly has_config: boolean;
}

export function createConfiguration(parts: ConfigurationParts): Configuration {
  const { records, aiConfig, catalog, trial } = parts;
  const ALL = { limit: 500, offset: 0 };

  const viewOf = async (stored: StoredAiConfig): Promise<AiConfigView> => {
    const { id, key, ...fields } = CONNECTION_SECRETS.masked(stored);
    const effective = effectiveOf(await catalog.configured("chat"));
    return { ...fields, has_api_key: key !== null, api_key_masked: key?.mask ?? "", effective };
  };
  const purposeConfig = async (purpose: ModelPurpose): Promise<PurposeConfig | null> => {
    const configured = await catalog.configured(purpose);
    if (!configured) return null;
    const { modelId, source, fields } = configured;
    return { purpose, model_id: modelId || null, source, config: CONNECTION_SECRETS.masked(settingsOf(fields)) };
  };
  const forEachPurpose = async <Value>(value: (purpose: ModelPurpose) => Promise<Value>) =>
    Object.fromEntries(
      await Promise.all(MODEL_PURPOSES.map(async (purpose) => [purpose, await value(purpose)] as const)),
    );

  return {
    aiConfig: async () => viewOf(await aiConfig.stored()),
    async updateAiConfig(patch, ifMatch) {
      const { config, notice } = await aiConfig.update(patch, ifMatch);
      return { data: await viewOf(config), message: notice };
    },
    async testConnection({ timeout_s, ...given }, user, signal) {
      const configured = await testedConnection(given, parts);
      const { usage, ...result } = await trial(configured, { purpose: "chat", timeoutS: timeout_s, user }, signal);
      return { ...result, model: configured.fields.model };
    },
    async serverModels({ timeout_s, ...given }, signal) {
      const configured = await namedServer(given, parts);
      using limit = deadline(timeout_s * 1000, signal);
      try {
        const items = await catalog.available(configured, limit.signal);
        return { ok: true, status_code: 200, category: null, detail: "", said: null, items };
      } catch (error) {
        const failure = catalog.failure(limit.signal.aborted ? limit.signal.reason : error);
        const { statusCode, category, detail } = failure;
        return { ok: false, status_code: statusCode, category, detail, said: modelFailureSaid(failure), items: [] };
      }
    },
    async testModel(id, { prompt, timeout_s }, user, signal) {
      const model = await records.get(id);
      const configured = { modelId: id, source: "active", fields: model, keyOwner: id, key: model.key } as const;
      return trial(configured, { purpose: model.purpose, prompt, timeoutS: timeout_s, user }, signal);
    },
    async ofPurpose(purpose) {
      const config = await purposeConfig(checkedPurpose(purpose));
      if (!config) throw notFound("model for purpose", purpose);
      return config;
    },
    ofAllPurposes: async () => ({ configs: await forEachPurpose(purposeConfig) }),
    activeByPurpose: async () => ({
      active_models: await forEachPurpose(async (purpose): Promise<ActiveModel> => {
        const configured = await catalog.configured(purpose);
        const model = configured?.modelId ? await records.view(await records.get(configured.modelId)) : null;
        return {
          model_id: configured?.modelId || null,
          source: configured?.source ?? null,
          model,
          has_config: configured !== undefined,
        };
      }),
    }),
    modelsOf: (purpose, page) => records.byPurpose(checkedPurpose(purpose), page),
    purposes: () => listOf(PURPOSES, ALL),
    protocols: () => listOf(parts.protocols().map(protocolView), ALL),
  };
}

/** The connection a test names; what it leaves out comes from the AI configuration, or all of it from what is in force. */
async function testedConnection(
  given: Omit<ConnectionTest, "timeout_s">,
  { aiConfig, catalog, protocols, records }: ConfigurationParts,
): Promise<ConfiguredModel> {
  const inForce = await catalog.configured("chat");
  if (Object.keys(given).length === 0 && inForce) return inForce;
  const stored = await aiConfig.stored();
  const { api_key, api_key_from, ...connection } = CONNECTION_SECRETS.unmasked(given, stored);
  const protocol = connection.protocol ?? stored.protocol;
  const known = protocols().find(({ id }) => id === protocol);
  if (!known?.purposes.includes("chat")) throw modelFailure("bad_request", "no_chat", {}, { field: "protocol" });
  const base_url = connection.base_url || (connection.protocol ? known.defaultBaseUrl : stored.base_url);
  const model = connection.model ?? stored.model;
  if (model === "" && protocol !== "offline") throw modelFailure("bad_request", "required", {}, { field: "model" });
  const named = connection.api_key_env !== undefined ? { api_key_env: connection.api_key_env } : {};
  const fields = fieldsOf(
    { name: model || "offline", model: model || "offline", protocol, base_url, ...named },
    protocols(),
  );
  const source = keySource({ api_key, api_key_from }, fields, await records.stored());
  if (source) return { modelId: "", source: "ai_config", fields, keyOwner: source.id, key: source.key };
  const isStoredOrigin = originOf(base_url) === originOf(stored.base_url);
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

/** A server that a form names; what it leaves out comes from the record that is being changed, its key only for its own server. */
async function namedServer(
  { model_id, api_key, ...asked }: Omit<ServerQuestion, "timeout_s">,
  { records, protocols }: ConfigurationParts,
): Promise<ConfiguredModel> {
  const stored = model_id === undefined ? undefined : await records.get(model_id);
  const given = CONNECTION_SECRETS.unmasked(asked, stored);
  const protocol = given.protocol ?? stored?.protocol ?? "openai_chat";
  const known = protocols().find(({ id }) => id === protocol);
  if (!known) throw modelFailure("bad_request", "not_loaded", { id: protocol }, { field: "protocol" });
  const base_url = given.base_url || (given.protocol === undefined && stored?.base_url) || known.defaultBaseUrl;
  const isItsServer = stored !== undefined && originOf(base_url) === originOf(stored.base_url);
  const plainKey = isUnchanged(api_key) ? undefined : api_key;
  const mayUseStored = isItsServer && !plainKey && given.api_key_env === undefined;
  const api_key_env = given.api_key_env ?? (mayUseStored ? stored.api_key_env : null);
  const extra_headers_env = isItsServer ? stored.extra_headers_env : {};
  const named = { name: protocol, model: protocol, protocol, base_url, api_key_env, extra_headers_env };
  return {
    modelId: "",
    source: "active",
    fields: fieldsOf(named, protocols()),
    keyOwner: stored?.id ?? "",
    key: mayUseStored ? stored.key : null,
    ...(plainKey && { plainKey }),
  };
}

function effectiveOf(configured: ConfiguredModel | undefined): AiConfigView["effective"] {
  return {
    model_id: configured?.modelId || null,
    model: configured?.fields.model ?? "",
    protocol: configured?.fields.protocol ?? "",
    source: configured?.source ?? null,
  };
}

/** What people set; a record knows more of itself. */
function settingsOf(fields: ModelFields & Partial<StoredModel>): ModelFields {
  const { id, key, created_at, updated_at, revision, ...rest } = fields;
  return rest;
}

function protocolView({ id, name, purposes, defaultBaseUrl, keyVariable, supports }: ModelProtocol): ProtocolView {
  return { id, name, purposes, default_base_url: defaultBaseUrl, key_env: keyVariable, supports };
}
