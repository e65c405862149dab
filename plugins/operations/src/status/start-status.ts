import { type Caller, type Clock, type HostControl, hasScope, type Probe } from "@parley/core";
import { operationsTexts } from "../texts.ts";

/** Time the results of probes are cached. */
const HEALTH_TTL_MS = 1_000;

export interface StartStatusDeps {
  readonly host: HostControl;
  readonly clock: Clock;
  readonly probes: () => readonly Probe[];
  /** Returns true while this node drains: other nodes take over its work. */
  readonly isDraining: () => boolean;
}

const DRAINING_ERROR = operationsTexts.error("unavailable", "draining", {}, { retryAfterS: 1 });

/** Creates the function that returns the start status; details, which require probing, only for signed-in callers. */
export function createStartStatus(deps: StartStatusDeps): (caller: Caller) => Promise<object> {
  const { host, clock, probes, isDraining } = deps;
  let known: { readonly health: ReturnType<typeof readAllHealth>; readonly at: number } | undefined;
  const health = () => {
    if (!known || clock.monotonic() - known.at >= HEALTH_TTL_MS)
      known = { health: readAllHealth(probes()), at: clock.monotonic() };
    return known.health;
  };
  return async (caller) => {
    const phase = isDraining() ? "draining" : host.phase();
    if (!hasScope(caller, "read")) {
      // Load balancers read only the status code.
      if (phase === "draining") throw DRAINING_ERROR;
      return toPublicStatus(phase);
    }
    const components = await health();
    const isWell = components.every(({ state }) => state === "ok");
    const packages = host.plugins();
    const failed = packages.find(({ failure }) => failure !== null);
    return {
      ...toPublicStatus(phase === "ready" && !isWell ? "degraded" : phase),
      error: failed ? `${failed.id}: ${failed.failure}` : null,
      version: host.version,
      started_at: new Date(host.startedAt).toISOString(),
      uptime_s: Math.floor((clock.now() - host.startedAt) / 1000),
      bot_connected: components.find(({ name }) => name === "imA")?.state === "ok",
      components,
      packages: packages.map(({ id, version, state, failure, failure_detail }) => ({
        name: id,
        version,
        state,
        error: failure,
        error_detail: failure_detail,
      })),
    };
  };
}

function toPublicStatus(phase: ReturnType<HostControl["phase"]> | "draining") {
  return { ready: phase === "ready" || phase === "degraded", phase };
}

function readAllHealth(probes: readonly Probe[]) {
  return Promise.all(probes.flatMap((probe) => (probe.health ? [readHealth(probe)] : [])));
}

async function readHealth({ id, health }: Probe) {
  try {
    const found = await health?.();
    return { name: id, state: found?.status ?? "ok", error: found && found.status !== "ok" ? found.detail : null };
  } catch (error) {
    return { name: id, state: "down" as const, error: (error as Error).message };
  }
}
