import {
  AppError,
  type Attachment,
  attachmentTypeOf,
  type Clock,
  type Files,
  type Sessions,
  type SharedWindow,
} from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import { networkOf } from "@parley/core/limits";
import { readHistory, toFileView } from "../history.ts";
import { widgetTexts } from "../texts.ts";
import type { VisitorTokens } from "../visitors.ts";
import { CLOSE_CODES, type ConnectedVisitor, type Connection, type Welcome } from "./connection.ts";
import { type ClientFrames, checkFrame, isClientFrameType, PROTOCOL_VERSION, type RawFrame } from "./frames.ts";
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
    connection.sendNow({
      type: "error",
      code: known.code,
      error: known.message,
      ...(tempId !== undefined && { temp_id: tempId }),
      ...(known.retryAfterS !== undefined && { retry_after_s: known.retryAfterS }),
    });
    if (!AppError.is(error)) room.io.log.error("a frame of a visitor could not be handled", { error });
  }
}

/** Identifies the visitor of a connection and sends their conversation. */
async function greet(
  connection: Connection,
  room: Room,
  hello: ClientFrames["hello"],
  deps: ActionDeps,
): Promise<void> {
  const { channel } = room;
  const id = hello.visitor === undefined ? deps.tokens.create() : deps.tokens.read(channel.id, hello.visitor);
  if (id === undefined || (connection.visitor && connection.visitor.id !== id)) {
    return reject(connection, "unauthorized", "unknown_visitor");
  }
  if (isBlocked(room, id)) return reject(connection, "forbidden", "blocked");
  if (!connection.visitor && room.list(id).length >= MAX_SOCKETS_PER_VISITOR)
    return reject(connection, "tooMany", "many_sockets");
  connection.visitor = { id, language: hello.language };
  await welcome(connection, room, deps);
}

/** Sends a visitor their conversation as it is now, with the frames that follow from then on. */
export async function welcome(connection: Connection, room: Room, deps: ActionDeps): Promise<void> {
  const { visitor } = connection;
  if (visitor) await connection.welcome(() => prepareWelcome(visitor, room, deps));
}

async function prepareWelcome(
  { id }: ConnectedVisitor,
  room: Room,
  { tokens, sessions }: ActionDeps,
): Promise<Welcome> {
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
  const { code, message } = widgetTexts.error(CODE_BY_REJECTION[close], text);
  connection.sendNow({ type: "error", code, error: message });
  connection.close(CLOSE_CODES[close], message);
}

/** True for a visitor whom the channel's lists exclude. */
function isBlocked({ channel: { config } }: Room, visitorId: string): boolean {
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
  const { visitor } = connection;
  if (!visitor) throw widgetTexts.error("conflict", "not_greeted");
  if (text.trim() === "" && files.length === 0) throw widgetTexts.error("bad_request", "empty", {}, { field: "text" });
  await countMessage(connection, visitor.id, deps);
  const attachments = await Promise.all(files.map((token) => findFile(room, visitor.id, token, deps)));
  const { id: channelId } = room.channel;
  const key = `${visitor.id}:${temp_id}`;
  const { traceId, duplicated } = await room.io.accept({
    channelId,
    sessionId: sessionIdOf(channelId, visitor.id),
    conversation: { id: visitor.id, isGroup: false },
    kind: "message",
    sender: { ...toSender(visitor), isAdmin: false },
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
  room.broadcast(visitor.id, message, { except: connection });
}

/** Returns the sender of a visitor's messages, with a name by which operators tell visitors apart. */
function toSender({ id, language }: ConnectedVisitor): {
  readonly id: string;
  readonly name: string;
  readonly language?: string;
} {
  const names = widgetTexts.localized("visitor", { number: id.slice(-4) });
  const name = language?.startsWith("zh") ? (names.zh ?? names.en) : names.en;
  return { id, name, ...(language !== undefined && { language }) };
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
