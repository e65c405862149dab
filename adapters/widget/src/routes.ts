import Joi from "@hapi/joi";
import {
  attachmentTypeOf,
  type Files,
  type RouteRequest,
  type RouteTable,
  rawReply,
  reply,
  route,
  type SharedWindow,
  type UploadPart,
} from "@parley/core";
import { answerFields, shape } from "@parley/core/http";
import { networkOf } from "@parley/core/limits";
import type { WidgetScript } from "./script.ts";
import { isAllowedOrigin } from "./settings.ts";
import { isBlocked } from "./sockets/actions.ts";
import { BASE_PATH, type EndpointDeps, requireRoom } from "./sockets/endpoint.ts";
import type { Room } from "./sockets/room.ts";
import { widgetTexts } from "./texts.ts";

/** Maximum size of a visitor's file. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** Files per minute. */
const MAX_FILES_PER_VISITOR = 10;
const MAX_FILES_PER_NETWORK = 40;
const UPLOAD_TIMEOUT_MS = 300_000;
/** Seconds in which browsers use the script without asking for a newer one. */
const SCRIPT_MAX_AGE_S = 300;

const configData = shape({
  title: answerFields.text,
  greeting: answerFields.text,
  color: answerFields.text,
  position: Joi.string().valid("right", "left"),
  require_consent: answerFields.flag,
  consent_text: answerFields.text,
  files: answerFields.flag,
  max_file_bytes: answerFields.count,
});
const uploadData = shape({
  file: answerFields.text,
  name: answerFields.text,
  type: answerFields.text,
  size: answerFields.count,
});
const uploadBody = Joi.object({
  visitor: Joi.string().description("The visitor's token, before the file"),
  file: Joi.any().description("The file"),
});

export interface WidgetRoutesDeps extends Pick<EndpointDeps, "rooms" | "channels" | "web" | "tokens" | "files"> {
  readonly readScript: () => WidgetScript;
  /** Uploads of the last minute. */
  readonly uploadWindow: () => SharedWindow;
}

export function createWidgetRoutes(deps: WidgetRoutesDeps): RouteTable {
  return [
    route({
      method: "GET",
      path: "/widget.js",
      summary: "get the script that puts a chat on a page",
      data: { "text/javascript": answerFields.text },
      auth: "open",
      reply: "raw",
      run: ({ headers }) => serveScript(deps.readScript(), headers["if-none-match"]),
    }),
    route({
      method: "GET",
      path: `${BASE_PATH}/{channel_id}`,
      summary: "get the look of a website chat, for its script",
      data: configData,
      auth: "open",
      run(request) {
        const room = requireRoom(request.params.channel_id, deps);
        return reply({ data: toConfig(room), headers: allowOrigin(request, room, deps) });
      },
    }),
    route({
      method: "POST",
      path: `${BASE_PATH}/{channel_id}/files`,
      summary: "upload a visitor's file for their next message in a website chat",
      data: uploadData,
      auth: "open",
      payload: "upload",
      body: uploadBody,
      maxBytes: MAX_FILE_BYTES + 64 * 1024,
      timeoutMs: UPLOAD_TIMEOUT_MS,
      async run(request) {
        const room = requireRoom(request.params.channel_id, deps);
        const headers = allowOrigin(request, room, deps);
        return reply({ data: await receiveFile(request, room, deps), headers });
      },
    }),
  ];
}

function serveScript({ body, etag }: WidgetScript, known: string | undefined) {
  const headers = {
    etag,
    "cache-control": `public, max-age=${SCRIPT_MAX_AGE_S}`,
    // Pages of any website may load it; which ones may show the chat is decided by their channel.
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
  };
  const isKnown = known?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
  const type = "text/javascript; charset=utf-8";
  return isKnown ? rawReply({ body: "", type, status: 304, headers }) : rawReply({ body, type, headers });
}

function toConfig({ settings }: Room) {
  const { title, greeting, color, position, require_consent, consent_text, files } = settings;
  return { title, greeting, color, position, require_consent, consent_text, files, max_file_bytes: MAX_FILE_BYTES };
}

/** Returns the headers by which a page of another origin may read the answer. Throws `permission_denied` for one that may not. */
function allowOrigin(
  { headers, origin: ownOrigin }: Pick<RouteRequest, "headers" | "origin">,
  { settings }: Room,
  { web }: Pick<WidgetRoutesDeps, "web">,
): Readonly<Record<string, string>> {
  const { origin } = headers;
  const own = [URL.parse(ownOrigin)?.origin, URL.parse(web().public_base_url ?? "")?.origin];
  if (origin === undefined) return { vary: "origin" };
  if (!isAllowedOrigin(origin, settings, own)) throw widgetTexts.error("permission_denied", "foreign_origin");
  return {
    vary: "origin",
    "access-control-allow-origin": origin,
    "cross-origin-resource-policy": "cross-origin",
  };
}

/** Stores the single file of an upload; nothing is stored for an unknown visitor. */
async function receiveFile(
  { upload, address, signal }: Pick<RouteRequest, "upload" | "address" | "signal">,
  room: Room,
  { tokens, files, uploadWindow }: WidgetRoutesDeps,
): Promise<object> {
  if (!room.settings.files) throw widgetTexts.error("permission_denied", "files_off");
  const { id: channelId } = room.channel;
  let visitorId: string | undefined;
  for await (const part of upload) {
    if ("value" in part) {
      if (part.name === "visitor") visitorId = readVisitor(part.value, room, tokens);
      if (visitorId === undefined) throw widgetTexts.error("unauthorized", "unknown_visitor");
      continue;
    }
    if (visitorId === undefined) throw widgetTexts.error("bad_request", "visitor_missing", {}, { field: "visitor" });
    await countUpload(`${channelId}:${visitorId}`, address, uploadWindow());
    const stored = await storeFile(part, files(), signal);
    const { name, mimeType, size, url } = stored;
    return { file: tokens.issueFile(channelId, visitorId, url), name, type: attachmentTypeOf(mimeType), size };
  }
  throw widgetTexts.error("bad_request", "file_missing", {}, { field: "file" });
}

/** Returns the visitor of a token; undefined when it is not valid. Throws `permission_denied` for one whom the channel's lists exclude. */
function readVisitor(token: string, room: Room, tokens: WidgetRoutesDeps["tokens"]): string | undefined {
  const visitorId = tokens.read(room.channel.id, token);
  if (visitorId !== undefined && isBlocked(room, visitorId)) throw widgetTexts.error("permission_denied", "blocked");
  return visitorId;
}

function storeFile(
  { filename, body }: Extract<UploadPart, { readonly filename: string }>,
  files: Files | undefined,
  signal: AbortSignal,
) {
  if (!files) throw widgetTexts.error("unavailable", "files_off");
  return files.put(body, { name: filename, maxBytes: MAX_FILE_BYTES }, signal);
}

async function countUpload(visitorKey: string, address: string, window: SharedWindow): Promise<void> {
  const limits = new Map([
    [visitorKey, MAX_FILES_PER_VISITOR],
    [networkOf(address), MAX_FILES_PER_NETWORK],
  ]);
  const { waitMs } = await window.count(limits);
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1_000);
  throw widgetTexts.error("rate_limited", "too_fast", { seconds }, { retryAfterS: seconds });
}
