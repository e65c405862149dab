import Joi from "@hapi/joi";
import { type RouteTable, route, type WorkspaceArea } from "@parley/core";
import { deletedData, listData, listQuery, type Page } from "@parley/core/http";
import { fileContent, fileItem, trashItem } from "../response-schemas.ts";
import { serveStoredFile, serveWorkspaceFile, validateFileName } from "../serve-file.ts";
import type { FileStore } from "../store/file-store.ts";
import { filesTexts } from "../texts.ts";
import type { WorkspaceStore } from "./workspaces.ts";

export type ResolveArea = (sessionId: string) => Promise<WorkspaceArea>;

export const SHARED_AREA: WorkspaceArea = { scope: "shared" };

const downloadQuery = Joi.object<{ path: string; download: boolean }>({
  path: Joi.string().max(2_000).required(),
  download: Joi.boolean().default(true),
});

export interface TrashRoutesDeps {
  readonly workspaces: WorkspaceStore;
  readonly files: FileStore;
}

export function createTrashAndDownloadRoutes({ workspaces, files }: TrashRoutesDeps, areaOf: ResolveArea): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/workspace/download",
      summary: "download a file by path",
      data: fileContent,
      reply: "raw",
      query: downloadQuery,
      timeoutMs: false,
      run: async ({ query, headers }) => {
        const [, root = "", rest = ""] = /^(shared|sessions|files)\/(.+)$/s.exec(query.path) ?? [];
        const asked = { download: query.download, headers };
        if (root === "files") return serveStoredFile(await files.open(validateFileName(rest)), asked);
        const [, sessionId = "", own = ""] = /^([^/]+)\/(.+)$/s.exec(rest) ?? [];
        if (root === "shared") return serveWorkspaceFile(await workspaces.open(SHARED_AREA, rest), asked);
        if (root === "" || own === "") throw filesTexts.error("bad_request", "unknown_root", {}, { field: "path" });
        return serveWorkspaceFile(await workspaces.open(await areaOf(sessionId), own), asked);
      },
    }),
    route({
      method: "GET",
      path: "/api/workspace/trash",
      summary: "list files and folders deleted from workspaces in the last seven days",
      data: listData(trashItem),
      query: listQuery<Page>(),
      run: ({ query }) => workspaces.trash.list(query),
    }),
    route({
      method: "POST",
      path: "/api/workspace/trash/{trash_id}/restore",
      summary: "restore a deleted file or folder",
      data: fileItem,
      scope: "chat",
      run: ({ params }) => workspaces.restore(params.trash_id, async (sessionId) => void (await areaOf(sessionId))),
    }),
    route({
      method: "DELETE",
      path: "/api/workspace/trash/{trash_id}",
      summary: "delete a file or folder permanently",
      data: deletedData,
      scope: "chat",
      run: async ({ params }) => {
        await workspaces.trash.purge(params.trash_id);
        return { id: params.trash_id, deleted: true };
      },
    }),
  ];
}
