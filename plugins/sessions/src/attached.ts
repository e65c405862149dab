import { AppError, type Attachment, isStoredUrl } from "@parley/core";
import type { SessionParts } from "./parts.ts";

/** What is attached must be there when it is sent (contract sessions §4). */
export async function refuseMissing({ files }: SessionParts, attachments: readonly Attachment[]): Promise<void> {
  const stored = files();
  for (const { url } of attachments) {
    if (stored && isStoredUrl(url) && !(await stored.find(url)))
      throw new AppError("bad_request", `attachments: '${url}' does not exist`);
  }
}

/** The same, for a message that no turn records: its files stay. */
export async function keepAttached(
  parts: SessionParts,
  sessionId: string,
  attachments: readonly Attachment[],
): Promise<void> {
  await refuseMissing(parts, attachments);
  await parts.files()?.keep(
    attachments.map(({ url }) => url),
    sessionId,
  );
}
