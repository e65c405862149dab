import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Tools whose calls change something and run only after a person confirms by `POST /api/web-agent/execute` with the `confirm_id`. */
export interface ConfirmableTools {
  /** Returns the tool definitions for the model. */
  offered(): readonly LanguageModelV4FunctionTool[];
  /** Opens a confirmation for a call by our model for this account; runs nothing. Undefined when the tool needs none. */
  open(
    accountId: string,
    tool: string,
    args: object,
  ): { readonly confirm_id: string; readonly expires_at: string } | undefined;
}
export const ConfirmableTools: ServiceKey<ConfirmableTools> = serviceKey("wanted-tools");
