import { AppError, type ChatCommand, type Gateway, type Models, type Sessions } from "@parley/core";

const general = { category: "general", adminOnly: false } as const;
const ofSession = { category: "session", adminOnly: false } as const;

export function helpCommand(commands: () => readonly ChatCommand[]): ChatCommand {
  return {
    ...general,
    name: "/help",
    usage: "/help [command]",
    help: "Shows what you can type",
    run: async (rest, { inbound }) => helpText(visible(commands(), inbound.sender.isAdmin), rest),
  };
}

export function newCommand(sessions: Pick<Sessions, "create">): ChatCommand {
  return {
    ...ofSession,
    name: "/new",
    usage: "/new [name]",
    help: "Begins a new session with the same character",
    async run(rest, { session }) {
      if (session.type !== "web") {
        throw new AppError("conflict", "this channel keeps one session for each conversation");
      }
      const name = rest.slice(0, 100);
      const made = await sessions.create({ character_id: session.character_id, ...(name && { name }) });
      return `New session: ${made.name} (${made.id})`;
    },
  };
}

/** `gateway` is asked late: it needs the stages of this plugin before it exists. */
export function stopCommand(gateway: () => Pick<Gateway, "running" | "stop">): ChatCommand {
  return {
    ...ofSession,
    name: "/stop",
    usage: "/stop",
    help: "Stops the answer that is being written",
    isImmediate: true,
    async run(_, { session, traceId, capabilities }) {
      if (!capabilities.supports_stop) throw new AppError("conflict", "this channel does not support stopping");
      // Only another turn is stopped: this one has to answer.
      const running = gateway().running(session.id)?.traceId;
      if (!running || running === traceId) return "Nothing is running.";
      const { stopped } = await gateway().stop(session.id, running);
      return stopped ? "Stopped." : "Nothing is running.";
    },
  };
}

export function modelCommand(sessions: Pick<Sessions, "get" | "useModel">, models: Models): ChatCommand {
  return {
    ...ofSession,
    name: "/model",
    usage: "/model [name | default]",
    help: "Shows the models, or chooses the one that answers here",
    adminOnly: true,
    run: (rest, { session }) => chooseModel(rest, session.id, sessions, models),
  };
}

function visible(commands: readonly ChatCommand[], isAdmin: boolean): readonly ChatCommand[] {
  return commands.filter(({ adminOnly }) => isAdmin || !adminOnly).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function helpText(commands: readonly ChatCommand[], asked: string): string {
  if (asked === "") return commands.map(({ usage, help }) => `${usage} – ${help}`).join("\n");
  const name = asked.startsWith("/") ? asked : `/${asked}`;
  const command = commands.find((one) => one.name === name || one.aliases?.includes(name));
  if (!command) throw new AppError("not_found", `there is no command ${name}`);
  const aliases = command.aliases?.length ? `\nAlso: ${command.aliases.join(", ")}` : "";
  return `${command.usage}\n${command.help}${aliases}`;
}

async function chooseModel(
  asked: string,
  sessionId: string,
  sessions: Pick<Sessions, "get" | "useModel">,
  models: Models,
): Promise<string> {
  if (asked === "") {
    const { model_id } = await sessions.get(sessionId);
    const inForce = await models.choose("chat", model_id);
    const rows = (await models.listEnabled("chat")).map(({ name, model }) => `- ${name} (${model})`);
    return [`In use: ${inForce.label}`, ...rows].join("\n");
  }
  if (asked === "default") {
    await sessions.useModel(sessionId, null);
    return "The default model answers here.";
  }
  const found = await models.find(asked);
  if (found?.purpose !== "chat") throw new AppError("not_found", `there is no chat model '${asked}'`);
  await sessions.useModel(sessionId, found.id);
  return `${found.name} answers here.`;
}
