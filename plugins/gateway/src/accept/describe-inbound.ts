import type { InboundMessage, ItemFailure, Localized } from "@parley/core";
import { gatewayTexts } from "../texts.ts";

/** Names of the sources that are not channel ids. */
const SOURCE_NAMES: ReadonlyMap<string, Localized> = new Map([
  ["web", gatewayTexts.localized("source_web")],
  ["api", gatewayTexts.localized("source_api")],
  ["mcp", gatewayTexts.localized("source_mcp")],
  ["workflow", gatewayTexts.localized("source_workflow")],
  ["task_center", gatewayTexts.localized("source_task")],
  ["heartbeat", gatewayTexts.localized("source_heartbeat")],
  ["proactive", gatewayTexts.localized("source_proactive")],
]);

/** Describes a received message and its source for the log. */
export function describeInbound({ kind, source }: Pick<InboundMessage, "kind" | "source">): ItemFailure {
  return gatewayTexts.message(`inbound_${kind}`, { source: SOURCE_NAMES.get(source) ?? source });
}
