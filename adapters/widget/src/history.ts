import { type Attachment, type Files, isStoredUrl, type Message, type Sessions } from "@parley/core";
import { sessionIdOf } from "@parley/core/channels";
import type { FileView, MessageView, Pressed } from "./sockets/protocol.ts";

/** Messages of a conversation that a page shows. */
const MAX_SHOWN = 50;
/** Messages that are read for it: some are not for visitors. */
const MAX_READ = 200;
/** Seconds in which the link of a file can be opened. */
const LINK_SECONDS = 3_600;

/** The conversation of a visitor as stored. */
export interface VisitorHistory {
  readonly messages: readonly MessageView[];
  /** Traces of the answers among them. */
  readonly answeredTraces: ReadonlySet<string>;
  /** True while a person answers in place of the AI. */
  readonly hasOperator: boolean;
}

export interface HistoryDeps {
  readonly sessions: Pick<Sessions, "find" | "messages">;
  readonly files: Pick<Files, "link">;
}

/** Reads what a visitor may see of their own conversation; empty when there is none. */
export async function readHistory(
  { sessions, files }: HistoryDeps,
  channelId: string,
  visitorId: string,
): Promise<VisitorHistory> {
  const session = await sessions.find(sessionIdOf(channelId, visitorId));
  if (!session) return { messages: [], answeredTraces: new Set(), hasOperator: false };
  const { items } = await sessions.messages(session.id, { order: "desc", limit: MAX_READ, offset: 0 });
  const visible = items
    .filter((message) => isForVisitor(message, channelId, visitorId))
    .slice(0, MAX_SHOWN)
    .reverse();
  const traces = visible.flatMap(({ role, trace_id }) => (role === "assistant" && trace_id !== null ? [trace_id] : []));
  return {
    messages: visible.map((message) => toMessageView(message, files)),
    answeredTraces: new Set(traces),
    hasOperator: session.taken_over !== null,
  };
}

/** True for the visitor's own messages and for answers that were sent to them, not for what operators write to each other or to the AI. */
function isForVisitor(message: Message, channelId: string, visitorId: string): boolean {
  const { role, kind, hidden, metadata, source, sender_id, trace_id, content, attachments, elements = [] } = message;
  if (hidden || metadata.operator_only === true || (kind !== "normal" && kind !== "command")) return false;
  if (role === "user") return source === channelId && sender_id === visitorId;
  // A message that was only added to the history has no trace.
  return role === "assistant" && trace_id !== null && (content !== "" || attachments.length + elements.length > 0);
}

function toMessageView(message: Message, files: Pick<Files, "link">): MessageView {
  const { id, role, content, attachments, timestamp, temp_id, error, character_id, sender } = message;
  const { pressed, elements_expire_at } = message.metadata;
  return {
    id,
    role: role === "user" ? "user" : "assistant",
    text: content,
    files: attachments.flatMap((one) => toFileView(one, files)),
    ...(message.elements && { elements: message.elements }),
    ...(typeof elements_expire_at === "string" && { elements_expire_at }),
    ...(isPressed(pressed) && { pressed }),
    time: timestamp,
    ...(temp_id !== null && { temp_id }),
    ...(role === "assistant" && character_id !== null && sender !== "" && { sender }),
    ...(role === "user" && error !== null && { failed: true }),
  };
}

function isPressed(pressed: unknown): pressed is Pressed {
  return typeof pressed === "object" && pressed !== null && "element_id" in pressed && "item_id" in pressed;
}

/** Returns a file with an address that the visitor's browser can open; nothing for one that only the service can read. */
export function toFileView(
  { url, name, type, mime_type, size }: Attachment,
  files: Pick<Files, "link">,
): readonly FileView[] {
  const isStored = isStoredUrl(url);
  if (!isStored && !url.startsWith("https://")) return [];
  const view = { name: name ?? type, url: isStored ? files.link(url, LINK_SECONDS) : url, type: mime_type ?? type };
  return [{ ...view, ...(size !== undefined && { size }) }];
}
