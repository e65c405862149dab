import type { InboundMessage } from "@parley/core";

/** English names of the sources that are not channel ids. */
const SOURCE_NAMES: ReadonlyMap<string, string> = new Map([
  ["web", "the console"],
  ["api", "the API"],
  ["mcp", "an MCP client"],
  ["workflow", "a workflow"],
  ["task_center", "a task"],
  ["heartbeat", "the heartbeat"],
  ["proactive", "an idle conversation"],
]);

/** Describes a received message and its source for the log. */
export function describeInbound({ kind, source }: Pick<InboundMessage, "kind" | "source">): string {
  const from = SOURCE_NAMES.get(source) ?? source;
  const sentences: Readonly<Record<InboundMessage["kind"], string>> = {
    message: `a message from ${from}`,
    edit: `an edited message from ${from}`,
    recall: `a message withdrawn on ${from}`,
    regenerate: `another answer was requested by ${from}`,
    task: `work that is to run, from ${from}`,
  };
  return sentences[kind];
}
