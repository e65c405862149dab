import type { ObjectSchema } from "@hapi/joi";
import { AppError, deadline, type Egress, type EgressPolicy } from "@parley/core";

const LIMIT_MS = 15_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** Asks a service for JSON; what it answers is checked before it is used. */
export interface JsonService {
  get<Answer>(url: URL, shape: ObjectSchema<Answer>, signal: AbortSignal): Promise<Answer>;
}

/** `reach` is wide where an administrator typed the address. */
export function createJsonService(egress: () => Egress, reach: EgressPolicy["reach"]): JsonService {
  return {
    async get(url, shape, signal) {
      using limit = deadline(LIMIT_MS, signal);
      const send = egress().fetch({ reach, redirects: 3, timeoutMs: LIMIT_MS, maxBytes: MAX_BYTES });
      try {
        const response = await send(url, { headers: { accept: "application/json" }, signal: limit.signal });
        if (!response.ok) {
          await response.body?.cancel();
          throw new AppError("upstream_failed", `${url.host} answered ${response.status}`);
        }
        const { value, error } = shape.unknown().validate(await response.json(), { stripUnknown: true });
        if (error) throw new AppError("upstream_failed", `${url.host} answered something else than was asked for`);
        return value;
      } catch (error) {
        signal.throwIfAborted();
        if (AppError.is(error)) throw error;
        if (limit.signal.aborted) throw new AppError("timed_out", `${url.host} took longer than ${LIMIT_MS / 1000} s`);
        throw new AppError("upstream_failed", `${url.host} answered no JSON`, { cause: error });
      }
    },
  };
}
