import type { ObjectSchema } from "@hapi/joi";
import { AppError, deadline, type Egress, type EgressPolicy } from "@parley/core";
import { toolsTexts } from "../texts.ts";

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** Requests JSON from a service and validates the response. */
export interface JsonService {
  get<Answer>(url: URL, shape: ObjectSchema<Answer>, signal: AbortSignal): Promise<Answer>;
}

/** Creates the caller of a JSON service; `reach` includes private addresses if an administrator entered the address. */
export function createJsonService(egress: () => Egress, reach: EgressPolicy["reach"]): JsonService {
  return {
    async get(url, shape, signal) {
      using limit = deadline(TIMEOUT_MS, signal);
      const send = egress().fetch({ reach, redirects: 3, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
      try {
        const response = await send(url, { headers: { accept: "application/json" }, signal: limit.signal });
        if (!response.ok) {
          await response.body?.cancel();
          throw toolsTexts.error("upstream_failed", "host_answered", { host: url.host, status: response.status });
        }
        const { value, error } = shape.unknown().validate(await response.json(), { stripUnknown: true });
        if (error) throw toolsTexts.error("upstream_failed", "host_odd", { host: url.host });
        return value;
      } catch (error) {
        signal.throwIfAborted();
        if (AppError.is(error)) throw error;
        if (limit.signal.aborted)
          throw toolsTexts.error("timed_out", "host_too_late", { host: url.host, seconds: TIMEOUT_MS / 1000 });
        throw toolsTexts.error("upstream_failed", "host_no_json", { host: url.host }, { cause: error });
      }
    },
  };
}
