import { AppError, acceptedLanguage, formatFailure, type Sessions } from "@parley/core";
import { readHistory } from "../history.ts";
import { widgetTexts } from "../texts.ts";
import { type AcceptDeps, acceptMessage, acceptPress } from "./accept.ts";
import { CLOSE_CODES, type Connection, type Welcome } from "./connection.ts";
import { checkFrame, isClientFrameType, type RawFrame } from "./frames.ts";
import { type ClientFrames, PROTOCOL_VERSION, type ServerFrame } from "./protocol.ts";
import type { Room } from "./room.ts";

const MAX_SOCKETS_PER_VISITOR = 10;

export interface ActionDeps extends AcceptDeps {
  readonly sessions: () => Pick<Sessions, "find" | "messages">;
}

/** Handles one frame of a page; a failure becomes an `error` frame. */
export async function handleFrame(connection: Connection, room: Room, raw: RawFrame, deps: ActionDeps): Promise<void> {
  const tempId = typeof raw.fields.temp_id === "string" ? raw.fields.temp_id.slice(0, 64) : undefined;
  try {
    if (!isClientFrameType(raw.type))
      throw widgetTexts.error("bad_request", "unknown_type", { type: raw.type.slice(0, 40) });
    if (raw.type === "ping") connection.sendNow({ type: "pong" });
    else if (raw.type === "hello") await greet(connection, room, checkFrame("hello", raw.fields), deps);
    else if (raw.type === "action") await acceptPress(connection, room, checkFrame("action", raw.fields), deps);
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
