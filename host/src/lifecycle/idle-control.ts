import { AppError, type HostControl } from "@parley/core";
import { readHostVersion } from "../version.ts";

/** Creates the control for a run without a service; `what` names the run in errors. */
export function createIdleControl(what: string): HostControl {
  const reject = async () => {
    throw new AppError("unavailable", `${what} is no service`);
  };
  return {
    version: readHostVersion(),
    startedAt: Date.now(),
    phase: () => "starting",
    plugins: () => [],
    contributor: () => undefined,
    server: undefined,
    reload: reject,
    reloadConfig: reject,
    backUp: reject,
    backups: () => ({ list: reject, check: reject, pack: reject, remove: reject }),
    examine: reject,
    stop() {},
    restart: reject,
  };
}
