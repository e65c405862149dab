import { type RouteTable, route } from "@parley/core";
import type { Avatar } from "./avatar.ts";
import {
  commentAnswer,
  commentBody,
  historyAnswer,
  historyQuery,
  menuAnswer,
  menuBody,
  resetAnswer,
  talkAnswer,
  talkBody,
} from "./schema.ts";

const base = "/api/avatar";

export function avatarRoutes(avatar: Avatar): RouteTable {
  return [
    route({
      method: "POST",
      path: `${base}/random-talk`,
      summary: "avatar random talk",
      scope: "chat",
      timeoutMs: false,
      body: talkBody,
      data: talkAnswer,
      run: ({ body, caller, signal }) => avatar.talk(body, caller, signal),
    }),
    route({
      method: "POST",
      path: `${base}/menu-options`,
      summary: "avatar menu options",
      scope: "chat",
      body: menuBody,
      data: menuAnswer,
      run: ({ body, caller, headers, signal }) => avatar.menu(body, caller, languageOf(headers), signal),
    }),
    route({
      method: "POST",
      path: `${base}/reset`,
      summary: "reset the avatar history",
      scope: "chat",
      data: resetAnswer,
      run: async ({ caller }) => ({ deleted: await avatar.history().reset(caller.accountId) }),
    }),
    route({
      method: "GET",
      path: `${base}/history`,
      summary: "get the avatar history",
      query: historyQuery,
      data: historyAnswer,
      run: ({ query, caller }) => avatar.history().page(caller.accountId, query),
    }),
    route({
      method: "POST",
      path: `${base}/comment`,
      summary: "avatar comment",
      scope: "chat",
      timeoutMs: false,
      body: commentBody,
      data: commentAnswer,
      run: ({ body, caller, signal }) => avatar.comment(body, caller, signal),
    }),
  ];
}

function languageOf(headers: Readonly<Record<string, string | undefined>>): "en" | "zh" {
  return /^\s*zh\b/i.test(headers["accept-language"] ?? "") ? "zh" : "en";
}
