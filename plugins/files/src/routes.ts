import Joi from "@hapi/joi";
import {
  AppError,
  listQuery,
  type RouteTable,
  route,
  type Sessions,
  type StoredFile,
  type UploadPart,
} from "@parley/core";
import { fileContent, fileList, previewShape, uploaded } from "./answers.ts";
import type { FileQuery, FileStore } from "./file-store.ts";
import { previewOf, textPreview } from "./preview.ts";
import { checkedName, serveFile } from "./serve-file.ts";
import type { SignedLinks } from "./signed-links.ts";

const UPLOAD_MS = 600_000;
const UPLOAD_CHARS = 10_000;

const upload = Joi.object({
  file: Joi.any().description("The file"),
  session_id: Joi.string().description("A session it belongs to"),
});
const downloadQuery = Joi.object<{ download: boolean }>({ download: Joi.boolean().default(false) });
const previewQuery = Joi.object<{ max_chars: number }>({
  max_chars: Joi.number().integer().min(1).max(200_000).default(50_000),
});

const fileQuery = listQuery<FileQuery>({
  kind: Joi.string().valid("image", "audio", "video"),
  q: Joi.string().allow("").max(200),
});

export interface FileRoutesParts {
  readonly files: FileStore;
  readonly links: SignedLinks;
  readonly sessions: () => Pick<Sessions, "get"> | undefined;
}

/** Uploads (contract files §2). */
export function fileRoutes({ files, links, sessions }: FileRoutesParts): RouteTable {
  return [
    route({
      method: "POST",
      path: "/api/upload",
      summary: "upload a file",
      data: uploaded,
      scope: "chat",
      payload: "upload",
      body: upload,
      timeoutMs: UPLOAD_MS,
      run: (request) => takeUpload(request.upload, request.signal, { files, sessions }),
    }),
    route({
      method: "GET",
      path: "/api/files",
      summary: "list the stored files, the newest first",
      data: fileList,
      query: fileQuery,
      run: ({ query }) => files.list(query),
    }),
    route({
      method: "GET",
      path: "/static/files/{filename}",
      summary: "a stored file",
      data: fileContent,
      reply: "raw",
      query: downloadQuery,
      timeoutMs: false,
      admits: links.holds,
      run: async ({ params, query, headers }) =>
        serveFile(await files.open(checkedName(params.filename)), { ...query, headers }),
    }),
    route({
      method: "GET",
      path: "/api/files/{safe_name}/preview",
      summary: "what a stored file looks like",
      data: previewShape,
      query: previewQuery,
      run: async ({ params, query }) => previewOf(await files.open(checkedName(params.safe_name)), query.max_chars),
    }),
  ];
}

/** The one file of a request, and the session it belongs to, in whichever order they come. What fails leaves nothing. */
async function takeUpload(
  parts: AsyncIterable<UploadPart>,
  signal: AbortSignal,
  { files, sessions }: Pick<FileRoutesParts, "files" | "sessions">,
): Promise<object> {
  let stored: StoredFile | undefined;
  try {
    for await (const part of parts) {
      if (!("value" in part)) stored = await storedPart(part, stored, files, signal);
      else if (part.name !== "session_id") throw new AppError("bad_request", `${part.name}: is not known`);
      else if (part.value !== "") await sessions()?.get(part.value);
    }
  } catch (error) {
    if (stored) await files.discard(stored.id);
    throw error;
  }
  if (!stored) throw new AppError("bad_request", "file: is missing");
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
    content: await textPreview(await files.open(id), UPLOAD_CHARS),
    workspace: null,
  };
}

function storedPart(
  { name, filename, body }: Extract<UploadPart, { readonly filename: string }>,
  before: StoredFile | undefined,
  files: FileStore,
  signal: AbortSignal,
): Promise<StoredFile> {
  if (name !== "file") throw new AppError("bad_request", `${name}: is not known`);
  if (before) throw new AppError("bad_request", "file: only one at a time");
  if (filename.trim() === "") throw new AppError("bad_request", "file: has no name");
  return files.put(body, { name: filename }, signal);
}
