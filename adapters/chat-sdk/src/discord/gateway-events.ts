import type { SdkAdapter } from "../sdk/sdk-adapter.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An event of the gateway in the form that the package takes at its webhook. */
export interface ForwardedEvent {
  /** Body of the request. */
  readonly body: Fields;
  /** Distinguishes the edits of one message; absent for a new message. */
  readonly edition?: string;
}

/** A message that was deleted. */
export interface DeletedMessage {
  readonly messageId: string;
  readonly threadId: string;
}

/** Returns true for an object with fields. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** Converts an event; undefined for one that is no message, edit or reaction. */
export function toForwarded(type: string, data: unknown): ForwardedEvent | undefined {
  if (!isFields(data)) return undefined;
  const forward = (as: string, given: Fields): Fields => ({
    type: `GATEWAY_${as}`,
    timestamp: Date.now(),
    data: given,
  });
  if (type === "MESSAGE_CREATE" && isReadable(data)) return { body: forward(type, complete(data)) };
  if (type.startsWith("MESSAGE_REACTION_")) return { body: forward(type, data) };
  // Without a time it is no edit by a person: Discord has added a preview.
  if (type !== "MESSAGE_UPDATE" || !isReadable(data) || typeof data.edited_timestamp !== "string") return undefined;
  // A mention would begin a thread; the one that the message began is in its `thread`.
  return { body: forward("MESSAGE_CREATE", { ...complete(data), mentions: [] }), edition: data.edited_timestamp };
}

/** Returns true for a message with the fields that the package reads without a check. */
function isReadable({ id, channel_id, author, content }: Fields): boolean {
  return [id, channel_id, content].every((one) => typeof one === "string") && isFields(author);
}

/** Returns a message with the lists that the package reads. */
function complete(message: Fields): Fields {
  const { mentions, attachments } = message;
  return {
    ...message,
    mentions: Array.isArray(mentions) ? mentions : [],
    attachments: Array.isArray(attachments) ? attachments : [],
  };
}

const THREAD_TYPES = [10, 11, 12];

/** Finds the conversation of a deleted message; undefined for another event. */
export async function toDeleted(adapter: SdkAdapter, type: string, data: unknown): Promise<DeletedMessage | undefined> {
  if (type !== "MESSAGE_DELETE" || !isFields(data)) return undefined;
  const { id, channel_id: channelId, guild_id: guildId } = data;
  if (typeof id !== "string" || typeof channelId !== "string") return undefined;
  if (typeof guildId !== "string") return { messageId: id, threadId: `discord:@me:${channelId}` };
  const guild = `discord:${guildId}`;
  const parentId = await findParent(adapter, `${guild}:${channelId}`);
  if (parentId !== undefined) return { messageId: id, threadId: `${guild}:${parentId}:${channelId}` };
  // A mention outside a thread has begun one of the same id.
  const hasThread = (await findParent(adapter, `${guild}:${id}`)) === channelId;
  return { messageId: id, threadId: hasThread ? `${guild}:${channelId}:${id}` : `${guild}:${channelId}` };
}

/** Returns the channel that a thread belongs to; undefined for a channel, and when Discord does not say. */
async function findParent(adapter: SdkAdapter, threadId: string): Promise<string | undefined> {
  const thread: unknown = await Promise.resolve(adapter.fetchThread?.(threadId)).catch(() => undefined);
  const metadata = isFields(thread) && isFields(thread.metadata) ? thread.metadata : {};
  const raw = isFields(metadata.raw) ? metadata.raw : {};
  const isThread = THREAD_TYPES.some((one) => one === metadata.channelType);
  return isThread && typeof raw.parent_id === "string" ? raw.parent_id : undefined;
}
