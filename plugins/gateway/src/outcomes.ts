import { setTimeout as wait } from "node:timers/promises";
import { notFound, type Sessions, type TurnOutcome } from "@parley/core";
import { gatewayFailure } from "./said-failures.ts";
import type { GatewayStore } from "./store.ts";
import { fullOutcome } from "./stored-outcome.ts";

const ASK_EVERY_MS = 250;

/** Lets callers wait for what a message comes to. */
export interface Outcomes {
  /** `not_found` for an unknown trace; `timed_out` when `signal` aborts first. */
  of(traceId: string, signal: AbortSignal): Promise<TurnOutcome>;
  /** Called after the outcome is stored. */
  tell(outcome: TurnOutcome): void;
}

/** `isShared`: a turn may run at another node, and is asked after. */
export function createOutcomes(
  store: Pick<GatewayStore, "outcome">,
  sessions: () => Pick<Sessions, "messagesById">,
  isShared: boolean,
): Outcomes {
  const waiters = new Map<string, ((outcome: TurnOutcome) => void)[]>();
  const remove = (traceId: string, resolve: (outcome: TurnOutcome) => void) => {
    const left = (waiters.get(traceId) ?? []).filter((one) => one !== resolve);
    if (left.length > 0) waiters.set(traceId, left);
    else waiters.delete(traceId);
  };
  const stored = async (traceId: string, signal: AbortSignal): Promise<TurnOutcome> => {
    for (;;) {
      await wait(ASK_EVERY_MS, undefined, { signal });
      const { outcome } = await store.outcome(traceId);
      if (outcome) return fullOutcome(outcome, sessions().messagesById);
    }
  };
  return {
    async of(traceId, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<TurnOutcome>();
      waiters.set(traceId, [...(waiters.get(traceId) ?? []), resolve]);
      const over = new AbortController();
      const stop = () => reject(gatewayFailure("timed_out", "waits_long"));
      signal.addEventListener("abort", stop, { once: true });
      try {
        const { isKnown, outcome } = await store.outcome(traceId);
        if (!isKnown) throw notFound("trace", traceId);
        if (outcome) return await fullOutcome(outcome, sessions().messagesById);
        if (!isShared) return await promise;
        return await Promise.race([promise, stored(traceId, AbortSignal.any([signal, over.signal]))]);
      } finally {
        over.abort();
        signal.removeEventListener("abort", stop);
        remove(traceId, resolve);
      }
    },
    tell(outcome) {
      for (const resolve of waiters.get(outcome.traceId) ?? []) resolve(outcome);
      waiters.delete(outcome.traceId);
    },
  };
}
