import Joi from "@hapi/joi";
import type { MessageElement, PressRules } from "../../elements/elements.ts";
import type { TraceMessage } from "../../error-texts.ts";
import type { LocalizedError } from "../../errors.ts";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Attachment, InboundMessage } from "../../message.ts";
import type { Message, Session, ToolCallRecord, Usage } from "../../services/conversations/sessions.ts";
import type { Spender } from "../../services/models/budgets.ts";
import type { Write, WriteResult } from "../../services/storage/database.ts";
import { TURN_PHASES, type TurnPhase } from "../../turn-phases.ts";
import type { UnansweredReason } from "../../unanswered-reasons.ts";
import { functionSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";
import type { Capabilities } from "./channel-adapter.ts";
import type { PromptPart } from "./prompt-part.ts";

/** One message on its way to its replies. A value: stages return a changed copy. */
export interface Turn {
  readonly traceId: string;
  readonly inbound: InboundMessage;
  /** The conversation; it exists when the first stage runs. Where several characters share it, as the one that answers speaks. */
  readonly session: Session;
  /** Character that answers, where several share the conversation; set in phase `record-user`. */
  readonly speakerId?: string;
  readonly capabilities: Capabilities;
  /** The user's text in its current form. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The stored user message; undefined before `record-user` and for turns without one. */
  readonly userMessage?: Message;
  /** History shown to the model, oldest first, ending with the user's message. */
  readonly history: readonly Message[];
  /** The parts of the prompt, by priority; filled in phase `context`. */
  readonly prompt: readonly PromptPart[];
  /** Replies; empty until the turn is answered. A command answers in phase `command`, and the model is not called then. */
  readonly replies: readonly Reply[];
  /** The replies as they are stored; set in phase `record-reply`. */
  readonly recorded?: readonly Message[];
  /** Ids of filter rules that matched, and whether text was removed or the message blocked. */
  readonly filter: { readonly rules: readonly string[]; readonly filtered: boolean; readonly blocked: boolean };
  readonly usage?: Usage;
  /** Effects written together with the answer (`withEffects`). */
  readonly effects: readonly Effect[];
  /** Plain JSON by plugin id that plugins store for their own later stages (`turnData`). */
  readonly data: Readonly<Record<string, unknown>>;
  /** Reason why the turn has no answer; set for `TurnStage.unanswered`. */
  readonly unansweredReason?: UnansweredReason;
  /** Trace id of the later message whose answer this one shares; set for `TurnStage.unanswered`. */
  readonly answeredWith?: string;
  /** Set when the turn must end: the remaining phases are skipped and nothing more is sent except the `told` notice. */
  readonly stopped?: {
    readonly by: string;
    readonly reason: "filtered" | "ignored";
    /** Reason shown to people and stored with the message. Absent: filtered, or failed to answer. */
    readonly unanswered?: UnansweredReason;
    /** Notice to a caller that waits at the console or API. */
    readonly notice?: string;
    /** Notice that is sent to the author of a channel message addressed to the bot. */
    readonly told?: string;
  };
}

/**
 * A storage change that belongs to an answer: written in the one transaction that stores the replies, or not at all.
 * A turn that fails, is stopped before any text, is blocked, or is run by another worker meanwhile applies none.
 */
export interface Effect {
  /** Writes on `Databases.main`. Ids derive from the trace id, so that a repeated turn writes the same ones. */
  readonly writes: readonly Write[];
  /**
   * True when the effect is independent of the reply, so it may be committed early or without one; writing it twice
   * must change nothing. The user's message is such an effect.
   */
  readonly isEarly?: true;
  /** Called once after the commit, with the result of each statement. Not called when the process ended in between. */
  applied?(results: readonly WriteResult[]): void;
}

/** One message of the answer. */
export interface Reply {
  /** Message id, fixed from the first delta on; stream, storage and delivery use it. */
  readonly id: string;
  readonly kind: "normal" | "command" | "notice";
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** Buttons, lists and cards below the text, and the rules for their presses. */
  readonly elements?: readonly MessageElement[];
  readonly press?: PressRules;
  readonly sender?: string;
  readonly model?: string;
  readonly modelId?: string;
  readonly usage?: Usage;
  readonly thinking?: string;
  readonly toolCalls?: readonly ToolCallRecord[];
  /** Metadata stored with the message, next to the service's own. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** True when filter rules changed the reply. */
  readonly filtered?: boolean;
  /** Set when the reply is incomplete: stopped by the user, over its time or length, or interrupted by the model. */
  readonly cut?: "user" | "timeout" | "length" | "error";
  /** Error at which the model broke off; only with `cut: "error"`. */
  readonly error?: LocalizedError;
  /** True when it is sent as one message, whatever the conversation's `reply_style`. */
  readonly isWhole?: boolean;
}

/** Services for a stage besides the turn itself. */
export interface TurnContext {
  /** Aborts on stop, on the turn's time limit and when the turn's lease is lost. */
  readonly signal: AbortSignal;
  /** The person and credential that the turn's model calls are counted for. */
  readonly spender?: Spender;
  /** True when an earlier run of this turn was interrupted, so that its early effects may already be stored. */
  readonly isRepeated: boolean;
  /** Emits an event to live viewers; buffered while a later stage may still change it. */
  emit(event: TurnEvent): void;
  trace(entry: TraceEntry): void;
  /** Adds a write to the end of the turn, whatever its outcome, such as the cost of a model call. */
  record(write: Write): void;
  /**
   * Runs a call with a side effect once per turn, also when the turn runs again after a crash:
   * `key` names the call, the recorded result is returned instead of a second run.
   */
  once<Result>(key: string, run: () => Promise<Result>): Promise<Result>;
  /**
   * Calls something outside the turn: a model, a tool, a command, a file. The answer (plain JSON) is stored with the
   * turn; a replay returns the stored answer and does not run `ask`.
   */
  external<Answer>(call: ExternalCall<Answer>): Promise<Answer>;
  /** Decides in place of `concerns` whether a stage or prompt source takes part; undefined leaves it to `concerns`. Set in a replay. */
  isRecorded?(part: TurnPart): boolean | undefined;
}

/** A stage or prompt source, as far as it says which turns concern it. */
export interface TurnPart {
  readonly id: string;
  readonly isExternal?: true;
  concerns?(turn: Turn): boolean;
}

/** A call of a turn to something outside of it. */
export interface ExternalCall<Answer> {
  readonly kind: "model" | "tool" | "command" | "prompt" | "file";
  /** Name of the tool or command, or path of the file. */
  readonly name: string;
  /** Distinguishes calls of one name, equal for equal calls: a hash of the arguments. Default: "". */
  readonly key?: string;
  ask(): Promise<Answer>;
  /** Returns numbers and names of the answer for telemetry; never a text. */
  figures?(answer: Answer): Readonly<Record<string, string | number | boolean>>;
}

/** Live events of an answer in progress. */
export type TurnEvent =
  /** A reply begins; an earlier start of the same reply and its deltas are void. */
  | { readonly type: "start"; readonly messageId: string; readonly sender: string }
  | { readonly type: "delta"; readonly messageId: string; readonly text: string }
  | { readonly type: "progress"; readonly text: string; readonly level: "info" | "progress" | "warning" | "success" }
  | {
      readonly type: "steps";
      /** Id of the reply that the steps lead to. */
      readonly messageId: string;
      /** All steps so far, complete in each event. */
      readonly steps: readonly ThinkingStep[];
      readonly isComplete: boolean;
    };

/** One step of the AI on the way to its answer. */
export type ThinkingStep =
  | { readonly type: "thinking"; readonly text: string }
  | {
      readonly type: "tool";
      readonly name: string;
      readonly status: "running" | ToolCallRecord["status"];
      readonly duration_ms: number | null;
    };

/** One line of a turn's trace. */
export interface TraceEntry extends TraceMessage {
  /** Step of the turn, as its trace shows it. */
  readonly status: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A plugin's step in one phase of every turn: receives the turn and returns it changed. */
export interface TurnStage {
  /** `<plugin>.<what>`. */
  readonly id: string;
  readonly phase: TurnPhase;
  /** Ids of stages of the same phase that run before this one; missing ones are ignored. Otherwise the order of loading applies. */
  readonly after?: readonly string[];
  /**
   * Returns false when the stage has nothing to do in this turn; `run` is then not called. Decides from the turn and from
   * facts in memory. Absent: the stage runs in every turn.
   */
  concerns?(turn: Turn): boolean;
  /** Returns the changed turn. Writes nothing itself; changes to storage are effects of the turn. */
  run(turn: Turn, context: TurnContext): Promise<Turn>;
  /** True when this stage may change or block the replies of this turn: no delta leaves before it ran. */
  guardsStream?(turn: Turn): boolean;
  /** True when it reads or writes the stored conversation. A replay skips it, because the conversation is as recorded. */
  readonly usesStorage?: true;
  /** True when all it adds comes from one `external` call of kind `prompt` named by its id. A replay runs it if that call was recorded. */
  readonly isExternal?: true;
  /**
   * Runs once when the turn ended without an answer, in phase order: after an error (`error`), or when stopped,
   * blocked or not answered for another reason (null); `unansweredReason` of the turn is set. Returns effects stored with its end. Errors are logged.
   */
  unanswered?(turn: Turn, error: LocalizedError | null): Promise<readonly Effect[]>;
}

/** Types a stage where it is contributed. */
export function stage(row: TurnStage): TurnStage {
  return row;
}

/** Steps of every turn. */
export const TurnStages: ExtensionPoint<TurnStage> = extensionPoint("turn-stages", {
  accept: validateWith(
    Joi.object({
      id: wordSchema.required(),
      phase: Joi.valid(...TURN_PHASES).required(),
      run: functionSchema.required(),
      concerns: functionSchema,
      guardsStream: functionSchema,
      usesStorage: Joi.valid(true),
      isExternal: Joi.valid(true),
      unanswered: functionSchema,
    }).unknown(),
  ),
  unique: { kind: "stage", names: ({ id }) => [id] },
  ends: ["run", "unanswered"],
});
