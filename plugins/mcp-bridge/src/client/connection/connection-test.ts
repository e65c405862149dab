import { AppError, type Clock, toLocalizedError } from "@parley/core";
import type { EntryView } from "../servers/entry.ts";
import type { Connection } from "./connection.ts";
import type { StoredReason } from "./reasons.ts";

export interface ConnectionTestResult {
  readonly ok: boolean;
  readonly elapsed_ms: number;
  readonly protocol_version: string | null;
  readonly server_info: EntryView["server_info"];
  readonly tool_count: number;
  readonly error: string | null;
  /** Localized detail of `error`. */
  readonly error_detail: StoredReason["detail"];
}

/** Connects, reads the tools and disconnects; a failure is returned as a result, not thrown. */
export async function testConnection(connection: Connection, clock: Clock): Promise<ConnectionTestResult> {
  const begun = clock.monotonic();
  const failure = await connection.connect().then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  const { serverInfo } = connection.status();
  const tool_count = connection.tools().length;
  const elapsed_ms = Math.round(clock.monotonic() - begun);
  await connection.disconnect();
  const protocol_version = serverInfo?.protocol_version ?? null;
  return {
    ok: failure === undefined,
    elapsed_ms,
    protocol_version,
    server_info: serverInfo,
    tool_count,
    error: failure?.message ?? null,
    error_detail: (AppError.is(failure) && toLocalizedError(failure).detail) || null,
  };
}
