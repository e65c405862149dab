import { AppError, type ChatCommand, derivedId, type Turn, type TurnContext, type TurnStage } from "@parley/core";

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
  if (command.adminOnly && !turn.inbound.sender.isAdmin) return `${command.name} is for administrators only`;
  const ask = async () => {
    try {
      const text: unknown = await command.run(rest, turn, context);
      if (typeof text === "string") return text;
      throw new Error("it answered no text");
    } catch (cause) {
      if (AppError.is(cause)) return cause.message;
      if (context.signal.aborted) throw cause;
      throw new Error(`command '${command.name}' failed: ${String((cause as Error)?.message ?? cause)}`, { cause });
    }
  };
  return context.external({ kind: "command", name: command.name, ask });
}
