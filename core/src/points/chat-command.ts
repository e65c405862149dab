import { type ExtensionPoint, extensionPoint } from "../extension-point.ts";
import type { Turn, TurnContext } from "./turn-stage.ts";

/** A command people type as a message. Matched by its whole first word, the longest name first. */
export interface ChatCommand {
  /** With the slash: `/msg_filter`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One line: `/msg_filter add <keyword> [type] [action] [target]`. */
  readonly usage: string;
  readonly help: string;
  readonly category: string;
  readonly adminOnly: boolean;
  /** Overtakes the queue of its session; only for commands that do not touch the history. */
  readonly isImmediate?: boolean;
  /** The answer, as text. `rest` is what follows the command word, trimmed. An `AppError` becomes its message. */
  run(rest: string, turn: Turn, context: TurnContext): Promise<string>;
}

/** What people can type. */
export const ChatCommands: ExtensionPoint<ChatCommand> = extensionPoint("chat-commands");
