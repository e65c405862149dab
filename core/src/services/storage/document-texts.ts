import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Extracts text from office documents. */
export interface DocumentTexts {
  /**
   * Extracts the text of a document (docx, xlsx, pptx, odt, ods, odp, epub, pdf) off the event loop, with limits of
   * memory and time. `bad_request` when it has none or is damaged, `too_large` when it unpacks to too much.
   */
  textOf(file: { readonly name: string; readonly bytes: Uint8Array }, signal: AbortSignal): Promise<string>;
}
export const DocumentTexts: ServiceKey<DocumentTexts> = serviceKey("document-texts");
