import { type AppError, type Attachment, isStoredUrl, workspaceFileOf } from "@parley/core";
import type { SessionParts } from "./parts.ts";
import { sessionFailure } from "./said-failures.ts";

/**
 * What is attached must be there when it is sent. Of a file of a workspace a copy goes with the message:
 * that one may be moved, changed and deleted afterwards.
 */
export async function settled(
  { files, workspaces }: Pick<SessionParts, "files" | "workspaces">,
  sessionId: string,
  attachments: readonly Attachment[],
): Promise<readonly Attachment[]> {
  const stored = files();
  const copied: Attachment[] = [];
  for (const attachment of attachments) {
    const { url } = attachment;
    if (stored && isStoredUrl(url) && !(await stored.find(url))) throw missing(url);
    const isOfWorkspace = workspaceFileOf(url) !== undefined;
    const copy = isOfWorkspace ? await workspaces()?.copyOf(url, sessionId) : undefined;
    if (isOfWorkspace && !copy) throw missing(url);
    copied.push(
      copy ? { ...attachment, url: copy.url, name: copy.name, mime_type: copy.mimeType, size: copy.size } : attachment,
    );
  }
  return copied;
}

/** The same, for a message that no turn records: its files stay. */
export async function keepAttached(
  parts: SessionParts,
  sessionId: string,
  attachments: readonly Attachment[],
): Promise<readonly Attachment[]> {
  const kept = await settled(parts, sessionId, attachments);
  await parts.files()?.keep(
    kept.map(({ url }) => url),
    sessionId,
  );
  return kept;
}

function missing(url: string): AppError {
  return sessionFailure("bad_request", "no_file", { url }, { field: "attachments" });
}
