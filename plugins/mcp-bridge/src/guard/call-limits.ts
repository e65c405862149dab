import { AppError, type Clock, type Tool } from "@parley/core";

const WINDOW_MS = 60_000;
const CALLS = 600;
const ACTION_CALLS = 60;
const SAME_ACTION_CALLS = 3;
const SWEEP_ABOVE = 1000;

/** Counts calls in a sliding minute: per caller, per caller's actions, and the same action again (mcp §4). */
export interface CallLimits {
  /** Counts one call; `rate_limited` when it is one too many, and then it is not counted. */
  check(tool: Tool, args: string, callerId: string): void;
}

export function createCallLimits(clock: Clock): CallLimits {
  const times = new Map<string, readonly number[]>();

  const recent = (key: string) => (times.get(key) ?? []).filter((time) => time > clock.monotonic() - WINDOW_MS);
  const sweep = () => {
    for (const key of [...times.keys()]) if (recent(key).length === 0) times.delete(key);
  };

  return {
    check(tool, args, callerId) {
      const limits: [key: string, most: number][] = [[`calls ${callerId}`, CALLS]];
      if (tool.risk !== "read") {
        limits.push([`actions ${callerId}`, ACTION_CALLS]);
        limits.push([`same ${callerId} ${tool.name} ${args}`, SAME_ACTION_CALLS]);
      }
      for (const [key, most] of limits) {
        const calls = recent(key);
        if (calls.length < most) continue;
        const retryAfterS = Math.max(1, Math.ceil(((calls[0] ?? 0) + WINDOW_MS - clock.monotonic()) / 1000));
        throw new AppError("rate_limited", `${tool.name} was called too often`, { retryAfterS });
      }
      for (const [key] of limits) times.set(key, [...recent(key), clock.monotonic()]);
      if (times.size > SWEEP_ABOVE) sweep();
    },
  };
}
