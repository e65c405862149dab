import type { Clock } from "@parley/core";

const NOT_SENT_LIMIT = 5;
const NOT_SENT_OPEN_MS = 30_000;
const UNAUTHORIZED_OPEN_MS = 300_000;

/** Limits sends to one attempt at a time while a platform is unreachable or rejects the credentials. */
export interface CircuitBreakers {
  /** Returns the milliseconds until the next attempt; 0 allows it now. While the circuit is open, that attempt is its only trial. */
  acquire(channelId: string): number;
  /** True while no delivery, or only the trial attempt, may be sent. */
  isOpen(channelId: string): boolean;
  onNotSent(channelId: string): void;
  /** Counts rejected credentials; returns the milliseconds until the next attempt: first 0, then the circuit opens. */
  onUnauthorized(channelId: string): number;
  onSuccess(channelId: string): void;
  /** Resets the circuit when the channel's connection is opened again. */
  reset(channelId: string): void;
}

interface Circuit {
  notSentCount: number;
  unauthorizedCount: number;
  openUntilMs: number;
}

/** Creates the circuit breakers. `onClosed` is called when waiting deliveries may be sent again. */
export function createCircuitBreakers(clock: Clock, onClosed: (channelId: string) => void): CircuitBreakers {
  const breakers = new Map<string, Circuit>();
  const getCircuit = (channelId: string): Circuit => {
    const circuit = breakers.get(channelId) ?? { notSentCount: 0, unauthorizedCount: 0, openUntilMs: 0 };
    breakers.set(channelId, circuit);
    return circuit;
  };
  return {
    acquire(channelId) {
      const circuit = breakers.get(channelId);
      if (!circuit || circuit.openUntilMs === 0) return 0;
      const waitMs = circuit.openUntilMs - clock.monotonic();
      if (waitMs > 0) return waitMs;
      // This attempt is the trial; the others wait for its outcome.
      circuit.openUntilMs = clock.monotonic() + NOT_SENT_OPEN_MS;
      return 0;
    },
    isOpen: (channelId) => (breakers.get(channelId)?.openUntilMs ?? 0) > 0,
    onNotSent(channelId) {
      const circuit = getCircuit(channelId);
      circuit.notSentCount += 1;
      if (circuit.notSentCount >= NOT_SENT_LIMIT) circuit.openUntilMs = clock.monotonic() + NOT_SENT_OPEN_MS;
    },
    onUnauthorized(channelId) {
      const circuit = getCircuit(channelId);
      circuit.unauthorizedCount += 1;
      if (circuit.unauthorizedCount === 1) return 0;
      circuit.openUntilMs = clock.monotonic() + UNAUTHORIZED_OPEN_MS;
      return UNAUTHORIZED_OPEN_MS;
    },
    onSuccess(channelId) {
      const wasOpen = (breakers.get(channelId)?.openUntilMs ?? 0) > 0;
      breakers.delete(channelId);
      if (wasOpen) onClosed(channelId);
    },
    reset: (channelId) => void breakers.delete(channelId),
  };
}
