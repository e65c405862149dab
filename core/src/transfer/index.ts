// Importing and exporting records.
export { detectFormat } from "./detect-format.ts";
export {
  type ImportEachOptions,
  type ImportedItems,
  importEach,
  listRejected,
  type RejectedItem,
} from "./import-each.ts";
export { diffFields, findVariables, planItems } from "./plan-items.ts";
export { type LiteralRecords, recordsSection, resourceSection, type TransferredRecords } from "./records-section.ts";
