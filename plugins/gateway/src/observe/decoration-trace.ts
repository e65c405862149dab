import { type Turn, type TurnContext, toTraceMessage } from "@parley/core";
import { gatewayTexts } from "../texts.ts";

const DECORATED = toTraceMessage(gatewayTexts.message("trace_decorated"));

/** Logs how plugins changed the replies: changed texts and added attachments. */
export function traceDecoration(before: Turn | undefined, { replies }: Turn, { trace }: TurnContext): void {
  if (!before || before.replies === replies) return;
  const existing = new Set(before.replies.flatMap(({ attachments }) => attachments));
  const added = replies.flatMap(({ attachments }) => attachments.filter((one) => !existing.has(one)));
  const attachments = added.map(({ type, name = "", source = "" }) => ({ type, name, source }));
  const changed = replies.filter(({ text }, index) => text !== before.replies[index]?.text).length;
  if (attachments.length === 0 && changed === 0) return;
  trace({
    status: "dispatched",
    ...DECORATED,
    metadata: { what: "decorate", attachments, changed_texts: changed },
  });
}
