import { AppError, type HostControl } from "@parley/core";
import { hostVersion } from "../version.ts";

/** What plugins find in place of a service's control where none runs: `what` says what does. */
export function createIdleControl(what: string): HostControl {
  const refuse = async () => {
    throw new AppError("unavailable", `${what} is no service`);
  };
  return {
    version: hostVersion(),
    startedAt: Date.now(),
    phase: () => "starting",
    plugins: () => [],
    contributor: () => undefined,
    server: undefined,
    reload: refuse,
    reloadConfig: refuse,
    backUp: refuse,
    backups: () => ({ list: refuse, check: refuse, remove: refuse }),
    examine: refuse,
    stop() {},
    restart: refuse,
  };
}
