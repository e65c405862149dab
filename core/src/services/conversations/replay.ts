import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Attachment, InboundMessage } from "../../message.ts";
import type { Capabilities } from "../../points/turn/channel-adapter.ts";
import type { Message, Session } from "./sessions.ts";

/** Result of a turn by phase, for comparison. */
export interface TurnResult {
  /** The user's text after phase `screen`. */
  readonly screen: {
    readonly text: string;
    readonly filtered: boolean;
    readonly blocked: boolean;
    readonly rules: readonly string[];
  };
  readonly prompt: readonly { readonly key: string; readonly text: string }[];
  /** The replies after phase `screen-reply`, and after `decorate`. */
  readonly screenReply: readonly ReplyResult[];
  readonly decorate: readonly ReplyResult[];
  /** Deliveries to the platform, part by part; empty for the console, which reads the stored messages. */
  readonly deliveries: readonly DeliveryResult[];
  readonly error: { readonly code: string; readonly error: string } | null;
}

/** A reply in the form in which two runs of a turn are compared. */
export interface ReplyResult {
  readonly kind: string;
  readonly sender: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** A message that would have been sent. */
export interface DeliveryResult {
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** All external inputs and the result of a turn: enough to replay it without a network. Plain JSON, masked. */
export interface TurnRecord {
  readonly version: 1;
  readonly traceId: string;
  readonly inbound: InboundMessage;
  readonly capabilities: Capabilities;
  readonly session: Session;
  /** null when none was stored. */
  readonly userMessage: Message | null;
  /** Messages before the user's message. */
  readonly history: readonly Message[];
  /** Recorded answers in call order. */
  readonly answers: readonly ExternalAnswer[];
  readonly result: TurnResult;
}

/** Recorded answer of one `TurnContext.external` or `once` call. */
export interface ExternalAnswer {
  /** `model chat 1`, `tool roll_dice 3f2a…`. */
  readonly call: string;
  readonly answer?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Result of a turn that was run again without a network. */
export interface Replayed {
  readonly result: TurnResult;
  /** External calls that the recorded turn did not make; with one of them the result is meaningless. */
  readonly unanswered: readonly string[];
  /** Notes of the stages that explain a difference. */
  readonly notes: readonly string[];
}

/** Replay of recorded turns. Works on plugins that are registered and not started, and while the service runs; it only reads. */
export interface Replay {
  /** Reads a recorded turn. Rejects with `not_found` for an unknown trace, `unavailable` with the reason when it cannot be replayed. */
  read(traceId: string): Promise<TurnRecord>;
  /** Runs the stages again, except those that use the stored conversation; calls no external system, stores and sends nothing. */
  run(record: TurnRecord): Promise<Replayed>;
}
export const Replay: ServiceKey<Replay> = serviceKey("replay");
