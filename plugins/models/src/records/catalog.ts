import { createHash } from "node:crypto";
import type {
  ChosenModel,
  Egress,
  Environment,
  ListedModel,
  ModelConnection,
  ModelFailure,
  ModelProtocol,
  ModelPurpose,
  ModelSource,
  Models,
  OpenedModel,
  Redaction,
} from "@parley/core";
import { type RequestFeature, toFieldNames } from "../failover/unsupported-features.ts";
import { toModelFailure } from "../providers/provider-error.ts";
import { modelsTexts } from "../texts.ts";
import type { AiConfig } from "./ai-config.ts";
import type { ConfiguredModel } from "./configured-model.ts";
import type { KeyStore } from "./key-store.ts";
import { type ModelFields, toOrigin, withDefaults } from "./model-fields.ts";
import type { ModelRecords } from "./model-records.ts";
import { getPurposeDefaults } from "./purposes.ts";
import { CONNECTION_SECRETS, type StoredModel } from "./schema.ts";

const MIB_BYTES = 1024 * 1024;
const MAX_TEXT_BYTES = 16 * MIB_BYTES;
/** Size limit of images, audio and vectors. */
const MAX_FILE_BYTES = 64 * MIB_BYTES;
const TEXT_PURPOSES: readonly ModelPurpose[] = ["chat", "vision", "video", "gate"];
const CACHE_KEY_PROVIDERS: ReadonlySet<string> = new Set(["openai"]);
const CACHE_KEY_ORIGINS: ReadonlySet<string> = new Set(["https://api.openai.com"]);
// The caller has its own timeout. This longer one only ends abandoned requests.
const TIMEOUT_MARGIN_MS = 2000;

/** A model with everything that is needed to call it. */
export interface CallableModel extends ChosenModel, OpenedModel {
  /** True when the server routes requests by `prompt_cache_key`. */
  readonly takesCacheKey: boolean;
  /** Secrets of the request; a server may repeat them in its answer. */
  readonly secrets?: readonly string[];
}

export interface CatalogDeps {
  readonly records: ModelRecords;
  readonly aiConfig: AiConfig;
  readonly keys: KeyStore;
  readonly protocols: () => readonly ModelProtocol[];
  readonly environment: Environment;
  readonly egress: Egress;
  readonly redaction: Redaction;
}

export interface Catalog extends Omit<Models, "onChanged"> {
  /** Returns the model of a purpose; undefined when none is configured. */
  findConfigured(purpose: ModelPurpose, sessionModelId?: string | null): Promise<ConfiguredModel | undefined>;
  /** Returns the given model, then the other enabled ones by priority; rejects with `unavailable` without any. */
  listQueue(purpose: ModelPurpose, sessionModelId?: string | null): Promise<readonly ConfiguredModel[]>;
  /** Returns the enabled model with that id. Rejects with `unavailable` when it does not serve the purpose. */
  requireEnabled(purpose: ModelPurpose, modelId: string): Promise<ConfiguredModel>;
  /** Opens a model for calls. `without` lists rejected features; fields among them are not sent. */
  open(configured: ConfiguredModel, without?: ReadonlySet<RequestFeature>): Promise<CallableModel>;
  /** Lists the models of its server. Rejects with `unavailable` when the protocol has no such request. */
  listAvailable(configured: ConfiguredModel, signal: AbortSignal): Promise<readonly ListedModel[]>;
  /** Classifies a provider's error. */
  toFailure(error: unknown): ModelFailure;
}

