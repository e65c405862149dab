import type { ModelSource } from "@parley/core";
import type { SealedKey } from "./key-store.ts";
import type { ModelFields } from "./model-fields.ts";

/** The name of a model in memory; those without a record have none. */
export function toModelKey({ modelId, source }: Pick<ConfiguredModel, "modelId" | "source">): string {
  return modelId || source;
}

/** A configured model, from a record or the AI configuration. */
export interface ConfiguredModel {
  /** "" without a record. */
  readonly modelId: string;
  readonly source: ModelSource;
  readonly fields: ModelFields;
  /** Record id of the stored key's owner. */
  readonly keyOwner: string;
  readonly key: SealedKey | null;
  /** Beats every other key; from the environment or a test's body. */
  readonly plainKey?: string;
}
