import type { ElementPress, MessageElement } from "./elements/elements.ts";
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
  /** The platform's id of the person; in the console the account id, or a label that the request gave instead. */
  readonly id: string;
  readonly name: string;
  /** Id of the account whose credential the request carried; absent for people on a channel. Permissions follow this id, never a label. */
  readonly accountId?: string;
  /** Id of the API key that the request carried, or that its login token was made with. */
  readonly apiKeyId?: string;
  /** Name of that account; memories about a console user are stored under it. */
  readonly username?: string;
  /** True when the author may use administrator commands. The service decides it for channels, the scope for the console. */
  readonly isAdmin: boolean;
  /** True for an API key or a tool, which cannot answer questions meant for a person. */
  readonly isProgram?: boolean;
  /** The person's language as reported by the platform or the console, as a tag: `en-GB`, `zh-CN`. Absent when unknown. */
  readonly language?: string;
  /** True for another bot of the platform. */
  readonly isBot?: true;
}

/** Parameters of one answer, in place of those of the model's record. */
export interface AnswerParameters {
  /** At most the model's own limit. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
}

/** Kind of an inbound message: a message to answer, an edit or withdrawal of an earlier one, a new answer to the last one, or a task. */
export type InboundKind = "message" | "edit" | "recall" | "regenerate" | "task";

/** A person's reaction to a message. */
export interface MessageReaction {
  readonly emoji: string;
  /** False when the reaction was removed. */
  readonly added: boolean;
  /** The platform's id of the message, or its id here for a message of the console. */
  readonly messageId: string;
}

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
  /** Key that is equal for every copy that the platform sends of one event, and unique within the channel. Absent: copies cannot be detected. */
  readonly dedupeKey?: string;
  /** Value that a sender may use once on this channel within ten minutes; another event with it is rejected. */
  readonly nonce?: string;
  /** Key of an album: messages of one album that arrive shortly after the first become one turn. */
  readonly album?: string;
  readonly platformMessageId?: string;
  /** The platform account that received it, when a channel has several. */
  readonly account?: string;
  /** False for a group message that is not meant for the bot; it is recorded but not answered. */
  readonly addressed: boolean;
  /** Reason for `addressed: false`, shown to operators; set by the service. */
  readonly unaddressedReason?: UnaddressedReason;
  /** True for a group message that mentions the bot, replies to it or calls it by a wake word, whatever the settings; set by the service. */
  readonly isCalled?: true;
  readonly replyTo?: string;
  /** Quoted message, in the form of `formatQuote`; the service appends it to the text. */
  readonly quoted?: string;
  /** The platform's name for content that the adapter cannot read, when the message has no other content; the sender gets a note about it. */
  readonly unreadable?: string;
  /** ISO 8601 UTC, the platform's clock. Only shown, never used to judge age. */
  readonly platformTime?: string;
  /** Origin of the text: a channel id, `api`, `mcp`, `workflow`, `task_center`, `heartbeat`, `proactive`. */
  readonly source: string;
  /** True for an operator's private question: message and answer stay here and never reach the people of the conversation. */
  readonly isOperatorOnly?: true;
  /** True for an instruction of the service itself, such as a task's: it is stored, but not shown in the conversation. */
  readonly isHidden?: true;
  /** Characters that answer, one after the other, where several share the conversation. Default: its own rule decides. */
  readonly speakerIds?: readonly string[];
  /** The client's own id of the message, echoed to it. */
  readonly tempId?: string;
  /** The message to answer again; only with kind `regenerate`. */
  readonly messageId?: string;
  /** The only model that answers this message, in place of the conversation's. */
  readonly modelId?: string;
  /** Models that answer the same message, one turn each; stopping one of these turns stops the waiting ones. */
  readonly modelIds?: readonly string[];
  /** Instructions of the client for the answer to this message, after those of the character. */
  readonly instructions?: string;
  /** Parameters of the answer to this message, in place of the conversation's. */
  readonly parameters?: AnswerParameters;
  /** The task to run; only with kind `task`. */
  readonly task?: TaskOrder;
  /** The pressed item, set by the service on the message that a press becomes. */
  readonly press?: ElementPress;
  /** The payload as received, for the trace. Secrets are masked and long values cut before it is stored. */
  readonly raw?: unknown;
}

/** The press of an element: stored once, as a message with the label of its item. Its text is empty. */
export interface InboundPress extends Omit<InboundMessage, "kind"> {
  readonly kind: "action";
  readonly press: ElementPress;
}

/** A person's reaction to a message, stored with that message. Its text is empty. */
export interface InboundReaction extends Omit<InboundMessage, "kind"> {
  readonly kind: "reaction";
  readonly reaction: MessageReaction;
}

/** One platform call: text, or attachments, or both where the adapter can. */
export interface OutboundMessage {
  /** The delivery's id; the same for every retry, so that a platform can detect duplicates. */
  readonly deliveryId: string;
  readonly traceId: string;
  readonly channelId: string;
  readonly sessionId: string;
  readonly conversation: { readonly id: string; readonly isGroup: boolean };
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The elements to show, all of types that the link lists in `elements`; others are part of the text. */
  readonly elements?: readonly MessageElement[];
  /** The platform message that is answered. */
  readonly replyTo?: string;
  /** The platform message that showed the answer while it was generated; it is completed instead of a new message being sent. */
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
