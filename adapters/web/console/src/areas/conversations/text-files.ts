/** What the service reads of one file to the model. */
export const READ_BYTES = 64 * 1024;

/** Whether the service reads a file of this type to the model (`isTextType` of the core, which no page can load). */
export function isReadAsText(mimeType: string | undefined): boolean {
  return /^(text\/|application\/(json|xml)$|image\/svg\+xml$)/.test(mimeType ?? "");
}
