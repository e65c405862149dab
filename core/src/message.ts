import type { TaskOrder } from "./points/operations/task-kind.ts";

/**
 * A file attached to a message. `url` is a file of this service (`/static/files/…`), an https address, or, until the
 * message's turn has fetched it, a reference that only its channel understands (`channelFileUrl`).
 */
export interface Attachment {
  readonly type: "image" | "audio" | "video" | "file" | "sticker";
  readonly url: string;
  readonly name?: string;
  readonly mime_type?: string;
  readonly size?: number;
  readonly source?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** The author of a message. */
export interface Sender {
  /** The platform's id of the person; for the console the account id, or the label that a request gave instead. */
  readonly id: string;
  readonly name: string;
  /** Id of the account whose credential the request carried; absent for people on a channel. Permissions follow this id, never a label. */
  readonly accountId?: string;
  /** Name of that account; memories about a console user are stored under it. */
  readonly username?: string;
  /** May use administrator commands. Decided by the service for channels, by scope for the console. */
  readonly isAdmin: boolean;
  /** True for an API key or a tool, which cannot answer questions meant for a person. */
  readonly isProgram?: boolean;
  /** The person's language as reported by the platform or the console, as a tag: `en-GB`, `zh-CN`. Absent when unknown. */
  readonly language?: string;
}

/** Kind of an inbound message: a message to answer, an edit or withdrawal of an earlier one, a new answer to the last one, or a task. */
export type InboundKind = "message" | "edit" | "recall" | "regenerate" | "task";

/** Reason a message is recorded but not answered. */
export type UnaddressedReason = "cannot_send" | "empty" | "groups_off" | "not_allowed" | "not_mentioned";

/** One decoded event of a channel. Adapters create it, the gateway stores it, a turn answers it. */
export interface InboundMessage {
  readonly channelId: string;
  /** Canonical, e.g. `imA:group:42`, `sess_…`, `<channel id>:<conversation>`. */
  readonly sessionId: string;
  readonly conversation: {
    /** The platform's own id of the conversation; replies go there. */
    readonly id: string;
    readonly isGroup: boolean;
    readonly title?: string;
  };
  readonly kind: InboundKind;
  readonly sender: Sender;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Equal for every copy that the platform sends of one event, unique within the channel. Absent: copies cannot be detected. */
  readonly dedupeKey?: string;
  /** Single-use value of the sender on this channel for ten minutes; another event with it is rejected. */
  readonly nonce?: string;
  /** Equal for messages that a person sent as one album: those that arrive within a moment of the first are one turn. */
  readonly album?: string;
  readonly platformMessageId?: string;
  /** The platform's account that received it, when a channel has several. */
  readonly account?: string;
  /** False for group talk that is not meant for the bot; such a message is recorded, not answered. */
  readonly addressed: boolean;
  /** Reason for `addressed: false`, shown to operators; set by the service. */
  readonly unaddressedReason?: UnaddressedReason;
  readonly replyTo?: string;
  /** Quoted message, in the form of `formatQuote`; the service appends it to the text. */
  readonly quoted?: string;
  /** The platform's name for unreadable content, where the message has no other; the sender gets a note about it. */
  readonly unreadable?: string;
  /** ISO 8601 UTC, the platform's clock. Only shown, never used to judge age. */
  readonly platformTime?: string;
  /** Origin of the text: a channel id, `api`, `mcp`, `workflow`, `task_center`, `heartbeat`, `proactive`. */
  readonly source: string;
  /** True for an operator's private question: message and answer stay here and never reach the people of the conversation. */
  readonly isOperatorOnly?: true;
  /** True for an instruction of the service itself, such as a task's: it is stored, but not shown in the conversation. */
  readonly isHidden?: true;
  /** The client's own id of the message, echoed to it. */
  readonly tempId?: string;
  /** The message to answer again; only with kind `regenerate`. */
  readonly messageId?: string;
  /** The model that answers this once, and no other, in place of the conversation's. */
  readonly modelId?: string;
  /** Models that answer the same message, one turn each; stopping one of these turns stops the waiting ones. */
  readonly modelIds?: readonly string[];
  /** The task to run; only with kind `task`. */
  readonly task?: TaskOrder;
  /** The payload as received, for the trace. Masked and cut before it is stored. */
  readonly raw?: unknown;
}

/** One platform call: text, or attachments, or both where the adapter can. */
export interface OutboundMessage {
  /** The delivery's id; the same for every repeat, so that a platform can merge them. */
  readonly deliveryId: string;
  readonly traceId: string;
  readonly channelId: string;
  readonly sessionId: string;
  readonly conversation: { readonly id: string; readonly isGroup: boolean };
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The platform message that is answered. */
  readonly replyTo?: string;
  /** The platform message that showed the answer while it was generated: it becomes this message instead of a new one. */
  readonly completes?: string;
  /** 1-based position among the parts of one reply. */
  readonly part: number;
  readonly parts: number;
}

/** The platform's receipt of a sent message. */
export interface Receipt {
  readonly platformMessageId?: string;
  /**
   * `confirmed`: the platform shows it; `accepted`: the platform accepted it; `built`: it was returned as the answer
   * to the inbound request, and nothing was sent.
   */
  readonly quality: "confirmed" | "accepted" | "built";
}
