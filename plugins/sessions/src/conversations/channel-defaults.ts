import {
  type Channels,
  type Characters,
  CONVERSATION_SETTING_KEYS,
  type ConversationSetting,
  type OwnConversationSettings,
  type Session,
} from "@parley/core";

export interface ChannelDefaultsDeps {
  readonly channels: () => Pick<Channels, "get"> | undefined;
  readonly characters: () => Pick<Characters, "faces"> | undefined;
}

/** Values that every channel has without anybody having set them. */
const FILLED_IN: OwnConversationSettings = { group_trigger: "mention" };

/** Types of automated conversations. */
const AUTOMATION_TYPES: ReadonlySet<Session["type"]> = new Set(["workflow", "task", "heartbeat"]);

/**
 * Sets what the session leaves to its channel: model, character, and the settings that the channel sets. A deleted
 * character is ignored; a deleted model is not checked here, because the next model answers then.
 */
export async function applyChannelDefaults(session: Session, deps: ChannelDefaultsDeps): Promise<Session> {
  if (AUTOMATION_TYPES.has(session.type)) return session;
  const config = deps.channels()?.get(session.channel_id)?.config ?? {};
  const model = session.model_id === null ? readId(config.model_id) : undefined;
  const canInheritCharacter = session.character_id === null && session.session_mode === "character";
  const character = canInheritCharacter ? await findKnownCharacterId(config.character_id, deps) : undefined;
  const inherited: Partial<Session> = {
    ...(model !== undefined && { model_id: model }),
    ...(character !== undefined && { character_id: character, character_ids: [character] }),
    ...findChannelSettings(session, config),
  };
  const fields = Object.keys(inherited).filter((key) => key !== "character_ids") as NonNullable<
    Session["from_channel"]
  >;
  return fields.length === 0 ? session : { ...session, ...inherited, from_channel: fields };
}

/** Returns the settings that the channel sets and the session does not. */
function findChannelSettings(session: Session, config: Readonly<Record<string, unknown>>): OwnConversationSettings {
  const isInherited = (key: ConversationSetting) =>
    (session[key] ?? null) === null && config[key] !== undefined && config[key] !== FILLED_IN[key];
  return Object.fromEntries(CONVERSATION_SETTING_KEYS.filter(isInherited).map((key) => [key, config[key]]));
}

/** Returns the session without the values that came from its channel. */
export function stripChannelDefaults(session: Session): Session {
  const { from_channel: inheritedFields = [], ...own } = session;
  const cleared = Object.fromEntries(inheritedFields.map((field) => [field, null]));
  return { ...own, ...cleared, ...(inheritedFields.includes("character_id") && { character_ids: [] }) };
}

async function findKnownCharacterId(value: unknown, { characters }: ChannelDefaultsDeps): Promise<string | undefined> {
  const id = readId(value);
  return id !== undefined && (await characters()?.faces([id]))?.has(id) ? id : undefined;
}

function readId(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
