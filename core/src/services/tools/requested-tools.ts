import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** What changes something and is only done when a person agrees: by `POST /api/web-agent/execute` with the `confirm_id`. */
export interface WantedTools {
  /** As a model is told of them. */
  offered(): readonly LanguageModelV4FunctionTool[];
  /** Keeps a call that a model of ours wants for this account; nothing runs. Undefined: it is none of those. */
  open(
    accountId: string,
    tool: string,
    args: object,
  ): { readonly confirm_id: string; readonly expires_at: string } | undefined;
}
export const WantedTools: ServiceKey<WantedTools> = serviceKey("wanted-tools");
