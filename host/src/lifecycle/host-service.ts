import type { ServiceKey } from "@parley/core";

/** A service of the host itself. */
export type HostService = readonly [key: ServiceKey<never>, service: unknown];
