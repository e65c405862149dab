import { type Caller, type Clock, type HostControl, hasScope, type Probe } from "@parley/core";

/** Whether the service is up; the details only for those who have signed in. */
export async function startStatus(
  caller: Caller,
  { host, clock, probes }: { readonly host: HostControl; readonly clock: Clock; readonly probes: readonly Probe[] },
): Promise<object> {
  const health = await Promise.all(probes.flatMap((probe) => (probe.health ? [healthOf(probe)] : [])));
  const isWell = health.every(({ state }) => state === "ok");
  const phase = host.phase() === "ready" && !isWell ? "degraded" : host.phase();
  const brief = { ready: phase === "ready" || phase === "degraded", phase };
  if (!hasScope(caller, "read")) return brief;
  const packages = host.plugins();
  const failed = packages.find(({ failure }) => failure !== null);
  return {
    ...brief,
    error: failed ? `${failed.id}: ${failed.failure}` : null,
    version: host.version,
    uptime_s: Math.floor((clock.now() - host.startedAt) / 1000),
    bot_connected: health.find(({ name }) => name === "imA")?.state === "ok",
    components: health,
    packages: packages.map(({ id, version, state, failure }) => ({ name: id, version, state, error: failure })),
  };
}

async function healthOf({ id, health }: Probe) {
  try {
    const found = await health?.();
    return { name: id, state: found?.status ?? "ok", error: found && found.status !== "ok" ? found.detail : null };
  } catch (error) {
    return { name: id, state: "down" as const, error: (error as Error).message };
  }
}
