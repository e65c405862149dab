import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Sender } from "../../message.ts";

/** What somebody said to the question whether a tool may run. */
export interface ConfirmationAnswer {
  readonly sessionId: string;
  /** Absent: the newest open question of the session. */
  readonly requestId?: string;
  readonly approved: boolean;
  /** Who answers, and where: without a channel and an account it is nobody who asked. */
  readonly by: Pick<Sender, "id" | "isAdmin" | "isProgram" | "accountId"> & { readonly channelId?: string };
}

/** Questions of the tool guard that wait for a person: `exec_confirm_request` to the console. */
export interface ToolConfirmations {
  /**
   * Answers an open question once; `not_found` when there is none, `permission_denied` for programs and for whoever may not:
   * what people of a channel make a model do an administrator allows, what an account does that account may allow as well.
   */
  answer(answer: ConfirmationAnswer): { readonly request_id: string; readonly approved: boolean };
  /** Refuses what is open in a session, because its people went on talking. */
  refuseOpen(sessionId: string): void;
  /** Tells whether a question is open in a session. */
  isAsking(sessionId: string): boolean;
}
export const ToolConfirmations: ServiceKey<ToolConfirmations> = serviceKey("tool-confirmations");
