import { type Attachment, isStoredUrl, type Message, type Session, type Sessions } from "@parley/core";
import type { SharedFile, SharedMessage, ShareOptions, Snapshot } from "./schema.ts";
import { sharingTexts } from "./texts.ts";

const PAGE_SIZE = 500;
const MAX_BYTES = 8 * 1024 * 1024;

/** Creates the snapshot of a session. Rejects with `bad_request` when it is empty, `too_large` beyond 8 MiB. */
export async function createSnapshot(
  sessions: Pick<Sessions, "messages">,
  session: Session,
  options: ShareOptions,
): Promise<Snapshot> {
  const { message_start, message_end, include_character } = options;
  if (message_start !== null && message_end !== null && message_start > message_end)
    throw sharingTexts.error("bad_request", "order", {}, { field: "message_start" });
  const shown: SharedMessage[] = [];
  let bytes = 0;
  for await (const message of readMessages(sessions, session.id, options)) {
    if (!isVisible(message, options)) continue;
    const one = toSharedMessage(message, String(shown.length + 1), options);
    bytes += Buffer.byteLength(JSON.stringify(one));
    if (bytes > MAX_BYTES) throw sharingTexts.error("too_large", "long");
    shown.push(one);
  }
  if (shown.length === 0) throw sharingTexts.error("bad_request", "nothing_to_show");
  return {
    name: session.name,
    sender_name: include_character ? session.sender_name : "",
    sender_avatar: include_character ? toStoredPicture(session.sender_avatar) : "",
    sender_portrait: include_character ? toStoredPicture(session.sender_portrait) : "",
    scenario: include_character ? session.scenario : "",
    created_at: session.created_at,
    messages: shown,
  };
}

/** Returns the files that a publication shows. */
export function listFiles({ sender_avatar, sender_portrait, messages }: Snapshot): readonly string[] {
  const attached = messages.flatMap(({ attachments }) => attachments.map(({ url }) => url));
  return [...new Set([sender_avatar, sender_portrait, ...attached])].filter((url) => url !== "");
}

async function* readMessages(
  sessions: Pick<Sessions, "messages">,
  sessionId: string,
  { message_start, message_end }: ShareOptions,
): AsyncGenerator<Message> {
  const first = (message_start ?? 1) - 1;
  const end = message_end ?? Number.POSITIVE_INFINITY;
  for (let offset = first; offset < end; offset += PAGE_SIZE) {
    const limit = Math.min(PAGE_SIZE, end - offset);
    const { items } = await sessions.messages(sessionId, { order: "asc", limit, offset });
    yield* items;
    if (items.length < limit) return;
  }
}

/** True for visible messages, which are not hidden, blocked, private to an operator, or system messages. */
function isVisible(message: Message, { include_user_messages }: ShareOptions): boolean {
  const { kind, role, hidden, filter_blocked, content, attachments, metadata } = message;
  if (metadata.operator_only === true) return false;
  if (kind !== "normal" || hidden || filter_blocked || role === "system") return false;
  if (role === "user" && !include_user_messages) return false;
  return content !== "" || attachments.length > 0;
}

function toSharedMessage(
  message: Message,
  id: string,
  { include_names, include_files, include_character }: ShareOptions,
): SharedMessage {
  const { role, content, timestamp, sender, attachments } = message;
  const isNamed = role === "user" ? include_names : include_character;
  return {
    id,
    role,
    content,
    timestamp,
    sender: isNamed ? sender : "",
    attachments: include_files ? attachments.filter(({ url }) => isStoredUrl(url)).map(toSharedFile) : [],
  };
}

function toSharedFile({
  type,
  name = "",
  url,
  mime_type = "application/octet-stream",
  size = 0,
}: Attachment): SharedFile {
  return { type, name, url, mime_type, size };
}

/** Returns the picture if it is stored here; a picture on another server would reveal the readers to it. */
function toStoredPicture(url: string): string {
  return isStoredUrl(url) ? url : "";
}
