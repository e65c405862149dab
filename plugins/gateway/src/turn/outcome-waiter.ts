import { setTimeout as wait } from "node:timers/promises";
import { notFound, type Sessions, type TurnOutcome } from "@parley/core";
import type { GatewayStore } from "../store/gateway-store.ts";
import { loadOutcome } from "../store/stored-outcome.ts";
import { gatewayTexts } from "../texts.ts";

const POLL_EVERY_MS = 250;

/** Waits for the outcomes of messages. */
export interface OutcomeWaiter {
  /** Resolves to a message's outcome; rejects with `not_found`, or `timed_out` when `signal` aborts first. */
  waitFor(traceId: string, signal: AbortSignal): Promise<TurnOutcome>;
  /** Called when the outcome is stored. */
  publish(outcome: TurnOutcome): void;
}

/** Creates the waiter. With `isShared` a turn may run on another node, so the stored outcome is polled too. */
export function createOutcomeWaiter(
  store: Pick<GatewayStore, "findOutcome">,
  sessions: () => Pick<Sessions, "messagesById">,
  isShared: boolean,
): OutcomeWaiter {
  const waiters = new Map<string, ((outcome: TurnOutcome) => void)[]>();
  const remove = (traceId: string, resolve: (outcome: TurnOutcome) => void) => {
    const left = (waiters.get(traceId) ?? []).filter((one) => one !== resolve);
    if (left.length > 0) waiters.set(traceId, left);
    else waiters.delete(traceId);
  };
  const pollStored = async (traceId: string, signal: AbortSignal): Promise<TurnOutcome> => {
    for (;;) {
      await wait(POLL_EVERY_MS, undefined, { signal });
      const { outcome } = await store.findOutcome(traceId);
      if (outcome) return loadOutcome(outcome, sessions().messagesById);
    }
  };
  return {
    async waitFor(traceId, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<TurnOutcome>();
      waiters.set(traceId, [...(waiters.get(traceId) ?? []), resolve]);
      const done = new AbortController();
      const stop = () => reject(gatewayTexts.error("timed_out", "waits_long"));
      signal.addEventListener("abort", stop, { once: true });
      try {
        const { isKnown, outcome } = await store.findOutcome(traceId);
        if (!isKnown) throw notFound("trace", traceId);
        if (outcome) return await loadOutcome(outcome, sessions().messagesById);
        if (!isShared) return await promise;
        return await Promise.race([promise, pollStored(traceId, AbortSignal.any([signal, done.signal]))]);
      } finally {
        done.abort();
        signal.removeEventListener("abort", stop);
        remove(traceId, resolve);
      }
    },
    publish(outcome) {
      for (const resolve of waiters.get(outcome.traceId) ?? []) resolve(outcome);
      waiters.delete(outcome.traceId);
    },
  };
}
