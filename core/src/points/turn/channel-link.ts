import type { ElementType } from "../../elements/elements.ts";
import { toLocalizedError } from "../../error-texts.ts";
import type { AppError, ErrorDetail } from "../../errors.ts";
import type { Attachment, InboundMessage, InboundPress, OutboundMessage, Receipt } from "../../message.ts";
import type { Accepted, ConversationMove } from "../../services/gateway/accepted.ts";
import type { Logger } from "../../services/operations/logger.ts";
import type { Files } from "../../services/storage/files.ts";

/** Service functions that a channel connection uses. */
export interface ChannelIo {
  /** Hands over one event. Resolves once it is durable; acknowledge it to the platform only then. */
  accept(message: InboundMessage): Promise<Accepted>;
  /**
   * Hands over the press of an element, like a message. Without effect it resolves with a `refusal`, to be shown to the
   * person. Absent where the service has no elements.
   */
  press?(press: InboundPress): Promise<Accepted>;
  /** Reports that the platform gave a conversation another id; resolves once that is stored. Sends may also fail with `migrated`. */
  moved(move: Omit<ConversationMove, "channelId">): Promise<void>;
  /** Reports the link's state to the console; adapters that reconnect call it at each change. */
  report(state: LinkState): void;
  /** Returns the value of a variable named in the settings: the one stored for this channel, else the environment's. Read it on every use. */
  secret(variable: string): string | undefined;
  readonly fetch: typeof fetch;
  /** The service's files, for attachments of replies with a `/static/files/…` URL. */
  readonly files: Pick<Files, "open" | "link">;
  readonly log: Logger;
}

/** A file from the platform: its bytes, or a public address that needs no secret. */
export type ChannelFile = { readonly name?: string } & (
  | { readonly body: Uint8Array | AsyncIterable<Uint8Array> }
  | { readonly url: string }
);

/** Connection state of a channel as the console shows it. */
export interface LinkState {
  readonly connected: boolean;
  readonly error?: string;
  readonly detail?: ErrorDetail;
  /** True when the platform confirms that it sends here; with webhooks this is otherwise unknown until the first one. */
  readonly receives?: boolean;
  /** Warnings for operators while the connection works: an endpoint without a secret, an account that is offline. */
  readonly warnings?: readonly string[];
  /** Localized details of `warnings`, in the same order; null for an English-only one. */
  readonly warningDetails?: readonly (ErrorDetail | null)[];
}

/** Returns warnings of a connection with their localized details. */
export function toWarnings(failures: readonly AppError[]): Pick<Required<LinkState>, "warnings" | "warningDetails"> {
  const localized = failures.map(toLocalizedError);
  return {
    warnings: localized.map(({ error }) => error),
    warningDetails: localized.map(({ detail }) => detail ?? null),
  };
}

/** A message that shows a reply while it is generated. */
export interface ReplyDraft {
  /** Shows the whole text so far. Never throws or waits; updates that come too fast are merged into the next one. */
  update(text: string): void;
  /** Ends the draft. Returns the platform's id of the message, if there is one; the reply is then sent with `completes`. */
  end(): Promise<string | undefined>;
}

/** One open connection of one channel. */
export interface ChannelLink extends AsyncDisposable {
  /**
   * Resolves when the platform's rate limits allow this message: those of the chat and the account, and any requested
   * wait. Rejects when aborted. Awaited before the message is marked as being sent, so that a process that dies
   * meanwhile leaves no unknown outcome. Absent: no limit.
   */
  pace?(message: OutboundMessage, signal: AbortSignal): Promise<void>;
  /**
   * Sends one part at once: it never waits for the link's own `pace`. Throws `DeliveryError`; any other error counts as
   * `ambiguous`. After disposal it fails with `not_sent`.
   */
  send(message: OutboundMessage, signal: AbortSignal): Promise<Receipt>;
  /** Splits a text into parts that the platform accepts. Absent: texts are sent whole. */
  split?(text: string): readonly string[];
  /** True when an answer goes out in one piece, as in the response to a request: it is never sent as several messages. */
  readonly sendsWhole?: boolean;
  /** Returns true for a sticker that the platform shows as a picture; others are omitted. Absent: stickers are sent like files. */
  showsSticker?(sticker: Attachment): boolean;
  /** Types of elements that the platform shows. Others become numbered lines of the text; a card becomes text with its buttons. */
  readonly elements?: readonly ElementType[];
  /** Receives a webhook; present when the platform uses them. Rejects with `unauthorized` for a wrong secret or signature. */
  receive?(request: WebhookRequest): Promise<WebhookAnswer>;
  /** True when no secret is configured, so anyone who knows the address may post; each client address is then limited to a few requests a minute. */
  readonly isOpen?: boolean;
  /** Shows a draft of the reply; only for channels with `supports_stream`, and only when no filter may change the text. */
  draft?(
    conversation: OutboundMessage["conversation"],
    replyTo: string | undefined,
    /** Called once, as soon as the platform's id of the message is known. */
    shown: (messageId: string) => void,
  ): ReplyDraft;
  /** Shows a typing indicator in the conversation; lasts some seconds. A failure is ignored. */
  typing?(conversationId: string, signal: AbortSignal): Promise<void>;
  /** Deletes a message on the platform, where the platform allows it. */
  recall?(platformMessageId: string, conversationId: string, signal: AbortSignal): Promise<void>;
  /**
   * Fetches the file of an attachment with a `channelFileUrl`. The message's turn calls it once; an error becomes a
   * note in the text. Absent: attachment URLs need no adapter.
   */
  fetchFile?(attachment: Attachment, signal: AbortSignal): Promise<ChannelFile>;
  /** Looks up a message whose send had an unknown outcome; only with mode `reconcile`. */
  reconcile?(message: OutboundMessage, signal: AbortSignal): Promise<"delivered" | "absent" | "unknown">;
}

/** A webhook request of a platform. */
export interface WebhookRequest {
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The bytes exactly as received, since signatures are computed over them. */
  readonly body: Uint8Array;
  readonly address: string;
  /** Absent: `POST`. A `GET` only comes from a platform that checks the address. */
  readonly method?: "GET" | "POST";
  /** The query of the address without `?`; absent for none. */
  readonly query?: string;
  /** True when the caller is authorized to act for the platform, so that secret and signature are not checked. */
  readonly isVerified?: boolean;
  /** Receives the messages of the request instead of `io.accept`, so that the caller learns their outcome. */
  readonly accept?: ChannelIo["accept"];
}

/** Answer to a webhook request. */
export interface WebhookAnswer {
  /** Default 200. */
  readonly status?: number;
  /** Content type of a `body` that is text and sent as it is. Absent: the body is sent as JSON. */
  readonly type?: string;
  readonly body: unknown;
}
