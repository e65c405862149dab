import {
  AppError,
  type ChatCommand,
  derivedId,
  inLanguage,
  type Localized,
  mayRunCommand,
  senderLanguage,
  type Turn,
  type TurnContext,
  type TurnStage,
  toLocalized,
} from "@parley/core";
import { chatTexts } from "../texts.ts";

/** Runs a message that is a known command; an unknown word is ordinary text and goes to the model. */
export function createCommandStage(commands: () => readonly ChatCommand[]): TurnStage {
  return {
    id: "chat.commands",
    phase: "command",
    concerns: ({ inbound, replies, text }) =>
      inbound.kind === "message" && replies.length === 0 && text.trimStart().startsWith("/"),
    async run(turn, context) {
      const found = findCommand(turn.text, commands());
      if (!found) return turn;
      const text = await runCommand(found, turn, context);
      const id = derivedId("msg", turn.traceId, "reply");
      const { command, rest } = found;
      const offered = mayRunCommand(command, turn.inbound) ? command.elements?.(rest, turn) : undefined;
      return { ...turn, replies: [{ id, kind: "command", text, attachments: [], ...offered }] };
    },
  };
}

interface FoundCommand {
  readonly command: ChatCommand;
  readonly rest: string;
}

/** Returns the command with which a text begins: whole words, the longest name first. */
export function findCommand(text: string, commands: readonly ChatCommand[]): FoundCommand | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith("/")) return undefined;
  const names = commands.flatMap((command) =>
    [command.name, ...(command.aliases ?? [])].map((name) => ({ name, command })),
  );
  const found = names
    .toSorted((a, b) => b.name.length - a.name.length)
    .find(({ name }) => trimmed === name || (trimmed.startsWith(name) && /^\s/.test(trimmed.slice(name.length))));
  return found && { command: found.command, rest: trimmed.slice(found.name.length).trim() };
}

async function runCommand({ command, rest }: FoundCommand, turn: Turn, context: TurnContext): Promise<string> {
  const { name } = command;
  const language = senderLanguage(turn.inbound);
  if (!mayRunCommand(command, turn.inbound)) {
    return inLanguage(chatTexts.localized("command_admin", { name }), language);
  }
  const ask = async () => {
    try {
      const output: unknown = await command.run(rest, turn, context);
      const text = isText(output) ? inLanguage(output, language) : undefined;
      if (typeof text === "string") return text;
      throw new Error("it answered no text");
    } catch (cause) {
      if (AppError.is(cause)) return inLanguage(toLocalized(cause), language);
      if (context.signal.aborted) throw cause;
      throw new Error(`command '${name}' failed: ${String((cause as Error)?.message ?? cause)}`, { cause });
    }
  };
  return context.external({ kind: "command", name, ask });
}

// A third-party command may return a value of another type.
function isText(value: unknown): value is string | Localized {
  return typeof value === "string" || (typeof value === "object" && value !== null);
}
