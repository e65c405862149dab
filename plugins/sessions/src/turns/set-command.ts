import {
  type ChatCommand,
  CONVERSATION_SETTING_KEYS,
  type ConversationSetting,
  type FieldLabel,
  type Language,
  type Localized,
  labelOf,
  OWN_CONVERSATION_SETTINGS,
  resolveConversationSettings,
  type Turn,
  toSchemaError,
} from "@parley/core";
import { updateSession } from "../conversations/session-changes.ts";
import type { SessionDeps } from "../session-deps.ts";
import { sessionsTexts } from "../texts.ts";

/** Words that return a setting to the one of the channel. */
const DEFAULT: ReadonlySet<string> = new Set(["default", "默认"]);
/** Word for an empty value, such as no quiet hours. */
const NONE: ReadonlySet<string> = new Set(["none", "无"]);

/** Creates the command with which administrators read and change the settings of their conversation. */
export function createSetCommand(deps: SessionDeps): ChatCommand {
  return {
    name: "/set",
    usage: { en: "/set [name] [value | default]", zh: "/set [名称] [值 | 默认]" },
    help: { en: "Shows or changes the settings of this conversation", zh: "查看或更改此会话的设置" },
    category: "session",
    adminOnly: true,
    async run(rest, turn): Promise<Localized> {
      const [name = "", ...words] = rest.split(/\s+/);
      if (name === "") return toList(deps, turn);
      const key = CONVERSATION_SETTING_KEYS.find((one) => one === name.toLowerCase());
      if (!key) return sessionsTexts.localized("set_unknown", { name, names: listKeys(turn).join(" · ") });
      if (words.length === 0) return toDescription(deps, turn, key);
      await updateSession(deps, turn.session.id, { [key]: readValue(key, words.join(" ")) }, {});
      const session = await deps.sessions.get(turn.session.id);
      return sessionsTexts.localized("set_done", { name: key, value: toValue(deps, { ...turn, session }, key) });
    },
  };
}

function listKeys({ inbound }: Turn): readonly ConversationSetting[] {
  return CONVERSATION_SETTING_KEYS.filter((key) => inbound.conversation.isGroup || !key.startsWith("group_"));
}

/** Returns the typed value by its schema; null for the one of the channel. Throws `bad_request` for any other. */
function readValue(key: ConversationSetting, text: string): unknown {
  if (DEFAULT.has(text.toLowerCase())) return null;
  const typed = NONE.has(text.toLowerCase()) ? "" : text;
  const { value, error } = OWN_CONVERSATION_SETTINGS[key].label(key).validate(typed);
  if (error) throw toSchemaError(error);
  return value;
}

function toValue({ channels }: SessionDeps, { session, inbound }: Turn, key: ConversationSetting): string {
  const channelType = channels()?.get(inbound.channelId)?.type ?? inbound.channelId;
  const { isGroup } = inbound.conversation;
  const value = resolveConversationSettings(session, { channelType, isGroup })[key];
  return value === "" ? "–" : String(value);
}

function toList(deps: SessionDeps, turn: Turn): Localized {
  const toLines = (language: Language) =>
    listKeys(turn)
      .map((key) => `\n- ${key} = ${toValue(deps, turn, key)} (${readLabel(key).title[language]})`)
      .join("");
  return { en: toText("en", toLines), zh: toText("zh", toLines) };
}

function toText(language: Language, toLines: (language: Language) => string): string {
  return sessionsTexts.localized("set_list", { lines: toLines(language) })[language];
}

function toDescription(deps: SessionDeps, turn: Turn, key: ConversationSetting): Localized {
  const { title, help, options = {} } = readLabel(key);
  const value = toValue(deps, turn, key);
  const describe = (language: Language) => {
    const choices = Object.entries(options).map(([option, text]) => `\n- ${option}: ${text[language]}`);
    return `${key} = ${value}\n${title[language]}: ${help?.[language] ?? ""}${choices.join("")}`;
  };
  return { en: describe("en"), zh: describe("zh") };
}

function readLabel(key: ConversationSetting): FieldLabel {
  const label = labelOf(OWN_CONVERSATION_SETTINGS[key]);
  if (!label) throw new Error(`setting '${key}' has no label`);
  return label;
}
