import Joi, { type ObjectSchema, type Schema } from "@hapi/joi";
import type { TransferSection } from "@parley/core";
import { LITERAL_SECRETS } from "@parley/core/secrets";
import { diffFields, recordsSection } from "@parley/core/transfer";
import { type AiConfig, EMPTY_CONFIG, type StoredAiConfig } from "./ai-config.ts";
import type { KeyOwner, KeyStore } from "./key-store.ts";
import type { ModelFields } from "./model-fields.ts";
import type { ModelRecords } from "./model-records.ts";
import { models } from "./model-resource.ts";
import { type AiConfigPatch, aiConfigPatch, CONNECTION_SECRETS } from "./schema.ts";

interface WithSecrets {
  readonly id: string;
  readonly [LITERAL_SECRETS]?: string | null;
}
type Item = ModelFields & WithSecrets;
type ConfigItem = AiConfigPatch & WithSecrets & { readonly name: string };

const NAME = { en: "Model configuration", zh: "模型配置" };

/** Fields with credentials. They are transferred with every new address, which would otherwise drop them. */
const CREDENTIALS = ["api_key_env", "extra_headers_env"];

/** Creates the section of models. It includes the names of key variables, and the keys only on request. */
export function createModelsSection(records: () => ModelRecords, keys: () => KeyStore): TransferSection {
  return recordsSection<Item>({
    id: "ai_models",
    title: { en: "Models", zh: "模型" },
    item: (models.draft as ObjectSchema).keys({
      id: Joi.string()
        .pattern(/^[A-Za-z0-9_-]{1,64}$/)
        .required(),
      api_key: Joi.forbidden(),
      api_key_from: Joi.forbidden(),
    }) as unknown as Schema<Item>,
    async all() {
      const stored = (await records().listStored()).map((one) => CONNECTION_SECRETS.masked(one));
      return stored.map(({ key: _key, created_at, updated_at, revision, ...fields }) => fields);
    },
    secret: { field: "api_key", all: async () => openKeys(await records().listStored(), keys()) },
    literals: { secrets: CONNECTION_SECRETS, all: () => records().listStored() },
    create: ({ id, [LITERAL_SECRETS]: secrets, ...draft }) =>
      records().create(CONNECTION_SECRETS.comingIn(draft, secrets), id),
    async change({ id, [LITERAL_SECRETS]: secrets, ...fields }, changed) {
      const changes = CONNECTION_SECRETS.comingIn(
        pickFields(fields, withCredentialFields(changed)),
        secrets,
        await records().get(id),
      );
      return records().update(id, changes);
    },
    remove: (id) => records().remove(id),
  });
}

/** Creates the section of the fallback connection and the defaults of all calls; empty if nothing is configured. */
export function createAiConfigSection(config: () => AiConfig, keys: () => KeyStore): TransferSection {
  const fieldsOf = ({ key: _key, updated_at, revision, ...fields }: StoredAiConfig) => fields;
  const isSet = (one: StoredAiConfig) =>
    one.key !== null || diffFields(fieldsOf(EMPTY_CONFIG), fieldsOf(one)).length > 0;
  const set = async () => [await config().stored()].filter(isSet);
  return recordsSection<ConfigItem>({
    id: "ai_config",
    title: NAME,
    item: (aiConfigPatch as ObjectSchema).keys({
      id: Joi.valid(EMPTY_CONFIG.id).required(),
      name: Joi.valid(NAME.en).required(),
      api_key: Joi.forbidden(),
    }) as unknown as Schema<ConfigItem>,
    all: async () => (await set()).map((stored) => ({ ...fieldsOf(CONNECTION_SECRETS.masked(stored)), name: NAME.en })),
    secret: { field: "api_key", all: async () => openKeys(await set(), keys()) },
    literals: { secrets: CONNECTION_SECRETS, all: set },
    // The connection has no initial values, because a stored key must not go to another address.
    initial: () => INITIAL_DEFAULTS,
    create: ({ id: _id, name: _name, [LITERAL_SECRETS]: secrets, ...fields }) =>
      config().update(CONNECTION_SECRETS.comingIn(fields, secrets)),
    async change({ id: _id, name: _name, [LITERAL_SECRETS]: secrets, ...fields }, changed) {
      const changes = CONNECTION_SECRETS.comingIn(
        pickFields(fields, withCredentialFields(changed)),
        secrets,
        await config().stored(),
      );
      return config().update(changes);
    },
    async remove() {
      const { id: _id, ...fields } = fieldsOf(EMPTY_CONFIG);
      await config().update({ ...fields, api_key: null });
    },
  });
}

/** Defaults of all calls, without the connection. */
const INITIAL_DEFAULTS = pickFields(EMPTY_CONFIG, [
  "temperature",
  "max_tokens",
  "top_p",
  "frequency_penalty",
  "presence_penalty",
  "system_prompt",
  "timeout_s",
  "retry_count",
  "max_context_length",
  "supports_tools",
  "supports_reasoning",
  "supports_stream",
  "stream",
  "enable_memory",
]) as Partial<ConfigItem>;

/** Adds the credential fields to the changed ones, and with secrets also their destinations. */
function withCredentialFields(changed: readonly string[]): readonly string[] {
  return [...changed, ...CREDENTIALS, ...(changed.includes(LITERAL_SECRETS) ? CONNECTION_SECRETS.fields : [])];
}

function openKeys(owners: readonly KeyOwner[], keys: KeyStore): Readonly<Record<string, string>> {
  const entries = owners.flatMap((owner) => {
    const secret = owner.key === null ? undefined : keys.open({ ...owner, api_key_env: null }, null);
    return secret === undefined ? [] : [[owner.id, secret] as const];
  });
  return Object.fromEntries(entries);
}

function pickFields<Fields extends object>(fields: Fields, names: readonly string[]): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name))) as Partial<Fields>;
}
