import Joi, { type ObjectSchema } from "@hapi/joi";
import { type Common, displayName, MODEL_PURPOSES, type ModelPurpose } from "@parley/core";
import { literalSecrets } from "@parley/core/secrets";
import type { SealedKey } from "./key-store.ts";
import type { ModelFields } from "./model-fields.ts";
import {
  callFields,
  connectionFields,
  count,
  type KeyInput,
  keyFrom,
  variableName,
  webAddress,
} from "./model-resource.ts";

export interface StoredModel extends ModelFields, Common {
  readonly key: SealedKey | null;
}

export interface ModelView extends ModelFields, Common {
  readonly has_api_key: boolean;
  readonly api_key_masked: string;
  readonly is_active: boolean;
}

export type ModelDraft = Partial<ModelFields> & Pick<ModelFields, "name" | "model"> & KeyInput;
export type ModelPatch = Partial<ModelFields> & KeyInput;

export const applyBody = Joi.object<{ purpose?: ModelPurpose }>({ purpose: Joi.valid(...MODEL_PURPOSES) });
export const cloneBody = Joi.object<{ name?: string }>({ name: displayName(100) });
export const testBody = Joi.object<{ prompt?: string; timeout_s: number }>({
  prompt: Joi.string().max(2000),
  timeout_s: count(1, 120).default(30),
});
export const setPurposeBody = Joi.object<{ purpose: ModelPurpose; reset_defaults: boolean }>({
  purpose: Joi.valid(...MODEL_PURPOSES).required(),
  reset_defaults: Joi.boolean().default(true),
});

const purpose = Joi.valid(...MODEL_PURPOSES);
export const statusQuery = Joi.object<{ purpose?: ModelPurpose }>({ purpose });
export const resetBody = Joi.object<{ model_id?: string; tool?: string }>({
  model_id: Joi.string().max(64),
  tool: Joi.string().max(200).description("Only the rejection of this tool is forgotten"),
});
export const reorderBody = Joi.object<{
  purpose: ModelPurpose;
  priorities: readonly { readonly id: string; readonly priority: number }[];
}>({
  purpose: purpose.default("chat"),
  priorities: Joi.array()
    .items(Joi.object({ id: Joi.string().max(64).required(), priority: count(0, 10_000).required() }))
    .min(1)
    .max(500)
    .unique("id")
    .required(),
});

/** The fallback connection for chat, and the defaults of all models. */
export interface AiConfigFields
  extends Pick<
    ModelFields,
    | "provider"
    | "protocol"
    | "base_url"
    | "append_base_url_path"
    | "model"
    | "api_key_env"
    | "temperature"
    | "max_tokens"
    | "top_p"
    | "frequency_penalty"
    | "presence_penalty"
    | "system_prompt"
    | "timeout_s"
    | "retry_count"
    | "max_context_length"
    | "supports_tools"
    | "supports_reasoning"
    | "supports_stream"
  > {
  readonly stream: boolean;
  readonly enable_memory: boolean;
  readonly search_api_url: string;
  readonly search_api_key_env: string | null;
}

type ConnectionSecretField = "base_url" | "extra_body" | "search_api_url";
/** Secrets written into the addresses or the extra body of a connection. */
export const CONNECTION_SECRETS = literalSecrets<Pick<ModelFields & AiConfigFields, ConnectionSecretField>>({
  base_url: { form: "address", as: "url" },
  extra_body: { form: "values", to: "base_url", as: "body" },
  search_api_url: { form: "address" },
});

export type AiConfigPatch = Partial<AiConfigFields> & { readonly api_key?: string | null };
export const aiConfigPatch = Joi.object({
  ...connectionFields,
  ...callFields,
  model: connectionFields.model.allow(""),
  stream: Joi.boolean(),
  enable_memory: Joi.boolean(),
  search_api_url: webAddress,
  search_api_key_env: variableName,
}) as ObjectSchema<AiConfigPatch>;

export interface ConnectionTest extends KeyInput {
  readonly protocol?: string;
  readonly base_url?: string;
  readonly model?: string;
  readonly api_key_env?: string | null;
  readonly timeout_s: number;
}
/** A server as entered in a form, before it is saved. */
export interface ServerQuery extends Omit<ConnectionTest, "model"> {
  /** Id of the model whose stored key is used, for the same server. */
  readonly model_id?: string;
}
const { model: _model, ...server } = connectionFields;
export const serverQuery = Joi.object({
  ...server,
  model_id: Joi.string().max(64),
  timeout_s: count(1, 60).default(20),
}) as ObjectSchema<ServerQuery>;

export const connectionTest = Joi.object({
  ...connectionFields,
  api_key_from: keyFrom,
  timeout_s: count(1, 60).default(20),
}) as ObjectSchema<ConnectionTest>;
