import { type GatewayLogEntry, type ItemFailure, type Localized, localizeMessage, type Redaction } from "@parley/core";
import type { LogTable } from "../store/tables.ts";

/** Details from which a reader gets the sentences of a row; each is absent where its sentence exists in English only. */
export interface SentenceDetails {
  readonly message_detail?: ItemFailure["detail"];
  readonly error_detail?: ItemFailure["detail"];
}

interface StoredMetadata extends SentenceDetails {
  readonly why?: Localized;
  readonly [name: string]: unknown;
}

type WrittenEntry = Pick<GatewayLogEntry, "detail" | "error" | "metadata">;

/**
 * Returns the metadata of an entry as JSON, with the details of its sentences. Metadata of a plugin without a JSON form are
 * replaced, since the other entries are written with them.
 */
export function toMetadataJson({ detail, error, metadata }: WrittenEntry, redaction: Redaction): string {
  const details = { ...(detail && { message_detail: detail }), ...(error?.detail && { error_detail: error.detail }) };
  try {
    return redaction.toMaskedJson({ ...metadata, ...details });
  } catch (problem) {
    return redaction.toMaskedJson({ ...details, problem: `no JSON: ${(problem as Error).message}` });
  }
}

/** Returns the metadata of a row, and beside them the details of its sentences. `why` is the reason of a failure in each language. */
export function readMetadata({
  metadata,
  error_message,
}: Pick<LogTable, "metadata" | "error_message">): SentenceDetails & {
  readonly metadata: Readonly<Record<string, unknown>>;
} {
  const { message_detail, error_detail, ...stored } = JSON.parse(metadata) as StoredMetadata;
  const why = error_detail ? localizeMessage(error_message ?? "", error_detail) : message_detail?.texts?.why;
  return {
    ...(message_detail && { message_detail }),
    ...(error_detail && { error_detail }),
    metadata: { ...(why && { why }), ...stored },
  };
}
