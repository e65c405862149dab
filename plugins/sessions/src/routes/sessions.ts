import { deletedData, listQuery, type RouteTable, route, sessionShape } from "@parley/core";
import type { Folders } from "../conversations/folders.ts";
import type { SessionService } from "../conversations/session-service.ts";
import { debugData, folderChangeData, folderList, greetingsData, sessionList } from "../schemas/responses.ts";
import { bindBody, folderChange, forkBody, sessionDraft, sessionPatch, sessionQuery } from "../schemas/sessions.ts";
import { sessionPath, sessionsPath } from "./paths.ts";

export function sessionRoutes(
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
      summary: "one session",
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
      summary: "the state of a session",
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
      summary: "answer the people of a channel oneself: the AI does not until it is given back",
      data: sessionShape,
      scope: "admin",
      run: ({ params, caller }) => service.takeOver(params.session_id, caller.username),
    }),
    route({
      method: "POST",
      path: `${sessionPath}/give-back`,
      summary: "let the AI answer again",
      data: sessionShape,
      scope: "admin",
      run: ({ params }) => service.giveBack(params.session_id),
    }),
    route({
      method: "POST",
      path: `${sessionPath}/fork`,
      summary: "go on from a message in a new session",
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
      method: "GET",
      path: `${sessionPath}/greetings`,
      summary: "what its character could begin with",
      data: greetingsData,
      run: async ({ params, caller }) => ({ items: await service.greetings(params.session_id, caller.username) }),
    }),
  ];
}

/** Routes of folders. */
export function folderRoutes(folders: Folders): RouteTable {
  return [
    route({
      method: "GET",
      path: "/api/session-folders",
      summary: "folders, and how many sessions are in each",
      data: folderList,
      query: listQuery(),
      run: ({ query }) => folders.list(query),
    }),
    route({
      method: "PUT",
      path: "/api/session-folders",
      summary: "rename a folder, or take everything out of it",
      data: folderChangeData,
      body: folderChange,
      run: ({ body }) => folders.rename(body),
    }),
  ];
}
