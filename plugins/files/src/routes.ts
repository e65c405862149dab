import Joi from "@hapi/joi";
import { AppError, type Files, type RouteTable, route, type Sessions, type UploadPart } from "@parley/core";
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

export interface FileRoutesParts {
  readonly files: Files;
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
      payload: "upload",
      body: upload,
      timeoutMs: UPLOAD_MS,
      run: (request) => takeUpload(request.upload, request.signal, { files, sessions }),
    }),
    route({
      method: "GET",
      path: "/static/files/{filename}",
      summary: "a stored file",
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
      query: previewQuery,
      run: async ({ params, query }) => previewOf(await files.open(checkedName(params.safe_name)), query.max_chars),
    }),
  ];
}

/** The one file of a request, and the session it belongs to, in whichever order they come. */
async function takeUpload(
  parts: AsyncIterable<UploadPart>,
  signal: AbortSignal,
  { files, sessions }: Pick<FileRoutesParts, "files" | "sessions">,
): Promise<object> {
  let stored: Awaited<ReturnType<Files["put"]>> | undefined;
  for await (const part of parts) {
    if ("value" in part) {
      if (part.name !== "session_id") throw new AppError("bad_request", `${part.name}: is not known`);
      if (part.value !== "") await sessions()?.get(part.value);
    } else if (part.name !== "file") throw new AppError("bad_request", `${part.name}: is not known`);
    else if (stored) throw new AppError("bad_request", "file: only one at a time");
    else if (part.filename.trim() === "") throw new AppError("bad_request", "file: has no name");
    else stored = await files.put(part.body, { name: part.filename }, signal);
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
