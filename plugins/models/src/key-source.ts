import { isUnchanged } from "./key-store.ts";
import { originOf } from "./model-fields.ts";
import type { KeySent } from "./model-resource.ts";
import { modelFailure } from "./said-failures.ts";
import type { ModelFields, StoredModel } from "./schema.ts";

/**
 * The model whose key another one is to have; undefined where it has one of its own or none. A key goes to the server that it was
 * given for: `bad_request` where the other one calls another server, or calls it in another way.
 */
export function keySource(
  { api_key, api_key_from: id }: KeySent,
  to: Pick<ModelFields, "protocol" | "base_url">,
  all: readonly StoredModel[],
): StoredModel | undefined {
  if (id === undefined) return undefined;
  const field = "api_key_from";
  if (api_key && !isUnchanged(api_key)) throw modelFailure("bad_request", "key_twice", {}, { field });
  const from = all.find((one) => one.id === id);
  if (!from) throw modelFailure("bad_request", "unknown", { id }, { field });
  const { name, protocol, base_url } = from;
  const origin = originOf(base_url);
  if (protocol !== to.protocol || origin !== originOf(to.base_url))
    throw modelFailure("bad_request", "key_elsewhere", { name, protocol, origin }, { field });
  if (!from.key) throw modelFailure("bad_request", "key_none", { name }, { field });
  return from;
}
