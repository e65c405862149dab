import type { MessageElement, PressRules } from "../../elements/elements.ts";
import type { LocalizedError } from "../../errors.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Busy } from "../../http/route.ts";
import type { Attachment, InboundMessage, InboundPress } from "../../message.ts";
import type { TaskOrder } from "../../points/operations/task-kind.ts";
import type { ChannelConfig, IdempotencyMode } from "../../points/turn/channel-adapter.ts";
import type { ChannelLink } from "../../points/turn/channel-link.ts";
import type { ThinkingStep } from "../../points/turn/turn-stage.ts";
import { isGroupSession, type Message, type Session, type Usage } from "../conversations/sessions.ts";
import type { SpeakOrder } from "../conversations/speaking.ts";
import type { Write } from "../storage/database.ts";
import type { Accepted, ConversationMove } from "./accepted.ts";

/** Final state of a turn. */
export type TurnState = "answered" | "blocked" | "stopped" | "ignored" | "expired" | "failed";

/** Outcome of a turn. */
export interface TurnOutcome {
  readonly traceId: string;
  readonly state: TurnState;
  readonly userMessage: Message | null;
  /** Final messages as stored, in order. */
  readonly replies: readonly Message[];
  readonly filtered: boolean;
  readonly blocked: boolean;
  readonly stopped: boolean;
  readonly ruleIds: readonly string[];
  readonly notice: string;
  readonly usage: (Usage & { readonly model: string | null; readonly model_id: string | null }) | null;
  readonly error: LocalizedError | null;
  /** Ids of its platform deliveries, in order; absent when there are none. */
  readonly deliveryIds?: readonly string[];
  /** Trace id of the later message whose answer this one shares; absent for a message with a turn of its own. */
  readonly answeredWith?: string;
  /** Trace ids of the earlier messages that share the answer; absent when there are none. */
  readonly answeredTraceIds?: readonly string[];
}

/** A turn in progress. */
export interface RunningTurn {
  readonly traceId: string;
  readonly startedAt: string;
  /** Name of the current phase. */
  readonly stage: string;
  /** Id of the partial reply; null before the first delta. */
  readonly messageId: string | null;
  /** Sender name of the reply; "" before the first delta. */
  readonly sender: string;
  /** Partial reply, when it may be shown; else "". */
  readonly text: string;
  /** Latest `thinking_card` with thoughts and tool calls; absent before the first. */
  readonly card?: StepsCard;
}

/** Steps before an answer, complete each time (realtime event `thinking_card`). */
export interface StepsCard {
  readonly id: string;
  /** Id of the coming reply. */
  readonly parent_message_id: string;
  readonly steps: readonly ThinkingStep[];
  readonly is_complete: boolean;
}

/** A message that was not created by a turn: an operator's or a tool's. */
export interface DirectMessage {
  readonly channelId: string;
  readonly sessionId: string;
  readonly conversation: { readonly id: string; readonly isGroup: boolean };
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Buttons, lists and cards below the text, and the rules for their presses. */
  readonly elements?: readonly MessageElement[];
  readonly press?: PressRules;
  /** The platform message that it answers. */
  readonly replyTo?: string;
  /** Trace id; delivery ids derive from it. Default: a new one. */
  readonly traceId?: string;
  /** Order under which it is sent; default: the service itself, for messages that belong to an answer. Rejects with `permission_denied` without the right. */
  readonly order?: SpeakOrder;
}

/** Combined outcome of all sends of a trace. */
export interface SendOutcome {
  /** `delivered` once all parts were; `pending` while any part is not final. */
  readonly status: DeliveryStatus;
  /** Error of the first part that did not arrive; null when all arrived or the error is unknown. */
  readonly error: LocalizedError | null;
}

/** Returns the platform conversation of a session, as `deliver` takes it; undefined when it exists only in the web console. */
export function toPlatformConversation(
  session: Pick<Session, "id" | "channel_id" | "conversation_id" | "user_id">,
): Pick<DirectMessage, "channelId" | "sessionId" | "conversation"> | undefined {
  const { id, channel_id, conversation_id } = session;
  if (channel_id === "web" || conversation_id === null) return undefined;
  const conversation = { id: conversation_id, isGroup: isGroupSession(session) };
  return { channelId: channel_id, sessionId: id, conversation };
}

