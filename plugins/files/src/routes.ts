import Joi from "@hapi/joi";
import {
  type DocumentTexts,
  type RouteTable,
  route,
  type Session,
  type Sessions,
  type StoredFile,
  type UploadPart,
  type WorkspaceItem,
  type Workspaces,
} from "@parley/core";
import { listQuery } from "@parley/core/http";
import { createPreview, createTextPreview, toPreviewedFile } from "./preview.ts";
import { fetchProxiedImage, type ProxiedImageDeps } from "./proxied-image.ts";
import { fileContent, fileList, previewData, uploadResult } from "./response-schemas.ts";
import { serveStoredFile, validateFileName } from "./serve-file.ts";
import type { FileQuery, FileStore } from "./store/file-store.ts";
import type { SignedLinks } from "./store/signed-links.ts";
import { filesTexts } from "./texts.ts";

const UPLOAD_TIMEOUT_MS = 600_000;
const UPLOAD_PREVIEW_CHARS = 10_000;

const upload = Joi.object({
  file: Joi.any().description("The file"),
  session_id: Joi.string().description("A session to which the file belongs"),
});
const downloadQuery = Joi.object<{ download: boolean }>({ download: Joi.boolean().default(false) });
const previewQuery = Joi.object<{ max_chars: number }>({
  max_chars: Joi.number().integer().min(1).max(200_000).default(50_000),
});

const imageQuery = Joi.object<{ url: string }>({
  url: Joi.string()
    .uri({ scheme: ["http", "https"] })
    .max(2_000)
    .required()
    .description("Address of the picture"),
});

const fileQuery = listQuery<FileQuery>({
  kind: Joi.string().valid("image", "audio", "video"),
  q: Joi.string().allow("").max(200),
});

export interface FileRoutesDeps {
  readonly files: FileStore;
  readonly links: SignedLinks;
  readonly sessions: () => Pick<Sessions, "get"> | undefined;
  readonly workspaces: Pick<Workspaces, "write">;
  readonly documents: () => DocumentTexts | undefined;
}

/** Creates the route by which clients load pictures of other servers through this one. */
export function createImageRoutes(deps: ProxiedImageDeps): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/outside-picture",
      summary: "get a picture of another server through this one",
      data: fileContent,
      reply: "raw",
      query: imageQuery,
      run: ({ query, headers, signal }) => fetchProxiedImage(deps, query.url, { headers, signal }),
    }),
  ];
}

export function createFileRoutes(deps: FileRoutesDeps): RouteTable {
  const { files, links, documents } = deps;
  return [
    route({
      method: "POST",
      path: "/api/upload",
      summary: "upload a file",
      data: uploadResult,
      scope: "chat",
      payload: "upload",
      body: upload,
      timeoutMs: UPLOAD_TIMEOUT_MS,
      run: (request) => receiveUpload(request.upload, request.signal, deps),
    }),
    route({
      method: "GET",
      path: "/api/files",
      summary: "list the stored files, newest first",
      data: fileList,
      query: fileQuery,
      run: ({ query }) => files.list(query),
    }),
    route({
      method: "GET",
      path: "/static/files/{filename}",
      summary: "get a stored file",
      data: fileContent,
      reply: "raw",
      query: downloadQuery,
      timeoutMs: false,
      admits: links.isValid,
      run: async ({ params, query, headers }) =>
        serveStoredFile(await files.open(validateFileName(params.filename)), { ...query, headers }),
    }),
    route({
      method: "GET",
      path: "/api/files/{safe_name}/preview",
      summary: "preview a stored file",
      data: previewData,
      query: previewQuery,
      run: async ({ params, query, signal }) => {
        const file = toPreviewedFile(await files.open(validateFileName(params.safe_name)));
        return createPreview(file, { maxChars: query.max_chars, documents: documents(), signal });
      },
    }),
  ];
}

/** Receives the single file of a request and its session, in any order. If receiving fails, nothing is stored. */
async function receiveUpload(
  parts: AsyncIterable<UploadPart>,
  signal: AbortSignal,
  { files, sessions, workspaces }: FileRoutesDeps,
): Promise<object> {
  let stored: StoredFile | undefined;
  let session: Session | undefined;
  try {
    for await (const part of parts) {
      if (!("value" in part)) stored = await storePart(part, stored, files, signal);
      else if (part.name !== "session_id") throw filesTexts.error("bad_request", "unknown", {}, { field: part.name });
      else if (part.value !== "") session = await sessions()?.get(part.value);
    }
    if (!stored) throw filesTexts.error("bad_request", "missing", {}, { field: "file" });
    const content = await createTextPreview(toPreviewedFile(await files.open(stored.id)), UPLOAD_PREVIEW_CHARS);
    const copy = session ? await copyToWorkspace(stored, session, { files, workspaces }, signal) : null;
    const { id, name, safeName, url, size, mimeType, sha256 } = stored;
    return {
      file_id: id,
      filename: name,
      safe_name: safeName,
      url,
      preview_url: `/api/files/${encodeURIComponent(safeName)}/preview`,
      size,
      mime_type: mimeType,
      sha256,
      content,
      workspace: copy,
    };
  } catch (error) {
    if (stored) await files.discard(stored.id);
    throw error;
  }
}

async function copyToWorkspace(
  { id, name }: StoredFile,
  session: Session,
  { files, workspaces }: Pick<FileRoutesDeps, "files" | "workspaces">,
  signal: AbortSignal,
): Promise<WorkspaceItem> {
  const file = await files.open(id);
  return workspaces.write({ scope: "private", sessionId: session.id }, name, file.stream(), { signal });
}

function storePart(
  { name, filename, body }: Extract<UploadPart, { readonly filename: string }>,
  before: StoredFile | undefined,
  files: FileStore,
  signal: AbortSignal,
): Promise<StoredFile> {
  if (name !== "file") throw filesTexts.error("bad_request", "unknown", {}, { field: name });
  if (before) throw filesTexts.error("bad_request", "one_file", {}, { field: "file" });
  if (filename.trim() === "") throw filesTexts.error("bad_request", "no_name", {}, { field: "file" });
  return files.put(body, { name: filename }, signal);
}
