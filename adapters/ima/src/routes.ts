import Joi from "@hapi/joi";
import {
  type Attachment,
  type MessagesQuery,
  messageText,
  type RouteTable,
  reply,
  route,
  toSpeakOrder,
  withPattern,
} from "@parley/core";
import { listQuery, type Page } from "@parley/core/http";
import type { ImaManagement, ImaType, SendDraft } from "./management.ts";
import {
  clearData,
  groupList,
  linkData,
  messageList,
  sendData,
  sessionList,
  syncData,
  userList,
} from "./response-schemas.ts";
import { imaTexts } from "./texts.ts";

const basePath = "/api/imA";
const conversationPath = `${basePath}/messages/{imA_type}/{imA_id}` as const;
const imaType = Joi.string().valid("private", "group", "imA_private", "imA_group");

const searchQuery = listQuery<Page & { readonly q?: string }>({ q: Joi.string().max(200) });
const sessionsQuery = listQuery<Page & { readonly type?: ImaType; readonly archived: "true" | "false" | "all" }>({
  type: Joi.string().valid("private", "group"),
  archived: Joi.string().valid("true", "false", "all").default("all"),
});
const pageQuery = listQuery<MessagesQuery>({
  order: Joi.string().valid("asc", "desc").default("asc"),
  before: Joi.string().max(64),
  after: Joi.string().max(64),
});
const attachment = Joi.object<Attachment>({
  type: Joi.string().valid("image", "audio", "video", "file", "sticker").required(),
  url: withPattern(
    Joi.string().uri({ scheme: "https", allowRelative: true }),
    /^(https:\/\/|\/static\/files\/[^/?#]+$)/i,
    { en: "must be an https address or an uploaded file", zh: "须为 https 地址或已上传的文件" },
  ).required(),
  name: Joi.string().max(255),
  mime_type: Joi.string().max(128),
});
const sendBody = Joi.object<SendDraft>({
  content: messageText().default(""),
  attachments: Joi.array().items(attachment).max(10).default([]),
  reply_to: Joi.string().max(64),
  at_user_ids: Joi.array().items(Joi.string().max(64)).max(20).default([]),
});
interface LinkBody {
  readonly imA_id: string;
  readonly imA_type?: string;
  readonly type?: string;
  readonly name?: string;
  readonly session_id?: string;
}
const linkBody = Joi.object<LinkBody>({
  imA_id: Joi.string().max(64).required(),
  imA_type: imaType,
  type: imaType,
  name: Joi.string().trim().min(1).max(100),
  session_id: Joi.string().max(128),
});

export function createImaRoutes(management: ImaManagement): RouteTable {
  return [
    route({
      method: "GET",
      path: `${basePath}/users`,
      summary: "list imA users",
      data: userList,
      query: searchQuery,
      run: ({ query }) => management.listUsers(query),
    }),
    route({
      method: "GET",
      path: `${basePath}/groups`,
      summary: "list imA groups",
      data: groupList,
      query: searchQuery,
      run: ({ query }) => management.listGroups(query),
    }),
    route({
      method: "GET",
      path: conversationPath,
      params: { imA_type: imaType },
      summary: "get imA messages",
      data: messageList,
      query: pageQuery,
      run: ({ params, query }) => management.listMessages(params.imA_type, params.imA_id, query),
    }),
    route({
      method: "DELETE",
      path: conversationPath,
      params: { imA_type: imaType },
      summary: "delete stored imA messages",
      data: clearData,
      query: Joi.object<{ readonly delete_session: boolean }>({ delete_session: Joi.boolean().default(false) }),
      run: ({ params, query }) => management.clear(params.imA_type, params.imA_id, query.delete_session),
    }),
    route({
      method: "GET",
      path: `${basePath}/sessions`,
      summary: "list imA sessions",
      data: sessionList,
      query: sessionsQuery,
      run: ({ query }) => management.listSessions(query),
    }),
    route({
      method: "POST",
      path: `${basePath}/sessions/{session_id}/sync`,
      summary: "sync an imA session",
      data: syncData,
      body: Joi.object<{ readonly count: number }>({ count: Joi.number().integer().min(1).max(500).default(100) }),
      timeoutMs: 60_000,
      run: ({ params, body }) => management.sync(params.session_id, body.count),
    }),
    route({
      method: "POST",
      path: `${basePath}/sessions/{session_id}/send`,
      summary: "send an imA message",
      data: sendData,
      accepted: sendData,
      scope: "admin",
      body: sendBody,
      run: async ({ params, body, caller }) =>
        reply(await management.send(params.session_id, body, toSpeakOrder(caller))),
    }),
    route({
      method: "POST",
      path: `${basePath}/link-session`,
      summary: "link an imA session",
      data: linkData,
      body: linkBody,
      run({ body: { imA_id, imA_type, type, name, session_id } }) {
        const kind = imA_type ?? type;
        if (kind === undefined) throw imaTexts.error("bad_request", "required", {}, { field: "imA_type" });
        return management.link(kind.replace(/^imA_/, "") as ImaType, imA_id, name, session_id);
      },
    }),
  ];
}