export function createCatalog(deps: CatalogDeps): Catalog {
  const { records, redaction } = deps;

  const findRecord = async (
    purpose: ModelPurpose,
    sessionModelId: string | null,
  ): Promise<ConfiguredModel | undefined> => {
    const enabled = (await records.listStored()).filter((model) => model.enabled && model.purpose === purpose);
    const pointer = await records.activeId(purpose);
    const candidates = [
      ["session", enabled.find(({ id }) => id === sessionModelId)],
      ["active", enabled.find(({ id }) => id === pointer)],
      ["first_enabled", enabled[0]],
    ] as const;
    const [source, model] = candidates.find(([, one]) => one !== undefined) ?? [];
    return source && model && fromStored(model, source);
  };

  const findConfigured: Catalog["findConfigured"] = async (purpose, sessionModelId = null) => {
    const found = await findRecord(purpose, sessionModelId);
    if (found || purpose !== "chat") return found;
    return (await fromAiConfig(deps)) ?? fromEnvironment(deps) ?? createOfflineConfig(deps);
  };

  const requireConfigured = async (purpose: ModelPurpose, sessionModelId?: string | null): Promise<ConfiguredModel> => {
    const model = await findConfigured(purpose, sessionModelId);
    if (model) return model;
    throw modelsTexts.error("unavailable", "none", { purpose }, { isLasting: true });
  };

  return {
    findConfigured,
    async listQueue(purpose, sessionModelId) {
      const first = await requireConfigured(purpose, sessionModelId);
      if (first.modelId === "") return [first];
      const others = (await records.listStored()).filter(
        (model) => model.enabled && model.purpose === purpose && model.id !== first.modelId,
      );
      return [first, ...others.map((model) => fromStored(model, "first_enabled"))];
    },
    async requireEnabled(purpose, modelId) {
      const model = (await records.listStored()).find(({ id }) => id === modelId);
      if (model?.enabled && model.purpose === purpose) return fromStored(model, "session");
      throw model
        ? modelsTexts.error("unavailable", "off")
        : modelsTexts.error("unavailable", "unknown", { id: modelId });
    },
    open: (model, without) => openModel(model, deps, without),
    async listAvailable(model, signal) {
      const protocol = requireProtocol(model, deps);
      if (!protocol.list) throw modelsTexts.error("unavailable", "no_list", { id: protocol.id });
      return protocol.list(toConnection(model, protocol, deps), signal);
    },
    choose: async (purpose, sessionModelId) => toChosenModel(await requireConfigured(purpose, sessionModelId), deps),
    async find(idOrName) {
      const enabled = (await records.listStored()).filter((model) => model.enabled);
      const named = enabled.filter(({ name }) => name.toLowerCase() === idOrName.toLowerCase());
      const model = enabled.find(({ id }) => id === idOrName) ?? (named.length === 1 ? named[0] : undefined);
      return model && { id: model.id, name: model.name, purpose: model.purpose };
    },
    purposeOf: async (modelId) => (await records.listStored()).find(({ id }) => id === modelId)?.purpose,
    async listEnabled(purpose) {
      const models = (await records.listStored()).filter((model) => model.enabled && model.purpose === purpose);
      return models.map(({ id, name, model }) => ({ id, name, model }));
    },
    usesMemory: async () => (await deps.aiConfig.stored()).enable_memory,
    toFailure: (error) => toModelFailure(error, redaction),
  };
}

async function fromAiConfig({ aiConfig, protocols }: CatalogDeps): Promise<ConfiguredModel | undefined> {
  const { key, id, ...config } = await aiConfig.stored();
  if (config.model === "") return undefined;
  const { stream, enable_memory, search_api_url, search_api_key_env, updated_at, revision, ...fields } = config;
  const supports_stream = fields.supports_stream && stream;
  const whole = withDefaults({ ...fields, supports_stream, name: config.model, purpose: "chat" }, protocols());
  return { modelId: "", source: "ai_config", fields: whole, keyOwner: id, key };
}

function fromEnvironment({ environment, protocols }: CatalogDeps): ConfiguredModel | undefined {
  const model = environment.get("MODEL");
  if (!model) return undefined;
  const base_url = environment.get("BASE_URL") ?? "";
  const plainKey = environment.secret("API_KEY");
  const fields = withDefaults({ name: model, model, base_url }, protocols());
  return { modelId: "", source: "environment", fields, keyOwner: "", key: null, ...(plainKey && { plainKey }) };
}

function createOfflineConfig({ protocols }: CatalogDeps): ConfiguredModel {
  const fields = withDefaults({ name: "Offline companion", model: "offline", protocol: "offline" }, protocols());
  return { modelId: "", source: "offline", fields, keyOwner: "", key: null };
}

async function openModel(
  configured: ConfiguredModel,
  deps: CatalogDeps,
  disabled: ReadonlySet<RequestFeature> = new Set(),
): ReturnType<Catalog["open"]> {
  const protocol = requireProtocol(configured, deps);
  const connection = toConnection(configured, protocol, deps);
  const literalSecrets = Object.values(CONNECTION_SECRETS.in(configured.fields));
  const secrets = [connection.apiKey ?? "", ...Object.values(connection.headers), ...literalSecrets];
  return {
    ...toChosenModel(configured, deps),
    takesCacheKey: takesCacheKey(configured.fields),
    ...(await protocol.open({ ...connection, leaveOut: toFieldNames(disabled) })),
    secrets,
  };
}

