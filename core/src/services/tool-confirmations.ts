import { type ServiceKey, serviceKey } from "../extension-point.ts";
import type { Sender } from "../message.ts";

/** What somebody said to the question whether a tool may run. */
export interface ConfirmationAnswer {
  readonly sessionId: string;
  /** Absent: the newest open question of the session. */
  readonly requestId?: string;
  readonly approved: boolean;
  readonly by: Pick<Sender, "id" | "isAdmin" | "isProgram">;
}

/** Questions of the tool guard that wait for a person: `exec_confirm_request` to the console. */
export interface ToolConfirmations {
  /** Answers an open question once; `not_found` when there is none, `permission_denied` for another person than the asker, and for programs. */
  answer(answer: ConfirmationAnswer): { readonly request_id: string; readonly approved: boolean };
}
export const ToolConfirmations: ServiceKey<ToolConfirmations> = serviceKey("tool-confirmations");
