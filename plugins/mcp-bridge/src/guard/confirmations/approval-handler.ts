import {
  AppError,
  type ConfirmationAnswer,
  type ElementHandler,
  type ElementPress,
  type InboundMessage,
} from "@parley/core";
import { mcpBridgeTexts } from "../../texts.ts";
import { APPROVAL_HANDLER, APPROVE } from "./approval-buttons.ts";
import { ALLOWED, type ConfirmCommandsDeps, DENIED, toPersonHere } from "./confirm-commands.ts";

/** Creates the handler that approves or denies a call. It runs at once, since the turn of the call waits for it. */
export function createApprovalHandler(deps: ConfirmCommandsDeps): ElementHandler {
  const toAnswer = async (
    press: ElementPress,
    message: Pick<InboundMessage, "channelId" | "sessionId" | "sender">,
  ) => ({
    sessionId: message.sessionId,
    requestId: press.data?.request_id ?? "",
    approved: press.itemId === APPROVE,
    by: await toPersonHere(message, deps),
  });
  return {
    id: APPROVAL_HANDLER,
    isImmediate: true,
    async check(press, message) {
      const answer = await toAnswer(press, message);
      explainDecided(() => deps.confirmations().check(answer));
    },
    async run(press, { inbound, session }) {
      const answer: ConfirmationAnswer = await toAnswer(press, { ...inbound, sessionId: session.id });
      const { approved } = explainDecided(() => deps.confirmations().answer(answer));
      return approved ? ALLOWED : DENIED;
    },
  };
}

/** Says that a question which is not open any more was decided, rather than that its id is unknown. */
function explainDecided<T>(answer: () => T): T {
  try {
    return answer();
  } catch (error) {
    if (AppError.is(error) && error.code === "not_found") throw mcpBridgeTexts.error("conflict", "already_decided");
    throw error;
  }
}
