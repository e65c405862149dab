import {
  type Clock,
  type Collection,
  checkRevision,
  type DocumentKind,
  type Environment,
  type LiveEvents,
  type ModelProtocol,
  resourceChanged,
  toSharedError,
} from "@parley/core";
import { modelsTexts } from "../texts.ts";
import type { KeyStore, SealedKey } from "./key-store.ts";
import { resolveCredentials } from "./model-fields.ts";
import { type AiConfigFields, type AiConfigPatch, CONNECTION_SECRETS } from "./schema.ts";

const CONFIG_ID = "ai_config";

export interface StoredAiConfig extends AiConfigFields {
  readonly id: string;
  readonly key: SealedKey | null;
  readonly updated_at: string | null;
  readonly revision: number;
}

export const AI_CONFIG: DocumentKind<StoredAiConfig> = { name: "ai-config", secrets: CONNECTION_SECRETS };

/** The default configuration. */
export const EMPTY_CONFIG: StoredAiConfig = {
  id: CONFIG_ID,
  provider: "custom",
  protocol: "openai_chat",
  base_url: "https://api.openai.com/v1",
  append_base_url_path: true,
  model: "",
  api_key_env: null,
  temperature: 0.7,
  max_tokens: 2000,
  top_p: 0.9,
  frequency_penalty: 0,
  presence_penalty: 0,
  system_prompt: "",
  timeout_s: 60,
  retry_count: 3,
  max_context_length: 100_000,
  supports_tools: true,
  supports_reasoning: true,
  supports_stream: true,
  stream: true,
  enable_memory: true,
  search_api_url: "",
  search_api_key_env: null,
  key: null,
  updated_at: null,
  revision: 1,
};

export interface AiConfigDeps {
  readonly documents: Collection<StoredAiConfig>;
  readonly keys: KeyStore;
  readonly protocols: () => readonly ModelProtocol[];
  readonly environment: Environment;
  readonly events: LiveEvents;
  readonly clock: Clock;
}

/** The fallback connection for chat, and the defaults of all models; a single document. */
export interface AiConfig {
  stored(): Promise<StoredAiConfig>;
  update(patch: AiConfigPatch, ifMatch?: number): Promise<{ readonly config: StoredAiConfig; readonly notice: string }>;
}

export function createAiConfig({ documents, keys, protocols, environment, events, clock }: AiConfigDeps): AiConfig {
  const stored = async () => (await documents.get(CONFIG_ID)) ?? EMPTY_CONFIG;
  return {
    stored,
    async update({ api_key, ...fields }, ifMatch) {
      if (api_key === undefined && Object.keys(fields).length === 0)
        throw toSharedError("bad_request", "nothing_to_update", {});
      const protocolId = fields.protocol ?? (await stored()).protocol;
      const protocol = protocols().find(({ id }) => id === protocolId);
      if (!protocol?.purposes.includes("chat"))
        throw modelsTexts.error("bad_request", "no_chat", {}, { field: "protocol" });
      // Rejects the names of variables that belong to the service.
      for (const name of [fields.api_key_env, fields.search_api_key_env]) if (name) environment.secret(name);
      if (!(await documents.get(CONFIG_ID))) await documents.put(EMPTY_CONFIG);
      let notice = "";
      const config = await documents.update(CONFIG_ID, (old) => {
        checkRevision(old, ifMatch);
        const address = fields.base_url === "" ? { base_url: protocol.defaultBaseUrl } : {};
        const next = { ...old, ...CONNECTION_SECRETS.unmasked(fields, old), ...address };
        const {
          keepsKey,
          fields: clearedFields,
          notice: moveNotice,
        } = resolveCredentials(old, next, { ...fields, api_key });
        notice = moveNotice;
        const key = keepsKey ? keys.update(old, api_key) : null;
        return {
          ...next,
          ...clearedFields,
          key,
          updated_at: new Date(clock.now()).toISOString(),
          revision: old.revision + 1,
        };
      });
      events.publish(resourceChanged("ai_config", CONFIG_ID, "updated", config.revision));
      return { config, notice };
    },
  };
}
