import { modelsTexts } from "../texts.ts";
import { isUnchanged } from "./key-store.ts";
import type { ModelFields } from "./model-fields.ts";
import { toOrigin } from "./model-fields.ts";
import type { KeyInput } from "./model-resource.ts";
import type { StoredModel } from "./schema.ts";

/**
 * Returns the model whose key another one uses; undefined for a model with its own key or none. A key may only go to
 * the server it was entered for: `bad_request` for another server or protocol.
 */
export function findKeySource(
  { api_key, api_key_from: id }: KeyInput,
  to: Pick<ModelFields, "protocol" | "base_url">,
  models: readonly StoredModel[],
): StoredModel | undefined {
  if (id === undefined) return undefined;
  const field = "api_key_from";
  if (api_key && !isUnchanged(api_key)) throw modelsTexts.error("bad_request", "key_twice", {}, { field });
  const from = models.find((one) => one.id === id);
  if (!from) throw modelsTexts.error("bad_request", "unknown", { id }, { field });
  const { name, protocol, base_url } = from;
  const origin = toOrigin(base_url);
  if (protocol !== to.protocol || origin !== toOrigin(to.base_url))
    throw modelsTexts.error("bad_request", "key_elsewhere", { name, protocol, origin }, { field });
  if (!from.key) throw modelsTexts.error("bad_request", "key_none", { name }, { field });
  return from;
}
