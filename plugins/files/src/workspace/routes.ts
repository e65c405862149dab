import Joi from "@hapi/joi";
import {
  type DocumentTexts,
  type RouteTable,
  rawReply,
  route,
  type Sessions,
  type WorkspaceArea,
  type WorkspaceQuery,
} from "@parley/core";
import { envelopeOf, listQuery } from "@parley/core/http";
import { createPreview, toPreviewedWorkspaceFile } from "../preview.ts";
import { fileContent, fileItem, itemDeletion, itemList, itemsUploadResult, previewData } from "../response-schemas.ts";
import { serveWorkspaceFile } from "../serve-file.ts";
import type { FileStore } from "../store/file-store.ts";
import type { SignedLinks } from "../store/signed-links.ts";
import { filesTexts } from "../texts.ts";
import { receiveUploads } from "./receive-uploads.ts";
import { createTrashAndDownloadRoutes, type ResolveArea, SHARED_AREA } from "./trash-routes.ts";
import type { WorkspaceStore } from "./workspaces.ts";

const UPLOAD_TIMEOUT_MS = 600_000;
const PREVIEW_CHARS = 50_000;
const PRIVATE_PATH = "/api/sessions/{session_id}/workspace";
const SHARED_PATH = "/api/workspace/shared";

const path = Joi.string().allow("").max(1_000).default("");
const maxChars = Joi.number().integer().min(1).max(200_000).default(PREVIEW_CHARS);
const flag = Joi.boolean().default(false);

const itemsQuery = listQuery<WorkspaceQuery & { readonly path: string }>({
  path,
  recursive: flag,
  q: Joi.string().allow("").max(200),
});
const contentQuery = Joi.object<{ path: string; download: boolean }>({ path, download: flag });
const sharedQuery = Joi.object<{ path: string; download: boolean; preview: boolean }>({
  path,
  download: flag,
  preview: flag,
});
const removeQuery = Joi.object<{ path: string; recursive: boolean }>({ path, recursive: flag });
const previewQuery = Joi.object<{ path: string; max_chars: number }>({ path, max_chars: maxChars });
const uploadBody = Joi.object({
  file: Joi.any().description("The files, 1 to 20 parts of this name"),
  path: Joi.string().description("The folder, which is created if missing"),
});
const folderBody = Joi.object<{ name: string; path: string }>({ name: Joi.string().max(1_000).required(), path });

interface MoveBody {
  readonly target: string;
  readonly new_name?: string;
  readonly overwrite: boolean;
}
const overwrite = Joi.boolean().strict().default(false);
const moveBody = Joi.object<MoveBody>({
  target: Joi.string().allow("").max(1_000).required(),
  new_name: Joi.string().max(200),
  overwrite,
});
const share = { target: path, overwrite };
const shareBody = Joi.object<Omit<MoveBody, "new_name">>(share);
const sessionShareBody = Joi.object<Omit<MoveBody, "new_name"> & { readonly session_id: string }>({
  ...share,
  session_id: Joi.string().max(500).required(),
});

export interface WorkspaceRoutesDeps {
  readonly workspaces: WorkspaceStore;
  readonly files: FileStore;
  readonly links: SignedLinks;
  readonly sessions: () => Pick<Sessions, "get"> | undefined;
  readonly documents: () => DocumentTexts | undefined;
}

/** Creates the routes of the files of sessions, and of the shared files. */
export function createWorkspaceRoutes(deps: WorkspaceRoutesDeps): RouteTable {
  const areaOf = createAreaResolver(deps.sessions);
  return [
    ...createPrivateRoutes(deps, areaOf),
    ...createSharedRoutes(deps, areaOf),
    ...createTrashAndDownloadRoutes(deps, areaOf),
  ];
}

/** Creates the function that finds the workspace of an existing session by id or key. */
export function createAreaResolver(sessions: WorkspaceRoutesDeps["sessions"]): ResolveArea {
  return async (sessionId) => {
    const session = await sessions()?.get(sessionId);
    if (!session) throw filesTexts.error("unavailable", "no_sessions");
    return { scope: "private", sessionId: session.id };
  };
}

