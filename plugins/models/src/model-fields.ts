import type { ModelProtocol } from "@parley/core";
import { purposeDefaults } from "./purposes.ts";
import type { ModelFields } from "./schema.ts";

/** A whole record from what was given: the purpose's defaults, the protocol's address. */
export function fieldsOf(
  given: Partial<ModelFields> & Pick<ModelFields, "name" | "model">,
  protocols: readonly ModelProtocol[],
): ModelFields {
  const purpose = given.purpose ?? "chat";
  const protocol = given.protocol ?? "openai_chat";
  return {
    ...purposeDefaults(purpose),
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
    speed: 1,
    pitch: 1,
    volume: 1,
    dimensions: 1536,
    extra_headers_env: {},
    extra_body: {},
    ...given,
    purpose,
    protocol,
    base_url: given.base_url || defaultBaseUrl(protocol, protocols),
  };
}

/** An emptied address means the protocol's own; so does a new protocol whose address is not given. */
export function withBaseUrl<Fields extends Partial<ModelFields>>(
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

export function originOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.origin ?? "";
}
