import { createHash } from "node:crypto";
import { AppError, type Clock, newId } from "@parley/core";

const OPEN_MS = 300_000;
const MAX_OPEN = 1000;

/** Calls that a model wanted and a person has not agreed to yet. */
export interface PendingCalls {
  open(accountId: string, tool: string, args: unknown): { readonly confirm_id: string; readonly expires_at: string };
  /** Uses the agreement up; `conflict` unless it is for exactly this call of this account and still open. */
  redeem(confirmId: string, accountId: string, tool: string, args: unknown): void;
}

export function createPendingCalls(clock: Clock): PendingCalls {
  const calls = new Map<string, { readonly mark: string; readonly untilMs: number }>();
  return {
    open(accountId, tool, args) {
      for (const [id, { untilMs }] of calls) {
        if (untilMs > clock.now() && calls.size < MAX_OPEN) break;
        calls.delete(id);
      }
      const confirm_id = newId("cfm", clock.now());
      const untilMs = clock.now() + OPEN_MS;
      calls.set(confirm_id, { mark: markOf(accountId, tool, args), untilMs });
      return { confirm_id, expires_at: new Date(untilMs).toISOString() };
    },
    redeem(confirmId, accountId, tool, args) {
      const call = calls.get(confirmId);
      if (!call || call.untilMs < clock.now()) throw new AppError("conflict", "confirm_id: is not open any more");
      if (call.mark !== markOf(accountId, tool, args))
        throw new AppError("conflict", "confirm_id: is for another call");
      calls.delete(confirmId);
    },
  };
}

function markOf(accountId: string, tool: string, args: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify([accountId, tool, sorted(args)]))
    .digest("hex");
}

// The same arguments in another order are the same call.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => [key, sorted(one)]);
}
