import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Sender } from "../../message.ts";

/** A person's answer to a tool confirmation. */
export interface ConfirmationAnswer {
  readonly sessionId: string;
  /** Id of the request; absent: the newest open question of the session. */
  readonly requestId?: string;
  readonly approved: boolean;
  /** The answering person and place; without a channel and an account the answer counts as a stranger's. */
  readonly by: Pick<Sender, "id" | "isAdmin" | "isProgram" | "accountId"> & { readonly channelId?: string };
}

/** Tool confirmations that wait for a person: `exec_confirm_request` to the console. */
export interface ToolConfirmations {
  /**
   * Answers an open confirmation once. Rejects with `not_found` when there is none, `permission_denied` for programs and people without
   * the right: calls made by people on a channel need an administrator, calls of an account its owner or an administrator.
   */
  answer(answer: ConfirmationAnswer): { readonly request_id: string; readonly approved: boolean };
  /** Rejects the open confirmations of a session, because the conversation continued without an answer to them. */
  refuseOpen(sessionId: string): void;
  /** Returns true when a confirmation is open in a session. */
  isAsking(sessionId: string): boolean;
}
export const ToolConfirmations: ServiceKey<ToolConfirmations> = serviceKey("tool-confirmations");
