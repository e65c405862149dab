import type { ModelProtocol, ModelPurpose } from "@parley/core";
import { isUnchanged, type KeyOwner } from "./key-store.ts";
import { getPurposeDefaults } from "./purposes.ts";

/** Completes a record with the defaults of its purpose and the address of its protocol. */
export function withDefaults(
  input: Partial<ModelFields> & Pick<ModelFields, "name" | "model">,
  protocols: readonly ModelProtocol[],
): ModelFields {
  const purpose = input.purpose ?? "chat";
  const protocol = input.protocol ?? "openai_chat";
  return {
    ...getPurposeDefaults(purpose),
    provider: "custom",
    append_base_url_path: true,
    api_key_env: null,
    enabled: true,
    priority: 0,
    top_p: 0.9,
    frequency_penalty: 0,
    presence_penalty: 0,
    max_context_length: 100_000,
    system_prompt: "",
    timeout_s: 60,
    retry_count: 3,
    failover_timeout_s: 0,
    token_limit_daily: 0,
    token_limit_weekly: 0,
    input_price: 0,
    output_price: 0,
    cache_read_price: null,
    cache_write_price: null,
    speed: 1,
    pitch: 1,
    volume: 1,
    dimensions: 1536,
    extra_headers_env: {},
    extra_body: {},
    ...input,
    purpose,
    protocol,
    base_url: input.base_url || defaultBaseUrl(protocol, protocols),
  };
}

/** Returns the base address; an empty one, or a new protocol without an address, means the protocol's default. */
export function resolveBaseUrl<Fields extends Partial<ModelFields>>(
  fields: Fields,
  old: Pick<ModelFields, "protocol" | "base_url">,
  protocols: readonly ModelProtocol[],
): Fields {
  const protocol = fields.protocol ?? old.protocol;
  const follows = protocol !== old.protocol && old.base_url === defaultBaseUrl(old.protocol, protocols);
  const isDefault = fields.base_url === "" || (fields.base_url === undefined && follows);
  return isDefault ? { ...fields, base_url: defaultBaseUrl(protocol, protocols) } : fields;
}

function defaultBaseUrl(protocol: string, protocols: readonly ModelProtocol[]): string {
  return protocols.find(({ id }) => id === protocol)?.defaultBaseUrl ?? "";
}

export function toOrigin(baseUrl: string): string {
  return URL.parse(baseUrl)?.origin ?? "";
}

/** Credentials sent to the server at the record's address. */
interface Credentials
  extends Pick<ModelFields, "base_url" | "api_key_env">,
    Partial<Pick<ModelFields, "extra_headers_env">> {}

/** The credentials that remain after a change of the address, with the notice about it. */
export interface CredentialsAfterMove {
  readonly keepsKey: boolean;
  readonly fields: Partial<Pick<ModelFields, "api_key_env" | "extra_headers_env">>;
  readonly notice: string;
}

/** Resolves credentials, which are bound to an address: another origin gets only credentials sent with it. */
export function resolveCredentials(
  old: Credentials & Pick<KeyOwner, "key">,
  next: Credentials,
  input: Partial<Credentials> & { readonly api_key?: string | null | undefined },
): CredentialsAfterMove {
  if (toOrigin(next.base_url) === toOrigin(old.base_url)) return { keepsKey: true, fields: {}, notice: "" };
  const losesKey = old.key !== null && isUnchanged(input.api_key);
  const losesVariable = old.api_key_env !== null && input.api_key_env === undefined;
  const headers = input.extra_headers_env === undefined ? Object.values(old.extra_headers_env ?? {}) : [];
  const names = [...new Set([...(losesVariable ? [old.api_key_env] : []), ...headers])];
  const removed = [...(losesKey ? ["the stored API key"] : []), ...names];
  const verb = removed.length === 1 ? "was" : "were";
  return {
    keepsKey: !losesKey,
    fields: { ...(losesVariable && { api_key_env: null }), ...(headers.length > 0 && { extra_headers_env: {} }) },
    notice:
      removed.length === 0 ? "" : `${removed.join(", ")} ${verb} removed because the base URL moved to another origin`,
  };
}
/** Fields of a model that people can set. */

export interface ModelFields {
  readonly name: string;
  readonly purpose: ModelPurpose;
  readonly protocol: string;
  readonly provider: string;
  readonly base_url: string;
  readonly append_base_url_path: boolean;
  readonly model: string;
  readonly api_key_env: string | null;
  readonly enabled: boolean;
  readonly priority: number;
  readonly supports_tools: boolean;
  readonly supports_reasoning: boolean;
  readonly supports_stream: boolean;
  /** Null leaves the value to the provider, as in all fields that may be null. */
  readonly temperature: number | null;
  readonly top_p: number | null;
  readonly frequency_penalty: number | null;
  readonly presence_penalty: number | null;
  readonly max_tokens: number | null;
  readonly max_context_length: number;
  readonly system_prompt: string;
  readonly timeout_s: number;
  readonly retry_count: number;
  readonly failover_timeout_s: number;
  readonly token_limit_daily: number;
  readonly token_limit_weekly: number;
  readonly input_price: number;
  readonly output_price: number;
  /** Price of input tokens read from the provider's cache; null: a tenth of the input price. */
  readonly cache_read_price: number | null;
  /** Price of input tokens written to the provider's cache; null: 1.25 times the input price. */
  readonly cache_write_price: number | null;
  readonly voice: string;
  readonly audio_format: string;
  readonly language: string;
  readonly speed: number;
  readonly pitch: number;
  readonly volume: number;
  readonly dimensions: number;
  readonly extra_headers_env: Readonly<Record<string, string>>;
  readonly extra_body: Readonly<Record<string, unknown>>;
}
