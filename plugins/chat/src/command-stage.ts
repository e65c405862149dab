import {
  AppError,
  type ChatCommand,
  derivedId,
  inLanguage,
  type Localized,
  languageOf,
  saidOf,
  type Turn,
  type TurnContext,
  type TurnStage,
} from "@parley/core";

/** Runs a message that is a known command; an unknown word is ordinary text and goes to the model. */
export function commandStage(commands: () => readonly ChatCommand[]): TurnStage {
  return {
    id: "chat.commands",
    phase: "command",
    async run(turn, context) {
      if (turn.inbound.kind !== "message" || turn.replies.length > 0) return turn;
      const found = findCommand(turn.text, commands());
      if (!found) return turn;
      const text = await answerOf(found, turn, context);
      const id = derivedId("msg", turn.traceId, "reply");
      return { ...turn, replies: [{ id, kind: "command", text, attachments: [] }] };
    },
  };
}

interface FoundCommand {
  readonly command: ChatCommand;
  readonly rest: string;
}

/** The command a text begins with: whole words, the longest name first. */
export function findCommand(text: string, commands: readonly ChatCommand[]): FoundCommand | undefined {
  const said = text.trim();
  if (!said.startsWith("/")) return undefined;
  const names = commands.flatMap((command) =>
    [command.name, ...(command.aliases ?? [])].map((name) => ({ name, command })),
  );
  const found = names
    .toSorted((a, b) => b.name.length - a.name.length)
    .find(({ name }) => said === name || (said.startsWith(name) && /^\s/.test(said.slice(name.length))));
  return found && { command: found.command, rest: said.slice(found.name.length).trim() };
}

async function answerOf({ command, rest }: FoundCommand, turn: Turn, context: TurnContext): Promise<string> {
  const { name, adminOnly } = command;
  const language = languageOf(turn.inbound);
  if (adminOnly && !turn.inbound.sender.isAdmin) {
    return inLanguage({ en: `${name} is for administrators only`, zh: `${name} 仅限管理员使用` }, language);
  }
  const ask = async () => {
    try {
      const said: unknown = await command.run(rest, turn, context);
      const text = isText(said) ? inLanguage(said, language) : undefined;
      if (typeof text === "string") return text;
      throw new Error("it answered no text");
    } catch (cause) {
      if (AppError.is(cause)) return inLanguage(saidOf(cause), language);
      if (context.signal.aborted) throw cause;
      throw new Error(`command '${name}' failed: ${String((cause as Error)?.message ?? cause)}`, { cause });
    }
  };
  return context.external({ kind: "command", name, ask });
}

// What a stranger's command gives need not be what its type says.
function isText(said: unknown): said is string | Localized {
  return typeof said === "string" || (typeof said === "object" && said !== null);
}
