import type { Clock } from "@parley/core";

const NOT_SENT_LIMIT = 5;
const NOT_SENT_OPEN_MS = 30_000;
const REFUSED_OPEN_MS = 300_000;

/** Spares a platform that cannot be reached or does not let us in: one try at a time. */
export interface CircuitBreakers {
  /** Milliseconds until the next try; 0: now, and then it is this one that is tried. */
  tryNow(channelId: string): number;
  /** True while it is not tried, or only to see whether it works again. */
  isOpen(channelId: string): boolean;
  notSent(channelId: string): void;
  /** Our credential is not accepted. Milliseconds until the next try: the first is at once. */
  refused(channelId: string): number;
  worked(channelId: string): void;
  /** The channel was opened anew. */
  changed(channelId: string): void;
}

interface Circuit {
  notSent: number;
  refused: number;
  openUntilMs: number;
}

/** `closed` is called when what waited may be sent again. */
export function createCircuitBreakers(clock: Clock, closed: (channelId: string) => void): CircuitBreakers {
  const breakers = new Map<string, Circuit>();
  const of = (channelId: string): Circuit => {
    const circuit = breakers.get(channelId) ?? { notSent: 0, refused: 0, openUntilMs: 0 };
    breakers.set(channelId, circuit);
    return circuit;
  };
  return {
    tryNow(channelId) {
      const circuit = breakers.get(channelId);
      if (!circuit || circuit.openUntilMs === 0) return 0;
      const waitMs = circuit.openUntilMs - clock.monotonic();
      if (waitMs > 0) return waitMs;
      // This one is the probe; the others wait for what it finds.
      circuit.openUntilMs = clock.monotonic() + NOT_SENT_OPEN_MS;
      return 0;
    },
    isOpen: (channelId) => (breakers.get(channelId)?.openUntilMs ?? 0) > 0,
    notSent(channelId) {
      const circuit = of(channelId);
      circuit.notSent += 1;
      if (circuit.notSent >= NOT_SENT_LIMIT) circuit.openUntilMs = clock.monotonic() + NOT_SENT_OPEN_MS;
    },
    refused(channelId) {
      const circuit = of(channelId);
      circuit.refused += 1;
      if (circuit.refused === 1) return 0;
      circuit.openUntilMs = clock.monotonic() + REFUSED_OPEN_MS;
      return REFUSED_OPEN_MS;
    },
    worked(channelId) {
      const wasOpen = (breakers.get(channelId)?.openUntilMs ?? 0) > 0;
      breakers.delete(channelId);
      if (wasOpen) closed(channelId);
    },
    changed: (channelId) => void breakers.delete(channelId),
  };
}
