import { differing, resourceSection, type TransferSection } from "@parley/core";
import { customTools } from "./schema.ts";
import type { ToolList } from "./tool-list.ts";

/** Tools that people made; what comes in is switched on by hand. */
export function toolsSection(list: () => ToolList): TransferSection {
  return resourceSection(
    { id: "tools", title: customTools.title.many },
    customTools,
    () => ({
      ...list().rows,
      page: (query, caller) => list().rows.page({ ...query, source: "custom" }, caller),
    }),
    (item, there) => {
      const asHere = { ...item, enabled: there?.enabled ?? false };
      const isSame = there !== undefined && differing(there, asHere).length === 0;
      return isSame ? asHere : { ...item, enabled: false };
    },
  );
}
