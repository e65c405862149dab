import {
  type ChatCommand,
  type Gateway,
  inLanguage,
  type Localized,
  type Models,
  mayRunCommand,
  type OfferedElements,
  type Sessions,
  senderLanguage,
  type Turn,
} from "@parley/core";
import { chatTexts } from "../texts.ts";

const GENERAL_COMMAND = { category: "general", adminOnly: false } as const;
const SESSION_COMMAND = { category: "session", adminOnly: false } as const;
const HELP = "/help";
/** Limits of elements below a message. */
const MAX_ELEMENTS = 5;
const PER_ELEMENT = 8;
const MAX_LABEL = 40;
const IDLE = { en: "Nothing is running.", zh: "当前没有正在进行的回复。" };

export function createHelpCommand(commands: () => readonly ChatCommand[]): ChatCommand {
  return {
    ...GENERAL_COMMAND,
    name: HELP,
    aliases: ["/帮助"],
    usage: { en: "/help [command]", zh: "/help [命令]" },
    help: { en: "Lists the commands you can use", zh: "显示可用的命令" },
    run: async (rest, { inbound }) => toHelpText(listVisible(commands(), inbound), rest, senderLanguage(inbound)),
    elements: (rest, { inbound }) =>
      rest === "" && inbound.channelId !== "web" ? createMenu(listVisible(commands(), inbound)) : undefined,
  };
}

/** Returns the buttons below the list of commands; each stands for its command as a message. Undefined for none. */
function createMenu(commands: readonly ChatCommand[]): OfferedElements | undefined {
  const labels = commands.map(({ name }) => name).filter((name) => name !== HELP && name.length <= MAX_LABEL);
  const elements = Array.from({ length: Math.min(Math.ceil(labels.length / PER_ELEMENT), MAX_ELEMENTS) }, (_, at) => {
    const items = labels
      .slice(at * PER_ELEMENT, (at + 1) * PER_ELEMENT)
      .map((label, index) => ({ id: `command-${index}`, label }));
    return { type: "buttons", id: `commands-${at}`, items } as const;
  });
  // The list says more about each command than numbered lines would.
  return elements.length === 0 ? undefined : { elements, press: { isNumbered: false } };
}

/** Creates the command that begins anew: in the console with another conversation, on channels, which have one for each chat, by archiving its messages. */
export function createNewCommand(sessions: Pick<Sessions, "create" | "archiveMessages">): ChatCommand {
  return {
    ...SESSION_COMMAND,
    isGroupAdminOnly: true,
    name: "/new",
    usage: { en: "/new [name]", zh: "/new [名称]" },
    help: { en: "Begins a new conversation with the same character", zh: "用同一角色开始新会话" },
    async run(rest, { session }) {
      if (session.type !== "web") {
        await sessions.archiveMessages(session.id);
        return { en: "We begin anew. What was said before is archived.", zh: "已重新开始，之前的对话已归档。" };
      }
      const name = rest.slice(0, 100);
      const made = await sessions.create({ character_id: session.character_id, ...(name && { name }) });
      return chatTexts.localized("command_new", { name: made.name, id: made.id });
    },
  };
}

/** Creates the stop command. `gateway` is resolved late, because it needs the stages of this plugin. */
export function createStopCommand(gateway: () => Pick<Gateway, "running" | "stop">): ChatCommand {
  return {
    ...SESSION_COMMAND,
    name: "/stop",
    usage: "/stop",
    help: { en: "Stops the answer in progress", zh: "停止正在生成的回复" },
    isImmediate: true,
    async run(_, { session, traceId, capabilities }) {
      if (!capabilities.supports_stop) {
        return { en: "this channel does not support stopping", zh: "此渠道不支持停止回复" };
      }
      // Only another turn is stopped: this one has to answer.
      const running = gateway().running(session.id)?.traceId;
      if (!running || running === traceId) return IDLE;
      const { stopped } = await gateway().stop(session.id, running);
      return stopped ? { en: "Stopped.", zh: "已停止。" } : IDLE;
    },
  };
}

export function createModelCommand(sessions: Pick<Sessions, "get" | "useModel">, models: Models): ChatCommand {
  return {
    ...SESSION_COMMAND,
    name: "/model",
    usage: { en: "/model [name | default]", zh: "/model [名称 | default]" },
    help: { en: "Lists the models, or chooses the one used here", zh: "显示模型，或选择此处使用的模型" },
    adminOnly: true,
    run: (rest, { session }) => chooseModel(rest, session.id, sessions, models),
  };
}

function listVisible(commands: readonly ChatCommand[], inbound: Turn["inbound"]): readonly ChatCommand[] {
  return commands.filter((command) => mayRunCommand(command, inbound)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function toHelpText(commands: readonly ChatCommand[], commandName: string, language: string): string | Localized {
  const formatLine = ({ usage, help }: ChatCommand) => `${inLanguage(usage, language)} – ${inLanguage(help, language)}`;
  if (commandName === "") return commands.map(formatLine).join("\n");
  const name = commandName.startsWith("/") ? commandName : `/${commandName}`;
  const command = commands.find((one) => one.name === name || one.aliases?.includes(name));
  if (!command) return chatTexts.localized("command_unknown", { name });
  const description = `${inLanguage(command.usage, language)}\n${inLanguage(command.help, language)}`;
  if (!command.aliases?.length) return description;
  return chatTexts.localized("command_aliases", { description, aliases: command.aliases.join(", ") });
}

async function chooseModel(
  modelName: string,
  sessionId: string,
  sessions: Pick<Sessions, "get" | "useModel">,
  models: Models,
): Promise<Localized> {
  if (modelName === "") {
    const { model_id } = await sessions.get(sessionId);
    const { label } = await models.choose("chat", model_id);
    const rows = (await models.listEnabled("chat")).map(({ name, model }) => `\n- ${name} (${model})`).join("");
    return chatTexts.localized("command_models", { model: label, others: rows });
  }
  if (modelName === "default") {
    await sessions.useModel(sessionId, null);
    return chatTexts.localized("command_model_default");
  }
  const found = await models.find(modelName);
  if (found?.purpose !== "chat") return chatTexts.localized("command_model_unknown", { name: modelName });
  await sessions.useModel(sessionId, found.id);
  return chatTexts.localized("command_model_set", { name: found.name });
}
