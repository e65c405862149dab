import type { TransferSection } from "@parley/core";
import { diffFields, resourceSection } from "@parley/core/transfer";
import type { CustomTools } from "./custom/custom-tools.ts";
import { customTools, TOOL_SECRETS } from "./schema.ts";
import type { ToolList } from "./tool-list.ts";

/** Creates the transfer section of custom tools; imported ones must be enabled manually. Secrets are exported only on request. */
export function createToolsSection(list: () => ToolList, custom: () => CustomTools): TransferSection {
  return resourceSection(
    { id: "tools", title: customTools.title.many },
    customTools,
    () => ({ ...list().records, page: (query, caller) => list().records.page({ ...query, source: "custom" }, caller) }),
    (item, there) => {
      const asHere = { ...item, enabled: there?.enabled ?? false };
      const isSame = there !== undefined && diffFields(there, asHere).length === 0;
      return isSame ? asHere : { ...item, enabled: false };
    },
    { secrets: TOOL_SECRETS, all: async () => custom().listAll() },
  );
}