/** State of a delivery; a part of an answer that was not sent because the person wrote again is `expired`. */
export type DeliveryStatus = "pending" | "delivered" | "dead" | "expired";

/** Ownership of channels among nodes: the owner alone has the connection, runs the channel's turns and sends the replies. */
export interface ChannelClaims {
  /** Resolves to true when this node owns the channel; an unowned channel becomes its own. */
  claim(channelId: string): Promise<boolean>;
  /** Calls back with each channel this node takes over from an ended or draining node. Returns the unsubscribe function. */
  onClaimed(listener: (channelId: string) => void): () => void;
  /** Calls back with each channel about to move to another node, which waits until its connection has ended. Returns the unsubscribe function. */
  onReleasing(listener: (channelId: string) => Promise<void>): () => void;
}

/** The single entry and exit of messages. */
export interface Gateway {
  /**
   * Stores a message and resolves after the fsync; its turn runs later, in order. Rejects with `rate_limited` or
   * `unavailable`; then it is not stored (or a retry by the platform is a copy).
   */
  accept(message: InboundMessage): Promise<Accepted>;
  /** Stores the press of an element as a message with the item's label. One without effect is not stored, and resolves with its `refusal`. */
  press?(press: InboundPress): Promise<Accepted>;
  /**
   * Accepts consecutive messages of one session in one transaction, all or none. The `dedupeKey` of the first decides
   * for all whether they are copies; either each has a key, or none has.
   */
  acceptTogether(messages: readonly [InboundMessage, ...InboundMessage[]]): Promise<readonly Accepted[]>;
  /** Returns the known reason `accept` would reject the channel's messages now; else undefined. */
  busy(channelId: string): Busy | undefined;
  /** Waits for the outcome of a turn. Rejects with `not_found` for an unknown trace, `timed_out` when `signal` aborts. */
  outcome(traceId: string, signal: AbortSignal): Promise<TurnOutcome>;
  /**
   * Aborts the running turn of a session and waiting turns for other models of the same message (`modelIds`); other
   * waiting turns continue. With `traceId` only that turn, also while it waits.
   */
  stop(
    sessionId: string,
    traceId?: string,
  ): Promise<{ readonly stopped: boolean; readonly trace_ids: readonly string[] }>;
  running(sessionId: string): RunningTurn | undefined;
  /** Returns the count of waiting turns of a session. */
  waiting(sessionId: string): number;
  /** Maximum requests per minute and address to a webhook without a secret, where its channel sets no limit; 0: no limit. */
  readonly addressLimit?: number;
  /** Absent when a single process works for all channels. */
  readonly claims?: ChannelClaims;
  /** Runs a stored task once, like a message: stored, in order, repeated after a crash. Rejects with `not_found` for an unknown task. */
  submit(order: TaskOrder): Promise<Accepted & { readonly runId: string }>;
  /** Records a conversation's new platform id: the session stays the same, and pending sends go to the new id. Idempotent. */
  moved(move: ConversationMove): Promise<void>;
  /** Attaches a channel's connection for sending; dispose the result to detach it. */
  connect(channel: ChannelConfig, link: ChannelLink, mode: IdempotencyMode): AsyncDisposable;
  /**
   * Sends like any reply: split, stored, then delivered in the order of its conversation. Resolves once it is stored. A
   * channel without `supports_file_send` gets a line of text with a file's name. `together` is stored in the same
   * transaction of the main database: if that fails, nothing is sent.
   */
  deliver(
    message: DirectMessage,
    together?: readonly Write[],
  ): Promise<{ readonly traceId: string; readonly deliveryIds: readonly string[] }>;
  /** Waits for the final status of a delivery; `pending` when `signal` aborts first. */
  delivered(deliveryId: string, signal: AbortSignal): Promise<DeliveryStatus>;
  /** Waits for the combined outcome of all sends of a trace; `pending` when `signal` aborts first. Rejects with `not_found`. */
  sendingEnd(traceId: string, signal: AbortSignal): Promise<SendOutcome>;
  /** Resolves when every accepted message is answered and every delivery has a final state or waits for its time. */
  idle(): Promise<void>;
  /** Starts no more turns and waits up to 60 s for running ones; new messages are stored for the next start. */
  settle?(): Promise<void>;
}
export const Gateway: ServiceKey<Gateway> = serviceKey("gateway");