/** True for servers that take `prompt_cache_key`, by the preset of the record or by its address; others may reject unknown fields. */
function takesCacheKey({ provider, base_url }: ModelFields): boolean {
  return CACHE_KEY_PROVIDERS.has(provider.toLowerCase()) || CACHE_KEY_ORIGINS.has(toOrigin(base_url));
}

function toConnection(configured: ConfiguredModel, protocol: ModelProtocol, deps: CatalogDeps): ModelConnection {
  const { fields } = configured;
  return {
    baseUrl: fields.base_url,
    model: fields.model,
    apiKey: resolveKey(configured, protocol, deps),
    headers: resolveHeaders(fields, deps.environment),
    extraBody: fields.extra_body,
    appendPath: fields.append_base_url_path,
    supportsTools: fields.supports_tools,
    // Private addresses are allowed, since an administrator entered the address, e.g. of a local model server.
    fetch: deps.egress.fetch({
      reach: "private",
      timeoutMs: fields.timeout_s * 1000 + TIMEOUT_MARGIN_MS,
      maxBytes: TEXT_PURPOSES.includes(fields.purpose) ? MAX_TEXT_BYTES : MAX_FILE_BYTES,
    }),
  };
}

/** Converts a record to a model that may be called. */
export function fromStored(model: StoredModel, source: ModelSource): ConfiguredModel {
  return { modelId: model.id, source, fields: model, keyOwner: model.id, key: model.key };
}

function requireProtocol({ fields }: ConfiguredModel, { protocols }: CatalogDeps): ModelProtocol {
  const protocol = protocols().find(({ id }) => id === fields.protocol);
  if (protocol) return protocol;
  const { protocol: id, name } = fields;
  throw modelsTexts.error("unavailable", "no_protocol", { id, name });
}

function toIdentity({ modelId, fields }: ConfiguredModel): string {
  const { protocol, base_url, append_base_url_path, model, dimensions } = fields;
  const fingerprint = JSON.stringify([protocol, base_url, append_base_url_path, model, dimensions]);
  return `${modelId}@${createHash("sha256").update(fingerprint).digest("base64url").slice(0, 16)}`;
}

const PARAMETER_FIELDS = [
  ["temperature", "temperature"],
  ["topP", "top_p"],
  ["frequencyPenalty", "frequency_penalty"],
  ["presencePenalty", "presence_penalty"],
  ["maxTokens", "max_tokens"],
] as const;

function toChosenModel(configured: ConfiguredModel, deps: CatalogDeps): ChosenModel {
  const { modelId, source, fields } = configured;
  const { id, supports } = requireProtocol(configured, deps);
  const defaults = getPurposeDefaults(fields.purpose);
  const unset = PARAMETER_FIELDS.filter(([, field]) => fields[field] === null).map(([name]) => name);
  return {
    modelId,
    label: fields.name,
    model: fields.model,
    protocol: id,
    source,
    identity: toIdentity(configured),
    ...(fields.purpose === "tts" && { sound: { voice: fields.voice, speed: fields.speed } }),
    parameters: {
      temperature: fields.temperature ?? defaults.temperature,
      topP: fields.top_p ?? 1,
      frequencyPenalty: fields.frequency_penalty ?? 0,
      presencePenalty: fields.presence_penalty ?? 0,
      maxTokens: fields.max_tokens ?? defaults.max_tokens,
      ...(unset.length > 0 && { unset }),
      maxContextLength: fields.max_context_length,
      timeoutMs: fields.timeout_s * 1000,
      retryCount: fields.retry_count,
      supportsTools: fields.supports_tools && supports.tools,
      supportsStream: fields.supports_stream && supports.stream,
      supportsVision: supports.vision,
      systemPrompt: fields.system_prompt,
    },
  };
}

function resolveKey(
  configured: ConfiguredModel,
  protocol: ModelProtocol,
  { keys, redaction }: CatalogDeps,
): string | undefined {
  const { plainKey, keyOwner, key, fields } = configured;
  if (plainKey) {
    redaction.remember(plainKey);
    return plainKey;
  }
  // The protocol's own variable holds a key for the provider's server only.
  const isOwnServer = toOrigin(fields.base_url) === toOrigin(protocol.defaultBaseUrl);
  return keys.open({ id: keyOwner, key, api_key_env: fields.api_key_env }, isOwnServer ? protocol.keyVariable : null);
}

function resolveHeaders(
  { extra_headers_env }: ModelFields,
  environment: Environment,
): Readonly<Record<string, string>> {
  const pairs = Object.entries(extra_headers_env).map(([header, name]) => [header, environment.secret(name)] as const);
  return Object.fromEntries(pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}
