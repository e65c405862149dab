import { type ButtonsElement, inLanguage, type PressRules } from "@parley/core";
import { mcpBridgeTexts } from "../../texts.ts";

/** Id of the handler that answers their presses. */
export const APPROVAL_HANDLER = "mcp-bridge.approval";
/** Id of the item that approves. */
export const APPROVE = "approve";
const DENY = "deny";

/** Returns the buttons below the question for a person's approval. */
export function createApprovalButtons(language: string): ButtonsElement {
  const label = (key: "approve_button" | "deny_button") => inLanguage(mcpBridgeTexts.localized(key), language);
  return {
    type: "buttons",
    id: "approval",
    items: [
      { id: APPROVE, label: label("approve_button"), style: "primary" },
      { id: DENY, label: label("deny_button"), style: "danger" },
    ],
  };
}

/** Returns the rules for presses of the buttons of one question. */
export function createApprovalRules(requestId: string, ttlS: number): PressRules {
  return { handler: APPROVAL_HANDLER, data: { request_id: requestId }, ttlS };
}