function createPrivateRoutes({ workspaces, links, documents }: WorkspaceRoutesDeps, areaOf: ResolveArea): RouteTable {
  return [
    route({
      method: "GET",
      path: `${PRIVATE_PATH}/files`,
      summary: "list private workspace files",
      data: itemList,
      query: itemsQuery,
      run: async ({ params, query }) => ({
        ...(await workspaces.list(await areaOf(params.session_id), query)),
        path: query.path,
      }),
    }),
    route({
      method: "POST",
      path: `${PRIVATE_PATH}/upload`,
      summary: "upload to private workspace",
      data: itemsUploadResult,
      scope: "chat",
      payload: "upload",
      body: uploadBody,
      timeoutMs: UPLOAD_TIMEOUT_MS,
      run: async ({ params, upload, ifMatch, signal }) => {
        const area = await areaOf(params.session_id);
        return receiveUploads(upload, { workspaces, area, ifMatch, signal });
      },
    }),
    route({
      method: "GET",
      path: `${PRIVATE_PATH}/files/{filename}`,
      summary: "download a private workspace file",
      data: fileContent,
      reply: "raw",
      query: contentQuery,
      timeoutMs: false,
      admits: links.isValid,
      run: async ({ params, query, headers }) => {
        const area = await areaOf(params.session_id);
        return serveWorkspaceFile(await workspaces.open(area, joinPath(query.path, params.filename)), {
          ...query,
          headers,
        });
      },
    }),
    route({
      method: "DELETE",
      path: `${PRIVATE_PATH}/files/{filename}`,
      summary: "delete a private workspace file",
      data: itemDeletion,
      scope: "chat",
      query: removeQuery,
      run: async ({ params, query, ifMatch }) =>
        removeItem(workspaces, await areaOf(params.session_id), joinPath(query.path, params.filename), {
          recursive: query.recursive,
          ifMatch,
        }),
    }),
    route({
      method: "POST",
      path: `${PRIVATE_PATH}/folders`,
      summary: "create a private folder",
      data: fileItem,
      scope: "chat",
      body: folderBody,
      run: async ({ params, body }) =>
        workspaces.makeFolder(await areaOf(params.session_id), joinPath(body.path, body.name)),
    }),
    route({
      method: "POST",
      path: `${PRIVATE_PATH}/files/{filename}/move`,
      summary: "move a private file",
      data: fileItem,
      scope: "chat",
      body: moveBody,
      run: async ({ params, body: { target, new_name, overwrite }, ifMatch }) => {
        const area = await areaOf(params.session_id);
        return workspaces.move(area, params.filename, { to: area, target, newName: new_name, overwrite, ifMatch });
      },
    }),
    route({
      method: "POST",
      path: `${PRIVATE_PATH}/files/{filename}/move-to-shared`,
      summary: "move a file to the shared area",
      data: fileItem,
      scope: "chat",
      body: shareBody,
      run: async ({ params, body, ifMatch }) =>
        workspaces.move(await areaOf(params.session_id), params.filename, { to: SHARED_AREA, ...body, ifMatch }),
    }),
    route({
      method: "GET",
      path: `${PRIVATE_PATH}/files/{filename}/preview`,
      summary: "preview a private workspace file",
      data: previewData,
      query: previewQuery,
      run: async ({ params, query, signal }) => {
        const area = await areaOf(params.session_id);
        await using file = await workspaces.open(area, joinPath(query.path, params.filename));
        const options = { maxChars: query.max_chars, documents: documents(), signal };
        return await createPreview(toPreviewedWorkspaceFile(file), options);
      },
    }),
  ];
}

function createSharedRoutes({ workspaces, links, documents }: WorkspaceRoutesDeps, areaOf: ResolveArea): RouteTable {
  return [
    route({
      method: "GET",
      path: `${SHARED_PATH}/files`,
      summary: "list shared files",
      data: itemList,
      query: itemsQuery,
      run: async ({ query }) => ({ ...(await workspaces.list(SHARED_AREA, query)), path: query.path }),
    }),
    route({
      method: "POST",
      path: `${SHARED_PATH}/upload`,
      summary: "upload to the shared workspace",
      data: itemsUploadResult,
      scope: "chat",
      payload: "upload",
      body: uploadBody,
      timeoutMs: UPLOAD_TIMEOUT_MS,
      run: ({ upload, ifMatch, signal }) => receiveUploads(upload, { workspaces, area: SHARED_AREA, ifMatch, signal }),
    }),
    route({
      method: "GET",
      path: `${SHARED_PATH}/files/{filename}`,
      summary: "get a shared file",
      data: { "application/json": envelopeOf(previewData), ...fileContent },
      reply: "raw",
      query: sharedQuery,
      timeoutMs: false,
      admits: links.isValid,
      run: async ({ params, query, headers, signal }) => {
        const file = await workspaces.open(SHARED_AREA, joinPath(query.path, params.filename));
        if (!query.preview) return serveWorkspaceFile(file, { ...query, headers });
        await using previewed = file;
        const options = { maxChars: PREVIEW_CHARS, documents: documents(), signal };
        const data = await createPreview(toPreviewedWorkspaceFile(previewed), options);
        const body = JSON.stringify({ success: true, data, message: "" });
        return rawReply({ body, type: "application/json; charset=utf-8", headers: { "cache-control": "no-store" } });
      },
    }),
    route({
      method: "DELETE",
      path: `${SHARED_PATH}/files/{filename}`,
      summary: "delete a shared file",
      data: itemDeletion,
      scope: "chat",
      query: removeQuery,
      run: ({ params, query, ifMatch }) =>
        removeItem(workspaces, SHARED_AREA, joinPath(query.path, params.filename), {
          recursive: query.recursive,
          ifMatch,
        }),
    }),
    route({
      method: "POST",
      path: `${SHARED_PATH}/folders`,
      summary: "create shared folder",
      data: fileItem,
      scope: "chat",
      body: folderBody,
      run: ({ body }) => workspaces.makeFolder(SHARED_AREA, joinPath(body.path, body.name)),
    }),
    route({
      method: "POST",
      path: `${SHARED_PATH}/files/{filename}/move`,
      summary: "move shared file",
      data: fileItem,
      scope: "chat",
      body: moveBody,
      run: ({ params, body: { target, new_name, overwrite }, ifMatch }) =>
        workspaces.move(SHARED_AREA, params.filename, {
          to: SHARED_AREA,
          target,
          newName: new_name,
          overwrite,
          ifMatch,
        }),
    }),
    route({
      method: "POST",
      path: `${SHARED_PATH}/files/{filename}/move-to-private`,
      summary: "move a shared file to the private area",
      data: fileItem,
      scope: "chat",
      body: sessionShareBody,
      run: async ({ params, body: { session_id, target, overwrite }, ifMatch }) =>
        workspaces.move(SHARED_AREA, params.filename, { to: await areaOf(session_id), target, overwrite, ifMatch }),
    }),
  ];
}

async function removeItem(
  workspaces: WorkspaceStore,
  area: WorkspaceArea,
  path: string,
  options: { readonly recursive: boolean; readonly ifMatch: number | undefined },
): Promise<object> {
  return { path, deleted: true, removed: await workspaces.remove(area, path, options) };
}

function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
