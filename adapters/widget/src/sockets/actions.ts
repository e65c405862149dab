import {
  AppError,
  type Attachment,
  acceptedLanguage,
  attachmentTypeOf,
  type Clock,
  type Files,
  formatFailure,
  type Sender,
  type Sessions,
  type SharedWindow,
} from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import { networkOf } from "@parley/core/limits";
import { readHistory, toFileView } from "../history.ts";
import { widgetTexts } from "../texts.ts";
import type { VisitorTokens } from "../visitors.ts";
import { CLOSE_CODES, type Connection, type Welcome } from "./connection.ts";
import {
  type ClientFrames,
  checkFrame,
  isClientFrameType,
  PROTOCOL_VERSION,
  type RawFrame,
  type ServerFrame,
} from "./frames.ts";
import type { Room } from "./room.ts";

const MAX_SOCKETS_PER_VISITOR = 10;
/** Messages per minute. The visitor's limit is below the gateway's, so that the page says what happened. */
const MAX_MESSAGES_PER_VISITOR = 15;
const MAX_MESSAGES_PER_NETWORK = 120;

export interface ActionDeps {
  readonly tokens: VisitorTokens;
  readonly sessions: () => Pick<Sessions, "find" | "messages">;
  readonly files: () => Files | undefined;
  /** Messages of the last minute. */
  readonly messageWindow: () => SharedWindow;
  readonly clock: Pick<Clock, "now">;
}

/** Handles one frame of a page; a failure becomes an `error` frame. */
export async function handleFrame(connection: Connection, room: Room, raw: RawFrame, deps: ActionDeps): Promise<void> {
  const tempId = typeof raw.fields.temp_id === "string" ? raw.fields.temp_id.slice(0, 64) : undefined;
  try {
    if (!isClientFrameType(raw.type))
      throw widgetTexts.error("bad_request", "unknown_type", { type: raw.type.slice(0, 40) });
    if (raw.type === "ping") connection.sendNow({ type: "pong" });
    else if (raw.type === "hello") await greet(connection, room, checkFrame("hello", raw.fields), deps);
    else await acceptMessage(connection, room, checkFrame("message", raw.fields), deps);
  } catch (error) {
    const known = AppError.is(error) ? error : widgetTexts.error("internal", "internal");
    connection.sendNow(toErrorFrame(known, connection, tempId));
    if (AppError.is(error)) return;
    room.io.log.error("a frame of a visitor could not be handled", { error });
    // Without its conversation a page can only try again.
    if (raw.type === "hello") connection.close(CLOSE_CODES.tooSlow, "try again");
  }
}

function toErrorFrame(error: AppError, { language }: Connection, tempId?: string): ServerFrame {
  const { code, message, detail, retryAfterS } = error;
  return {
    type: "error",
    code,
    error: formatFailure({ error: message, code, detail }, language),
    ...(tempId !== undefined && { temp_id: tempId }),
    ...(retryAfterS !== undefined && { retry_after_s: retryAfterS }),
  };
}

/** Identifies the visitor of a connection and sends their conversation. */
async function greet(
  connection: Connection,
  room: Room,
  hello: ClientFrames["hello"],
  deps: ActionDeps,
): Promise<void> {
  const { channel } = room;
  if (hello.language !== undefined) connection.language = acceptedLanguage(hello.language);
  const id = hello.visitor === undefined ? deps.tokens.create() : deps.tokens.read(channel.id, hello.visitor);
  if (id === undefined) return reject(connection, "unauthorized", "unknown_visitor");
  // Another tab has stored another visitor: the page must keep that token, and connects as this one next.
  if ((connection.visitorId ?? id) !== id) return connection.close(CLOSE_CODES.tooSlow, "another visitor");
  if (isBlocked(room, id)) return reject(connection, "forbidden", "blocked");
  if (connection.visitorId === undefined && room.list(id).length >= MAX_SOCKETS_PER_VISITOR)
    return reject(connection, "tooMany", "many_sockets");
  connection.visitorId = id;
  await welcome(connection, room, deps);
}

/** Sends a visitor their conversation as it is now, with the frames that follow from then on. */
export async function welcome(connection: Connection, room: Room, deps: ActionDeps): Promise<void> {
  const { visitorId } = connection;
  if (visitorId !== undefined) await connection.welcome(() => prepareWelcome(visitorId, room, deps));
}

