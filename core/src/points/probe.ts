import { type ExtensionPoint, extensionPoint } from "../extension-point.ts";

export interface Measurement {
  /** Prometheus form: `parley_inbox_waiting`; units in the name. */
  readonly name: string;
  readonly help: string;
  readonly kind: "gauge" | "counter";
  readonly samples: readonly { readonly labels?: Readonly<Record<string, string>>; readonly value: number }[];
}

/** What one part of the service says of itself. Cheap: counters, never scans. */
export interface Probe {
  /** Names the component at health and startup-status. */
  readonly id: string;
  health?(): Promise<{ readonly status: "ok" | "degraded" | "down"; readonly detail: string }>;
  measure?(): Promise<readonly Measurement[]>;
  /** Keys of `GET /api/stats` this plugin knows. */
  stats?(): Promise<Readonly<Record<string, unknown>>>;
}

/** What health, statistics and `/metrics` ask. */
export const Probes: ExtensionPoint<Probe> = extensionPoint("probes");
