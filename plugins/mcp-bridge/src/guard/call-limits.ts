import { createHash } from "node:crypto";
import type { SharedWindow, Tool } from "@parley/core";
import { mcpBridgeTexts } from "../texts.ts";

export const CALLS_WINDOW_MS = 60_000;
const MAX_CALLS = 600;
const MAX_ACTION_CALLS = 60;
const MAX_SAME_ACTION_CALLS = 3;

/** Call limits of a sliding minute over all processes: per caller, per caller's actions, and per repeated action. */
export interface CallLimits {
  /** Counts one call; rejects with `rate_limited`, without counting it, when there are too many. */
  check(tool: Tool, args: string, callerId: string): Promise<void>;
}

export function createCallLimits(calls: () => SharedWindow): CallLimits {
  return {
    async check({ name, risk }, args, callerId) {
      const own = `calls ${callerId}`;
      const actionLimits = () =>
        new Map([
          [own, MAX_CALLS],
          [`actions ${callerId}`, MAX_ACTION_CALLS],
          // Hashed, since arguments may be long and secret.
          [`same ${callerId} ${hashText(`${name} ${args}`)}`, MAX_SAME_ACTION_CALLS],
        ]);
      const waitMs = risk === "read" ? await calls().use(own, MAX_CALLS) : (await calls().count(actionLimits())).waitMs;
      if (waitMs === 0) return;
      throw mcpBridgeTexts.error("rate_limited", "called_often", { name }, { retryAfterS: Math.ceil(waitMs / 1000) });
    },
  };
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
