import { createHash } from "node:crypto";
import { AppError, type Clock, type SecretBox, type SharedWindow } from "@parley/core";
import { mcpFailure } from "../said-failures.ts";

export const OPEN_MS = 300_000;
const PREFIX = "cfm_";

/**
 * Calls that a model wanted and a person has not agreed to yet. Nothing is kept of them: their id says until when and for what it
 * is, sealed, so that whichever process is asked can tell; and it is used once.
 */
export interface PendingCalls {
  open(accountId: string, tool: string, args: unknown): { readonly confirm_id: string; readonly expires_at: string };
  /** Uses the agreement up; `conflict` unless it is for exactly this call of this account and still open. */
  redeem(confirmId: string, accountId: string, tool: string, args: unknown): Promise<void>;
}

export interface PendingCallsParts {
  readonly box: () => SecretBox;
  /** What was used up, for `OPEN_MS`. */
  readonly used: () => SharedWindow;
  readonly clock: Clock;
}

export function createPendingCalls({ box, used, clock }: PendingCallsParts): PendingCalls {
  const untilOf = (sealed: string, mark: string): number => {
    try {
      return Number.parseInt(box().open(sealed, mark), 36);
    } catch (error) {
      if (!AppError.is(error)) throw error;
      throw mcpFailure("conflict", "not_open", {}, { field: "confirm_id", cause: error });
    }
  };
  return {
    open(accountId, tool, args) {
      const untilMs = clock.now() + OPEN_MS;
      const confirm_id = `${PREFIX}${box().seal(untilMs.toString(36), markOf(accountId, tool, args))}`;
      return { confirm_id, expires_at: new Date(untilMs).toISOString() };
    },
    async redeem(confirmId, accountId, tool, args) {
      const mark = markOf(accountId, tool, args);
      const untilMs = confirmId.startsWith(PREFIX) ? untilOf(confirmId.slice(PREFIX.length), mark) : 0;
      const isOpen = untilMs >= clock.now() && (await used().count(new Map([[confirmId, 1]]))).waitMs === 0;
      if (!isOpen) throw mcpFailure("conflict", "closed", {}, { field: "confirm_id" });
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
