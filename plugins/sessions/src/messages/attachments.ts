import { type AppError, type Attachment, isStoredUrl, workspaceFileOf } from "@parley/core";
import type { SessionDeps } from "../session-deps.ts";
import { sessionsTexts } from "../texts.ts";

/** Resolves attachments and checks that they exist. Files of a workspace are copied, since they may change later. */
export async function resolveAttachments(
  { files, workspaces }: Pick<SessionDeps, "files" | "workspaces">,
  sessionId: string,
  attachments: readonly Attachment[],
): Promise<readonly Attachment[]> {
  const stored = files();
  const resolved: Attachment[] = [];
  for (const attachment of attachments) {
    const { url } = attachment;
    if (stored && isStoredUrl(url) && !(await stored.find(url))) throw createMissingFileError(url);
    const isWorkspaceFile = workspaceFileOf(url) !== undefined;
    const copy = isWorkspaceFile ? await workspaces()?.copyOf(url, sessionId) : undefined;
    if (isWorkspaceFile && !copy) throw createMissingFileError(url);
    resolved.push(
      copy ? { ...attachment, url: copy.url, name: copy.name, mime_type: copy.mimeType, size: copy.size } : attachment,
    );
  }
  return resolved;
}

/** Resolves attachments and marks their files as used, for a message that no turn records. */
export async function retainAttachments(
  deps: SessionDeps,
  sessionId: string,
  attachments: readonly Attachment[],
): Promise<readonly Attachment[]> {
  const resolved = await resolveAttachments(deps, sessionId, attachments);
  await deps.files()?.keep(
    resolved.map(({ url }) => url),
    sessionId,
  );
  return resolved;
}

function createMissingFileError(url: string): AppError {
  return sessionsTexts.error("bad_request", "no_file", { url }, { field: "attachments" });
}
