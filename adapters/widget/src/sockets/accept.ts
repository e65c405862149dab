import {
  type Attachment,
  attachmentTypeOf,
  type Clock,
  type Files,
  type Sender,
  type SharedWindow,
} from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import { networkOf } from "@parley/core/limits";
import { toFileView } from "../history.ts";
import { widgetTexts } from "../texts.ts";
import type { VisitorTokens } from "../visitors.ts";
import type { Connection } from "./connection.ts";
import type { ClientFrames } from "./protocol.ts";
import type { Room } from "./room.ts";

/** Messages per minute. The visitor's limit is below the gateway's, so that the page says what happened. */
const MAX_MESSAGES_PER_VISITOR = 15;
const MAX_MESSAGES_PER_NETWORK = 120;

export interface AcceptDeps {
  readonly tokens: VisitorTokens;
  readonly files: () => Files | undefined;
  /** Messages of the last minute. */
  readonly messageWindow: () => SharedWindow;
  readonly clock: Pick<Clock, "now">;
}

/** Stores a message, then confirms it and shows it on the visitor's other pages. */
export async function acceptMessage(
  connection: Connection,
  room: Room,
  { text, temp_id, files }: ClientFrames["message"],
  deps: AcceptDeps,
): Promise<void> {
  const { visitorId, language } = connection;
  if (visitorId === undefined) throw widgetTexts.error("conflict", "not_greeted");
  if (text.trim() === "" && files.length === 0) throw widgetTexts.error("bad_request", "empty", {}, { field: "text" });
  await countMessage(connection, visitorId, deps);
  const attachments = await Promise.all(files.map((token) => findFile(room, visitorId, token, deps)));
  const { traceId, duplicated } = await room.io.accept({
    ...toEvent(room, visitorId, temp_id),
    kind: "message",
    sender: { ...toSender(visitorId, language), isAdmin: false },
    text,
    attachments,
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

/** Stores the press of an element as a message with the item's label, and shows it on the visitor's other pages. */
export async function acceptPress(
  connection: Connection,
  room: Room,
  { element_id, item_id, temp_id }: ClientFrames["action"],
  deps: AcceptDeps,
): Promise<void> {
  const { visitorId, language } = connection;
  if (visitorId === undefined) throw widgetTexts.error("conflict", "not_greeted");
  await countMessage(connection, visitorId, deps);
  const accepted = await room.io.press?.({
    ...toEvent(room, visitorId, temp_id),
    kind: "action",
    sender: { ...toSender(visitorId, language), isAdmin: false },
    press: { elementId: element_id, itemId: item_id },
  });
  if (!accepted) throw widgetTexts.error("unavailable", "no_presses");
  const { traceId, duplicated, refusal: error, refusalError } = accepted;
  if (error !== undefined)
    return connection.sendNow({ type: "error", code: refusalError?.code ?? "conflict", error, temp_id });
  connection.sendNow({ type: "ack", temp_id, id: traceId });
  if (!duplicated)
    room.broadcast(visitorId, { type: "pressed", id: traceId, element_id, item_id, temp_id }, { except: connection });
}

/** Returns the fields that a message and a press of a visitor share. */
function toEvent({ channel: { id: channelId } }: Room, visitorId: string, tempId: string) {
  const key = `${visitorId}:${tempId}`;
  return {
    channelId,
    sessionId: sessionIdOf(channelId, visitorId),
    conversation: { id: visitorId, isGroup: false },
    text: "",
    attachments: [],
    addressed: true,
    source: channelId,
    dedupeKey: key,
    platformMessageId: key,
    tempId,
  };
}

/** Returns the sender of a visitor's messages, with a name by which operators tell visitors apart. */
function toSender(id: string, language: string): Pick<Sender, "id" | "name" | "language"> {
  const names = widgetTexts.localized("visitor", { number: id.slice(-4) });
  return { id, name: language === "zh" ? (names.zh ?? names.en) : names.en, language };
}

async function countMessage(
  { address, channelId }: Connection,
  visitorId: string,
  { messageWindow }: AcceptDeps,
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
  { tokens, files }: AcceptDeps,
): Promise<Attachment> {
  if (!room.settings.files) throw widgetTexts.error("permission_denied", "files_off");
  const url = tokens.readFile(room.channel.id, visitorId, token);
  const file = url === undefined ? undefined : await files()?.find(url);
  if (!file) throw widgetTexts.error("not_found", "file_unknown", {}, { field: "files" });
  const { name, mimeType, size } = file;
  return { type: attachmentTypeOf(mimeType), url: file.url, name, mime_type: mimeType, size };
}
