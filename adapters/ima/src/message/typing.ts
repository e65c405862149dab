import { DeliveryError } from "@parley/core";
import type { Bridge } from "../bridge/bridge.ts";
import { toBridgeId } from "../bridge/frame.ts";

const IS_TYPING = 1;

/**
 * Returns a function that shows a typing indicator, which the platform has for private conversations alone. Not every
 * bridge has the action; one that rejects it is not asked again.
 */
export function createTyping(getBridge: () => Bridge | undefined) {
  let rejecting: Bridge | undefined;
  return async (conversationId: string): Promise<void> => {
    const [kind, userId = ""] = conversationId.split(":");
    const bridge = getBridge();
    if (kind !== "private" || !bridge || bridge === rejecting) return;
    try {
      await bridge.call("set_input_status", { user_id: toBridgeId(userId), event_type: IS_TYPING });
    } catch (error) {
      if (DeliveryError.is(error) && error.failure === "permanent") rejecting = bridge;
      else throw error;
    }
  };
}
