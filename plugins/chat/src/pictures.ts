import { type Attachment, type Files, isStoredUrl, type Logger, type Turn } from "@parley/core";

/** A picture as a model is shown it. */
export interface Picture {
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** What every provider that sees pictures takes. */
const SEEN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const MAX_PICTURES = 8;
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_TOGETHER = 12 * 1024 * 1024;
/** Older ones are only named. */
const MESSAGES = 12;

/** The newest pictures of a conversation, by url. One that cannot be read is only named. */
export async function picturesOf(
  turn: Turn,
  files: Pick<Files, "open"> | undefined,
  log: Pick<Logger, "debug">,
): Promise<ReadonlyMap<string, Picture>> {
  const pictures = new Map<string, Picture>();
  if (!files) return pictures;
  let together = 0;
  for (const { url } of newestFirst(turn).filter(isPicture)) {
    if (pictures.has(url) || pictures.size >= MAX_PICTURES) continue;
    try {
      const file = await files.open(url);
      if (!SEEN.has(file.mimeType) || file.size > MAX_BYTES || together + file.size > MAX_TOGETHER) continue;
      together += file.size;
      pictures.set(url, { mimeType: file.mimeType, bytes: await file.bytes() });
    } catch (error) {
      log.debug("a picture of a conversation could not be read", { url, error });
    }
  }
  return pictures;
}

function newestFirst({ history, attachments }: Turn): readonly Attachment[] {
  const said = history.slice(-MESSAGES).filter(({ role }) => role === "user");
  return [...said.flatMap((message) => message.attachments), ...attachments].toReversed();
}

function isPicture({ type, url }: Attachment): boolean {
  return (type === "image" || type === "sticker") && isStoredUrl(url);
}
