import { deletedData, listQuery, type RouteTable, route, sessionShape } from "@parley/core";
import { changedFolder, debugData, folderList, greetingsData, sessionList } from "../answers.ts";
import type { Folders } from "../folders.ts";
import { bindBody, folderChange, forkBody, sessionDraft, sessionPatch, sessionQuery } from "../schemas/sessions.ts";
import type { SessionRows } from "../session-rows.ts";
import { base, one } from "./paths.ts";

export function sessionRoutes(
  rows: SessionRows,
  get: (id: string) => Promise<object>,
  debug: (id: string) => Promise<object>,
): RouteTable {
  return [
    route({
      method: "GET",
      path: base,
      summary: "list the sessions",
      data: sessionList,
      query: sessionQuery,
      run: ({ query }) => rows.list(query),
    }),
    route({
      method: "POST",
      path: base,
      summary: "create a session",
      data: sessionShape,
      scope: "chat",
      body: sessionDraft,
      run: ({ body, caller }) => rows.create(body, caller.username),
    }),
    route({
      method: "GET",
      path: one,
      summary: "one session",
      data: sessionShape,
      run: ({ params }) => get(params.session_id),
    }),
    route({
      method: "PUT",
      path: one,
      summary: "change a session",
      data: sessionShape,
      body: sessionPatch,
      run: ({ params, body, ifMatch }) => rows.update(params.session_id, body, ifMatch),
    }),
    route({
      method: "DELETE",
      path: one,
      summary: "delete a session",
      data: deletedData,
      run: ({ params }) => rows.remove(params.session_id),
    }),
    route({
      method: "GET",
      path: `${one}/debug`,
      summary: "the state of a session",
      data: debugData,
      run: ({ params }) => debug(params.session_id),
    }),
    route({
      method: "POST",
      path: `${one}/archive`,
      summary: "archive a session",
      data: sessionShape,
      run: ({ params }) => rows.archive(params.session_id),
    }),
    route({
      method: "POST",
      path: `${one}/restore`,
      summary: "restore an archived session",
      data: sessionShape,
      run: ({ params }) => rows.restore(params.session_id),
    }),
    route({
      method: "POST",
      path: `${one}/take-over`,
      summary: "answer the people of a channel oneself: the AI does not until it is given back",
      data: sessionShape,
      scope: "admin",
      run: ({ params, caller }) => rows.takeOver(params.session_id, caller.username),
    }),
    route({
      method: "POST",
      path: `${one}/give-back`,
      summary: "let the AI answer again",
      data: sessionShape,
      scope: "admin",
      run: ({ params }) => rows.giveBack(params.session_id),
    }),
    route({
      method: "POST",
      path: `${one}/fork`,
      summary: "go on from a message in a new session",
      data: sessionShape,
      body: forkBody,
      run: ({ params, body }) => rows.fork(params.session_id, body),
    }),
    route({
      method: "PUT",
      path: `${one}/bind-character`,
      summary: "bind a character",
      data: sessionShape,
      body: bindBody,
      run: ({ params, body, caller }) => rows.bind(params.session_id, body, caller.username),
    }),
    route({
      method: "GET",
      path: `${one}/greetings`,
      summary: "what its character could begin with",
      data: greetingsData,
      run: async ({ params, caller }) => ({ items: await rows.greetings(params.session_id, caller.username) }),
    }),
  ];
}

/** The folders that sessions are in. */
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
      data: changedFolder,
      body: folderChange,
      run: ({ body }) => folders.rename(body),
    }),
  ];
}
