import {
  type Attachment,
  type Files,
  isStoredUrl,
  type Logger,
  openPicture,
  type Picture,
  type Turn,
} from "@parley/core";

/** Pictures by URL, the most important first. */
export type Pictures = ReadonlyMap<string, Picture>;

/** Maximum number of pictures that are read from a conversation, and the most that one request can have. */
const MAX_READ = 8;
/** Pictures of older messages are only named. */
const RECENT_MESSAGES = 12;

/** Reads stored pictures, by URL and in this order; a picture that cannot be read is missing. */
export async function readPictures(
  urls: Iterable<string>,
  files: Pick<Files, "open"> | undefined,
  log: Pick<Logger, "debug">,
): Promise<Pictures> {
  const pictures = new Map<string, Picture>();
  if (!files) return pictures;
  for (const url of urls) {
    if (pictures.has(url) || pictures.size >= MAX_READ) continue;
    try {
      const picture = await openPicture(url, files);
      if (picture) pictures.set(url, picture);
    } catch (error) {
      log.debug("a picture could not be read", { url, error });
    }
  }
  return pictures;
}

/** Returns the URLs of the newest pictures that people sent, newest first. */
export function listPictureUrls({ history, attachments }: Turn): readonly string[] {
  const userMessages = history.slice(-RECENT_MESSAGES).filter(({ role }) => role === "user");
  const newestFirst = [...userMessages.flatMap((message) => message.attachments), ...attachments].toReversed();
  return newestFirst.filter(isPicture).map(({ url }) => url);
}

export function isPicture({ type, url }: Attachment): boolean {
  return (type === "image" || type === "sticker") && isStoredUrl(url);
}
