import type { FailPoint } from "./fail-point.ts";
import { gatewayFailure } from "./said-failures.ts";
import type { GatewayStore } from "./store.ts";

export interface OnceParts {
  readonly store: Pick<GatewayStore, "ledger" | "startLedger" | "finishLedger">;
  readonly failPoint: FailPoint;
  readonly traceId: string;
  readonly key: string;
}

/** A call that changed something is not made again; one whose end is not known is not repeated. */
export async function once<Result>(
  { store, failPoint, traceId, key }: OnceParts,
  call: () => Promise<Result>,
): Promise<Result> {
  const earlier = await store.ledger(traceId, key);
  if (earlier?.state === "done") return JSON.parse(earlier.result ?? "null");
  if (earlier) throw gatewayFailure("unavailable", "outcome_unknown");
  await store.startLedger(traceId, key);
  failPoint("tool-started");
  const result = await call();
  await store.finishLedger(traceId, key, JSON.stringify(result ?? null));
  failPoint("tool-done");
  return result;
}
