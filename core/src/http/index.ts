// Answers, forms and headers of HTTP routes.

export { decodeUtf8, parseJsonBytes } from "../text/decode-text.ts";
export {
  type ClientFacts,
  type ClientFactsOptions,
  createClientFacts,
  parseNetworks,
  type RequestHead,
} from "./client-facts.ts";
export { attachmentNamed, contentDisposition } from "./content-disposition.ts";
export { escapeHtml } from "./escape-html.ts";
export { clampPage, deletedReply, type List, listQuery, mapItems, type Page, toPage } from "./list.ts";
export { type ReadJsonOptions, readJson } from "./read-json.ts";
export { rejectUpgrade, type UpgradeReply } from "./reject-upgrade.ts";
export {
  answerFields,
  batchData,
  bytes,
  commonFields,
  deletedData,
  envelopeOf,
  extend,
  failureDetailShape,
  itemFailureFields,
  listData,
  type NamingOptions,
  shape,
  toggledData,
  warningFields,
  without,
} from "./response-schemas.ts";
export { type FileQuery, type ServedFile, serveFile } from "./serve-file.ts";
export { toggleBody } from "./toggle.ts";
export { webSection } from "./web-section.ts";
