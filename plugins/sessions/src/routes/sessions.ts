import { type RouteTable, route, sessionShape } from "@parley/core";
import { deletedData, listQuery } from "@parley/core/http";
import type { Folders } from "../conversations/folders.ts";
import type { SessionService } from "../conversations/session-service.ts";
import { debugData, folderChangeData, folderList, greetingsData, sessionList } from "../schemas/responses.ts";
import {
  bindBody,
  folderChange,
  forkBody,
  sceneBody,
  sessionDraft,
  sessionPatch,
  sessionQuery,
} from "../schemas/sessions.ts";
import { sessionPath, sessionsPath } from "./paths.ts";

export function createSessionRoutes(
  service: SessionService,
  get: (id: string) => Promise<object>,
  debug: (id: string) => Promise<object>,
): RouteTable {
  return [
    route({
      method: "GET",
      path: sessionsPath,
      summary: "list the sessions",
      data: sessionList,
      query: sessionQuery,
      run: ({ query }) => service.list(query),
    }),
    route({
      method: "POST",
      path: sessionsPath,
      summary: "create a session",
      data: sessionShape,
      scope: "chat",
      body: sessionDraft,
      run: ({ body, caller }) => service.create(body, caller.username),
    }),
    route({
      method: "GET",
      path: sessionPath,
      summary: "get a session",
      data: sessionShape,
      run: ({ params }) => get(params.session_id),
    }),
    route({
      method: "PUT",
      path: sessionPath,
      summary: "change a session",
      data: sessionShape,
      body: sessionPatch,
      run: ({ params, body, ifMatch, caller }) => service.update(params.session_id, body, ifMatch, caller),
    }),
    route({
      method: "DELETE",
      path: sessionPath,
      summary: "delete a session",
      data: deletedData,
      run: ({ params, ifMatch }) => service.remove(params.session_id, ifMatch),
    }),
    route({
      method: "GET",
      path: `${sessionPath}/debug`,
      summary: "get the state of a session",
      data: debugData,
      run: ({ params }) => debug(params.session_id),
    }),
    route({
      method: "POST",
      path: `${sessionPath}/archive`,
      summary: "archive a session",
      data: sessionShape,
      run: ({ params }) => service.archive(params.session_id),
    }),
    route({
      method: "POST",
      path: `${sessionPath}/restore`,
      summary: "restore an archived session",
      data: sessionShape,
      run: ({ params }) => service.restore(params.session_id),
    }),
    route({
      method: "POST",
      path: `${sessionPath}/take-over`,
      summary: "take a channel conversation over: the AI stops answering in it",
      data: sessionShape,
      scope: "admin",
      run: ({ params, caller }) => service.takeOver(params.session_id, caller.username),
    }),
    route({
      method: "POST",
      path: `${sessionPath}/give-back`,
      summary: "end a takeover, so that the AI answers again",
      data: sessionShape,
      scope: "admin",
      run: ({ params }) => service.giveBack(params.session_id),
    }),
    route({
      method: "POST",
      path: `${sessionPath}/fork`,
      summary: "fork a session at a message",
      data: sessionShape,
      body: forkBody,
      run: ({ params, body }) => service.fork(params.session_id, body),
    }),
    route({
      method: "PUT",
      path: `${sessionPath}/bind-character`,
      summary: "bind a character",
      data: sessionShape,
      body: bindBody,
      run: ({ params, body, caller }) => service.bind(params.session_id, body, caller.username),
    }),
    route({
      method: "PUT",
      path: `${sessionPath}/scene`,
      summary: "set which characters are present from now on",
      data: sessionShape,
      body: sceneBody,
      run: ({ params, body, ifMatch }) => service.setScene(params.session_id, body.present, ifMatch),
    }),
    route({
      method: "GET",
      path: `${sessionPath}/greetings`,
      summary: "list the greetings of its character",
      data: greetingsData,
      run: async ({ params, caller }) => ({ items: await service.greetings(params.session_id, caller.username) }),
    }),
  ];
}

export function createFolderRoutes(folders: Folders): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/session-folders",
      summary: "list folders with their numbers of sessions",
      data: folderList,
      query: listQuery(),
      run: ({ query }) => folders.list(query),
    }),
    route({
      method: "PUT",
      path: "/api/session-folders",
      summary: "rename a folder, or remove all sessions from it",
      data: folderChangeData,
      body: folderChange,
      run: ({ body }) => folders.rename(body),
    }),
  ];
}
