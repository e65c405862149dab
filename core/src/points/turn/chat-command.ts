import Joi from "@hapi/joi";
import type { MessageElement, PressRules } from "../../elements/elements.ts";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";
import { functionSchema, validateWith } from "../../validation/joi-schemas.ts";
import { localizedSchema } from "../../validation/localized-schema.ts";
import type { Turn, TurnContext } from "./turn-stage.ts";

/** Categories in the list of commands, by the key that a command names. */
export const COMMAND_CATEGORIES = {
  general: { en: "General", zh: "常用" },
  session: { en: "Conversation", zh: "会话" },
  memory: { en: "Memory", zh: "记忆" },
  play: { en: "Fun", zh: "娱乐" },
  admin: { en: "Administration", zh: "管理" },
} as const satisfies Readonly<Record<string, Localized>>;
/** Category of a command in the list of commands. */
export type CommandCategory = keyof typeof COMMAND_CATEGORIES;

/** Elements below a text, and the rules for their presses. */
export interface OfferedElements {
  readonly elements: readonly MessageElement[];
  readonly press?: PressRules;
}

/** A command that people type as a message; recognised by its whole first word. */
export interface ChatCommand {
  /** Name with the slash: `/msg_filter`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Usage in one line: `/msg_filter add <keyword> [type] [action] [target]`; a plain string is shown in every language. */
  readonly usage: string | Localized;
  /** Description in one sentence; a plain string is shown in every language. */
  readonly help: string | Localized;
  /** A key of `COMMAND_CATEGORIES`; another one is reported by `parley check`. */
  readonly category: CommandCategory | (string & {});
  readonly adminOnly: boolean;
  /** True lets only administrators run it in groups; in private everyone may. */
  readonly isGroupAdminOnly?: boolean;
  /** True lets the command overtake the queue of its session; only for commands that do not touch the history. */
  readonly isImmediate?: boolean;
  /**
   * Runs the command and returns its answer; a localized one is sent in the sender's language (`senderLanguage`). `rest`
   * is the text after the command word, trimmed. An `AppError` becomes its message.
   */
  run(rest: string, turn: Turn, context: TurnContext): Promise<string | Localized>;
  /** Returns the buttons, lists and cards below the answer; undefined for none. */
  elements?(rest: string, turn: Turn): OfferedElements | undefined;
}

/** True when the sender may run the command in this conversation. */
export function mayRunCommand(
  { adminOnly, isGroupAdminOnly = false }: Pick<ChatCommand, "adminOnly" | "isGroupAdminOnly">,
  { sender, conversation }: Pick<Turn["inbound"], "sender" | "conversation">,
): boolean {
  return sender.isAdmin || !(adminOnly || (isGroupAdminOnly && conversation.isGroup));
}

const commandName = Joi.string().pattern(/^\/\S+$/, "a slash and a word");

const localized = localizedSchema;

/** Commands that people can type in a chat. */
export const ChatCommands: ExtensionPoint<ChatCommand> = extensionPoint("chat-commands", {
  accept: validateWith(
    Joi.object({
      name: commandName.required(),
      aliases: Joi.array().items(commandName),
      usage: Joi.alternatives(Joi.string(), localized).required(),
      help: Joi.alternatives(Joi.string().allow(""), localized).required(),
      category: Joi.string().allow("").required(),
      adminOnly: Joi.boolean().required(),
      isGroupAdminOnly: Joi.boolean(),
      isImmediate: Joi.boolean(),
      elements: functionSchema,
      run: functionSchema.required(),
    }).unknown(),
  ),
  unique: { kind: "command", names: ({ name, aliases = [] }) => [name, ...aliases] },
  ends: ["run"],
});
