import type { FailPoint } from "../../fail-point.ts";
import type { GatewayStore } from "../../store/gateway-store.ts";
import { gatewayTexts } from "../../texts.ts";

export interface RunOnceDeps {
  readonly store: Pick<GatewayStore, "findToolCall" | "startToolCall" | "finishToolCall">;
  readonly failPoint: FailPoint;
  readonly traceId: string;
  readonly key: string;
}

/**
 * Runs a call that changes something at most once per key. A completed call is not repeated; its stored result is
 * returned. Rejects with `unavailable` when the outcome of an earlier call is unknown.
 */
export async function runOnce<Result>(
  { store, failPoint, traceId, key }: RunOnceDeps,
  call: () => Promise<Result>,
): Promise<Result> {
  const earlier = await store.findToolCall(traceId, key);
  if (earlier?.state === "done") return JSON.parse(earlier.result ?? "null");
  if (earlier) throw gatewayTexts.error("unavailable", "outcome_unknown");
  await store.startToolCall(traceId, key);
  failPoint("tool-started");
  const result = await call();
  await store.finishToolCall(traceId, key, JSON.stringify(result ?? null));
  failPoint("tool-done");
  return result;
}
