import type { ModelSource } from "@parley/core";
import type { SealedKey } from "./key-store.ts";
import type { ModelFields } from "./model-fields.ts";

/** Returns the key of a model for data in memory, also for models without a record. */
export function toModelKey({ modelId, source }: Pick<ConfiguredModel, "modelId" | "source">): string {
  return modelId || source;
}

/** A configured model, from a record or the AI configuration. */
export interface ConfiguredModel {
  /** Id of the record; empty for a model without one. */
  readonly modelId: string;
  readonly source: ModelSource;
  readonly fields: ModelFields;
  /** Id of the record that owns the stored key. */
  readonly keyOwner: string;
  readonly key: SealedKey | null;
  /** Key from the environment or a test's body, which takes precedence over every other key. */
  readonly plainKey?: string;
}
