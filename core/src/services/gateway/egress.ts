import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Reachable addresses and size limits of outgoing requests. */
export interface EgressPolicy {
  /**
   * `public`: every resolved address must be public. `loopback`: loopback as well (addresses an administrator typed
   * for a local service). `private`: private networks as well. Link-local and metadata addresses are always rejected.
   */
  readonly reach: "public" | "loopback" | "private";
  /** Timeout in milliseconds until the answer's first byte and between bytes. Default 30,000. */
  readonly timeoutMs?: number;
  /** Default 16 MiB; beyond it the body fails with `too_large`. */
  readonly maxBytes?: number;
  /** Redirects followed, each checked like the first address. Default 0. */
  readonly redirects?: number;
  /** @deprecated Without effect: every header that the caller sets is dropped when a redirect leads to another origin. */
  readonly secretHeaders?: readonly string[];
}

/**
 * The single HTTP client of the service. Resolves names, checks the addresses and connects only to checked ones.
 * Rejects with `bad_request` for forbidden addresses, `timed_out` and `upstream_failed`. Provided by the host.
 */
export interface Egress {
  /** Returns a `fetch` bound to a policy, for use by other libraries too. */
  fetch(policy: EgressPolicy): typeof fetch;
  /**
   * Rejects an unreachable address before it is stored, as `fetch` would, by its current resolution. A name that does
   * not resolve within two seconds is accepted; `fetch` checks again.
   */
  check(url: string | URL, reach: EgressPolicy["reach"]): Promise<void>;
}
export const Egress: ServiceKey<Egress> = serviceKey("egress");
