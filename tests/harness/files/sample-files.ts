/** Small valid files of each type. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
export const OGG = Buffer.from("OggS-a voice", "latin1");
export const PDF = Buffer.from("%PDF-1.7 a report", "latin1");

/** Returns the bytes of the pictures in a model request, oldest first. */
export function readPictures(request: {
  readonly body: { readonly messages: readonly { readonly content: unknown }[] };
}) {
  return request.body.messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .map((part: { readonly image_url?: { readonly url: string } }) => part.image_url?.url)
    .filter((url) => url !== undefined)
    .map((url) => Buffer.from(url.split("base64,")[1] ?? "", "base64"));
}