async function prepareWelcome(id: string, room: Room, { tokens, sessions }: ActionDeps): Promise<Welcome> {
  const history = await readHistory({ sessions: sessions(), files: room.io.files }, room.channel.id, id);
  return {
    answeredTraces: history.answeredTraces,
    listFrames: () => [
      {
        type: "welcome",
        version: PROTOCOL_VERSION,
        visitor: tokens.issue(room.channel.id, id),
        history: history.messages,
        operator: history.hasOperator,
      },
      ...room.listDrafts(id),
    ],
  };
}

const CODE_BY_REJECTION = {
  unauthorized: "unauthorized",
  forbidden: "permission_denied",
  tooMany: "rate_limited",
} as const;

function reject(
  connection: Connection,
  close: keyof typeof CODE_BY_REJECTION,
  text: "unknown_visitor" | "blocked" | "many_sockets",
): void {
  const error = widgetTexts.error(CODE_BY_REJECTION[close], text);
  connection.sendNow(toErrorFrame(error, connection));
  connection.close(CLOSE_CODES[close], error.message);
}

/** True for a visitor whom the channel's lists exclude. */
export function isBlocked({ channel: { config } }: Pick<Room, "channel">, visitorId: string): boolean {
  const { allow, deny } = config;
  const isOn = (list: unknown) => Array.isArray(list) && list.includes(visitorId);
  return isOn(deny) || (Array.isArray(allow) && allow.length > 0 && !isOn(allow));
}

/** Stores a message, then confirms it and shows it on the visitor's other pages. */
async function acceptMessage(
  connection: Connection,
  room: Room,
  { text, temp_id, files }: ClientFrames["message"],
  deps: ActionDeps,
): Promise<void> {
  const { visitorId, language } = connection;
  if (visitorId === undefined) throw widgetTexts.error("conflict", "not_greeted");
  if (text.trim() === "" && files.length === 0) throw widgetTexts.error("bad_request", "empty", {}, { field: "text" });
  await countMessage(connection, visitorId, deps);
  const attachments = await Promise.all(files.map((token) => findFile(room, visitorId, token, deps)));
  const { id: channelId } = room.channel;
  const key = `${visitorId}:${temp_id}`;
  const { traceId, duplicated } = await room.io.accept({
    channelId,
    sessionId: sessionIdOf(channelId, visitorId),
    conversation: { id: visitorId, isGroup: false },
    kind: "message",
    sender: { ...toSender(visitorId, language), isAdmin: false },
    text,
    attachments,
    addressed: true,
    source: channelId,
    dedupeKey: key,
    platformMessageId: key,
    tempId: temp_id,
  });
  connection.sendNow({ type: "ack", temp_id, id: traceId });
  if (duplicated) return;
  const message = {
    type: "message",
    id: traceId,
    role: "user",
    text,
    files: attachments.flatMap((one) => toFileView(one, room.io.files)),
    time: new Date(deps.clock.now()).toISOString(),
    temp_id,
  } as const;
  room.broadcast(visitorId, message, { except: connection });
}

/** Returns the sender of a visitor's messages, with a name by which operators tell visitors apart. */
function toSender(id: string, language: string): Pick<Sender, "id" | "name" | "language"> {
  const names = widgetTexts.localized("visitor", { number: id.slice(-4) });
  return { id, name: language === "zh" ? (names.zh ?? names.en) : names.en, language };
}

async function countMessage(
  { address, channelId }: Connection,
  visitorId: string,
  { messageWindow }: ActionDeps,
): Promise<void> {
  const limits = new Map([
    [`${channelId}:${visitorId}`, MAX_MESSAGES_PER_VISITOR],
    [`${channelId}:${networkOf(address)}`, MAX_MESSAGES_PER_NETWORK],
  ]);
  const { waitMs } = await messageWindow().count(limits);
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1_000);
  throw widgetTexts.error("rate_limited", "too_fast", { seconds }, { retryAfterS: seconds });
}

/** Returns the attachment of a file that this visitor has uploaded. */
async function findFile(
  room: Room,
  visitorId: string,
  token: string,
  { tokens, files }: ActionDeps,
): Promise<Attachment> {
  if (!room.settings.files) throw widgetTexts.error("permission_denied", "files_off");
  const url = tokens.readFile(room.channel.id, visitorId, token);
  const file = url === undefined ? undefined : await files()?.find(url);
  if (!file) throw widgetTexts.error("not_found", "file_unknown", {}, { field: "files" });
  const { name, mimeType, size } = file;
  return { type: attachmentTypeOf(mimeType), url: file.url, name, mime_type: mimeType, size };
}
