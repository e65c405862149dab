import type { SdkCard } from "../outbound/to-card.ts";

/** A file that goes out. */
export interface SdkFile {
  readonly data: Buffer;
  readonly filename: string;
  readonly mimeType: string;
}

/** A message that an adapter of the Chat SDK posts: Markdown, a text as it is or a card, and files. */
export type SdkPostable = ({ readonly markdown: string } | { readonly raw: string } | { readonly card: SdkCard }) & {
  readonly files?: readonly SdkFile[];
};

/** Options of `handleWebhook`. */
export interface SdkWebhookOptions {
  /** Takes work that goes on after the response was made. */
  readonly waitUntil: (task: Promise<unknown>) => void;
  readonly propagateHandlerErrors: true;
}

/** An adapter of the Chat SDK, as far as a channel uses it. What its methods return is third-party data and is checked where it is read. */
export interface SdkAdapter {
  readonly name: string;
  readonly userName?: unknown;
  readonly botUserId?: unknown;
  initialize(chat: object): Promise<unknown>;
  handleWebhook(request: Request, options: SdkWebhookOptions): Promise<Response>;
  postMessage(threadId: string, message: SdkPostable): Promise<unknown>;
  editMessage(threadId: string, messageId: string, message: SdkPostable): Promise<unknown>;
  deleteMessage(threadId: string, messageId: string): Promise<unknown>;
  startTyping(threadId: string): Promise<unknown>;
  fetchMessages(threadId: string, options: { readonly limit: number }): Promise<unknown>;
  channelIdFromThreadId(threadId: string): string;
  fetchChannelMessages?(channelId: string, options: { readonly limit: number }): Promise<unknown>;
  fetchThread?(threadId: string): Promise<unknown>;
  getUser?(userId: string): Promise<unknown>;
  isDM?(threadId: string): boolean;
  rehydrateAttachment?(attachment: object): unknown;
  disconnect?(): Promise<unknown>;
}

const METHODS = [
  "initialize",
  "handleWebhook",
  "postMessage",
  "editMessage",
  "deleteMessage",
  "startTyping",
  "fetchMessages",
  "channelIdFromThreadId",
] as const;

/** Returns the method that a package's adapter lacks; undefined when it has all that a channel needs. */
export function findMissingMethod(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return METHODS[0];
  return METHODS.find((name) => typeof Reflect.get(value, name) !== "function");
}

/** Returns true for an adapter that a channel can use. */
export function isSdkAdapter(value: unknown): value is SdkAdapter {
  return findMissingMethod(value) === undefined;
}
