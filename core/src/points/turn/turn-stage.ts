import Joi from "@hapi/joi";
import type { ToldFailure } from "../../errors.ts";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Attachment, InboundMessage } from "../../message.ts";
import type { Message, Session, ToolCallRecord, Usage } from "../../services/conversations/sessions.ts";
import type { Write, WriteResult } from "../../services/storage/database.ts";
import { TURN_PHASES, type TurnPhase } from "../../turn-phases.ts";
import { functionSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";
import type { Capabilities } from "./channel-adapter.ts";
import type { PromptPlace } from "./prompt-source.ts";

/** One message on its way to its replies. A value: stages return a changed copy. */
export interface Turn {
  readonly traceId: string;
  readonly inbound: InboundMessage;
  /** The conversation; made by the time the first stage runs. */
  readonly session: Session;
  readonly capabilities: Capabilities;
  /** The user's text as it stands now. */
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The stored user message; undefined before `record-user` and for turns without one. */
  readonly userMessage?: Message;
  /** What the model is shown of the conversation, oldest first, the user's message last. */
  readonly history: readonly Message[];
  /** The parts of the prompt, by priority; filled in phase `context`. */
  readonly prompt: readonly PromptPart[];
  /** Empty until somebody answered. A command answers in phase `command`; the model is not asked then. */
  readonly replies: readonly Reply[];
  /** The replies as they are stored; set in phase `record-reply`. */
  readonly recorded?: readonly Message[];
  /** Ids of filter rules that matched, and whether text was removed or the message blocked. */
  readonly filter: { readonly rules: readonly string[]; readonly filtered: boolean; readonly blocked: boolean };
  readonly usage?: Usage;
  /** What changes together with the answer (`withEffects`). */
  readonly effects: readonly Effect[];
  /** What plugins note for their own later stages, JSON by plugin id (`turnData`). */
  readonly data: Readonly<Record<string, unknown>>;
  /** Set when the turn must end: the phases that are left are skipped and nothing more is sent, but for what `told` says. */
  readonly stopped?: {
    readonly by: string;
    readonly reason: "filtered" | "ignored";
    /** For who waits for the answer at the console or an interface. */
    readonly notice?: string;
    /** Sent to the sender of a message that came by a channel and was meant for the bot. */
    readonly told?: string;
  };
}

/**
 * A change of what is stored that belongs to an answer: written in the one transaction that stores the replies, or not at all.
 * A turn that fails, is stopped before text, is blocked, or is run by somebody else meanwhile applies none.
 */
export interface Effect {
  /** On `Databases.main`. Their ids come from the trace id: a turn that runs again brings the same ones. */
  readonly writes: readonly Write[];
  /**
   * True: it stands by itself and may be written before the answer is there, and also without one; writing it twice changes
   * nothing. What the user said is such an effect.
   */
  readonly isEarly?: true;
  /** Called once, after it is on disk, with what each statement gave. Not called when the process ended in between. */
  applied?(results: readonly WriteResult[]): void;
}

/** One message of the answer. */
export interface Reply {
  /** Fixed from the first delta on: what is streamed, stored and delivered carries it. */
  readonly id: string;
  readonly kind: "normal" | "command" | "notice";
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly sender?: string;
  readonly model?: string;
  readonly modelId?: string;
  readonly usage?: Usage;
  readonly thinking?: string;
  readonly toolCalls?: readonly ToolCallRecord[];
  /** Kept with the stored message, beside what the service notes itself. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Rules of the filter changed it. */
  readonly filtered?: boolean;
  /** Set when it is not whole: the user stopped it, its time or its length was over, the model broke off. */
  readonly cut?: "user" | "timeout" | "length" | "error";
  /** Why the model broke off; only with `cut: "error"`. */
  readonly error?: ToldFailure;
}

/** One part of the prompt. */
export interface PromptPart {
  /** `global.safety`, `character.profile`, …: what `disabled_prompt_keys` names. */
  readonly key: string;
  readonly priority: number;
  /** Default `system`. */
  readonly place?: PromptPlace;
  readonly text: string;
  /** True: recalled text. It is wrapped in delimiters and has no authority. */
  readonly isData: boolean;
  /** With `before-user`: before as many of the last messages. Default 1. */
  readonly depth?: number;
  /** With a `depth`: it stands there as something that the AI said. */
  readonly saidBy?: "assistant";
  /** True: it stands in place of the service's general rules; each `GENERAL_RULES` in its text becomes those. */
  readonly replacesGeneralRules?: true;
}

/** What a stage works with besides the turn itself. */
export interface TurnContext {
  /** Aborts on stop, on the turn's time limit and when the turn's lease is lost. */
  readonly signal: AbortSignal;
  /** True: an earlier run of this turn was interrupted, so what stands by itself may be there already. */
  readonly isRepeated: boolean;
  /** Shows what happens to those who watch; held back while a later stage may still change it. */
  emit(event: TurnEvent): void;
  /** Writes a row of the trace. */
  trace(entry: TraceEntry): void;
  /** Stores something with the end of the turn whatever it comes to, such as what a call of a model cost. */
  record(write: Write): void;
  /**
   * Runs a call with a side effect once per turn, also when the turn runs again after a crash:
   * `key` names the call, the recorded result is returned instead of a second run.
   */
  once<Result>(key: string, run: () => Promise<Result>): Promise<Result>;
  /**
   * Asks for something that the turn's own value does not decide: a model, a tool, a command, a file. The answer (plain JSON)
   * is kept with the turn; where the turn is replayed the kept answer is given and `ask` does not run.
   */
  external<Answer>(call: ExternalCall<Answer>): Promise<Answer>;
}

/** One question of a turn to the world. */
export interface ExternalCall<Answer> {
  readonly kind: "model" | "tool" | "command" | "prompt" | "file";
  /** Of the tool, the command; the place of the file. */
  readonly name: string;
  /** Tells questions of one name apart, the same for the same question: a hash of the arguments. Default: "". */
  readonly key?: string;
  ask(): Promise<Answer>;
  /** What may be told of the answer to those who measure: figures and names, never a text. */
  figures?(answer: Answer): Readonly<Record<string, string | number | boolean>>;
}

/** What is shown of an answer while it is made. */
export type TurnEvent =
  /** A reply begins; where it had begun before, what was said of it does not count any more. */
  | { readonly type: "start"; readonly messageId: string; readonly sender: string }
  | { readonly type: "delta"; readonly messageId: string; readonly text: string }
  | { readonly type: "progress"; readonly text: string; readonly level: "info" | "progress" | "warning" | "success" }
  | {
      readonly type: "steps";
      /** Of the reply they lead to. */
      readonly messageId: string;
      /** All of them, each time. */
      readonly steps: readonly ThinkingStep[];
      readonly isComplete: boolean;
    };

/** What the AI does on the way to its answer, one after another. */
export type ThinkingStep =
  | { readonly type: "thinking"; readonly text: string }
  | {
      readonly type: "tool";
      readonly name: string;
      readonly status: "running" | ToolCallRecord["status"];
      readonly duration_ms: number | null;
    };

/** One line of a turn's trace. */
export interface TraceEntry {
  /** What a turn goes through, as its trace shows it. */
  readonly status: string;
  readonly message: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What a plugin does in one phase of every turn: takes the turn and gives it changed. */
export interface TurnStage {
  /** `<plugin>.<what>`. */
  readonly id: string;
  readonly phase: TurnPhase;
  /** Ids of stages of the same phase that run before this one; those that are not there do not matter. Else: the order of loading. */
  readonly after?: readonly string[];
  /** Gives the changed turn. Writes nothing by itself: what it changes are effects of the turn. */
  run(turn: Turn, context: TurnContext): Promise<Turn>;
  /** True when this stage may change or block the replies of this turn: no delta leaves before it ran. */
  guardsStream?(turn: Turn): boolean;
  /** True: it reads or writes the stored conversation. A replay leaves it out: the conversation is as recorded. */
  readonly usesStorage?: true;
  /**
   * Runs once when the turn ended without an answer, in phase order: it failed (`error`), or was stopped or blocked (null).
   * Gives what is stored with its end. What it throws is logged.
   */
  unanswered?(turn: Turn, error: ToldFailure | null): Promise<readonly Effect[]>;
}

/** Types a stage that is written where it is contributed. */
export function stage(row: TurnStage): TurnStage {
  return row;
}

/** The steps of every turn. */
export const TurnStages: ExtensionPoint<TurnStage> = extensionPoint("turn-stages", {
  accept: validateWith(
    Joi.object({
      id: wordSchema.required(),
      phase: Joi.valid(...TURN_PHASES).required(),
      run: functionSchema.required(),
      guardsStream: functionSchema,
      usesStorage: Joi.valid(true),
      failed: functionSchema,
    }).unknown(),
  ),
  unique: { kind: "stage", names: ({ id }) => [id] },
  ends: ["run", "unanswered"],
});
