import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** Extracts text from office documents. */
export interface DocumentTexts {
  /**
   * The text of a document (docx, xlsx, pptx, odt, ods, odp, epub, pdf), read outside the event loop with limits of memory and
   * time. `bad_request` when there is none or it is damaged, `too_large` when it unpacks to too much.
   */
  textOf(file: { readonly name: string; readonly bytes: Uint8Array }, signal: AbortSignal): Promise<string>;
}
export const DocumentTexts: ServiceKey<DocumentTexts> = serviceKey("document-texts");
