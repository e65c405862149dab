import { createHash } from "node:crypto";
import { AppError, type Clock, type SecretBox, type SharedWindow } from "@parley/core";
import { mcpBridgeTexts } from "../texts.ts";

export const PENDING_CALL_TTL_MS = 300_000;
const ID_PREFIX = "cfm_";

/**
 * Calls that a model requested and a person must confirm. They are not stored: the sealed id contains expiry and
 * call, so that any process can verify it; it is valid once.
 */
export interface PendingCalls {
  open(accountId: string, tool: string, args: unknown): { readonly confirm_id: string; readonly expires_at: string };
  /** Redeems a confirmation; rejects with `conflict` unless it is for exactly this call of this account, and valid. */
  redeem(confirmId: string, accountId: string, tool: string, args: unknown): Promise<void>;
}

export interface PendingCallsDeps {
  readonly box: () => SecretBox;
  /** Returns the ids used within `PENDING_CALL_TTL_MS`. */
  readonly usedIds: () => SharedWindow;
  readonly clock: Clock;
}

export function createPendingCalls({ box, usedIds: used, clock }: PendingCallsDeps): PendingCalls {
  const readExpiry = (sealed: string, callHash: string): number => {
    try {
      return Number.parseInt(box().open(sealed, callHash), 36);
    } catch (error) {
      if (!AppError.is(error)) throw error;
      throw mcpBridgeTexts.error("conflict", "not_open", {}, { field: "confirm_id", cause: error });
    }
  };
  return {
    open(accountId, tool, args) {
      const untilMs = clock.now() + PENDING_CALL_TTL_MS;
      const confirm_id = `${ID_PREFIX}${box().seal(untilMs.toString(36), hashCall(accountId, tool, args))}`;
      return { confirm_id, expires_at: new Date(untilMs).toISOString() };
    },
    async redeem(confirmId, accountId, tool, args) {
      const callHash = hashCall(accountId, tool, args);
      const untilMs = confirmId.startsWith(ID_PREFIX) ? readExpiry(confirmId.slice(ID_PREFIX.length), callHash) : 0;
      const isOpen = untilMs >= clock.now() && (await used().count(new Map([[confirmId, 1]]))).waitMs === 0;
      if (!isOpen) throw mcpBridgeTexts.error("conflict", "closed", {}, { field: "confirm_id" });
    },
  };
}

function hashCall(accountId: string, tool: string, args: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify([accountId, tool, sortKeys(args)]))
    .digest("hex");
}

// The same arguments in another order are the same call.
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => [key, sortKeys(one)]);
}
