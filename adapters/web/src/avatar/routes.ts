import { acceptedLanguage, type RouteTable, route } from "@parley/core";
import type { Avatar } from "./avatar.ts";
import {
  commentBody,
  commentData,
  historyData,
  historyQuery,
  menuBody,
  menuData,
  resetData,
  talkBody,
  talkData,
} from "./schema.ts";

const basePath = "/api/avatar";

export function createAvatarRoutes(avatar: Avatar): RouteTable {
  return [
    route({
      method: "POST",
      path: `${basePath}/random-talk`,
      summary: "avatar random talk",
      scope: "chat",
      timeoutMs: false,
      body: talkBody,
      data: talkData,
      run: ({ body, caller, signal }) => avatar.talk(body, caller, signal),
    }),
    route({
      method: "POST",
      path: `${basePath}/menu-options`,
      summary: "avatar menu options",
      scope: "chat",
      body: menuBody,
      data: menuData,
      run: ({ body, caller, headers, signal }) =>
        avatar.menu(body, caller, acceptedLanguage(headers["accept-language"]), signal),
    }),
    route({
      method: "POST",
      path: `${basePath}/reset`,
      summary: "reset the avatar history",
      scope: "chat",
      data: resetData,
      run: async ({ caller }) => ({ deleted: await avatar.history().reset(caller.accountId) }),
    }),
    route({
      method: "GET",
      path: `${basePath}/history`,
      summary: "get the avatar history",
      query: historyQuery,
      data: historyData,
      run: ({ query, caller }) => avatar.history().page(caller.accountId, query),
    }),
    route({
      method: "POST",
      path: `${basePath}/comment`,
      summary: "avatar comment",
      scope: "chat",
      timeoutMs: false,
      body: commentBody,
      data: commentData,
      run: ({ body, caller, signal }) => avatar.comment(body, caller, signal),
    }),
  ];
}
