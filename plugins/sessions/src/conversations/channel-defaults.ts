import type { Channels, Characters, Session } from "@parley/core";

export interface ChannelDefaultsDeps {
  readonly channels: () => Pick<Channels, "get"> | undefined;
  readonly characters: () => Pick<Characters, "faces"> | undefined;
}

/** Types of automated conversations. */
const AUTOMATION_TYPES: ReadonlySet<Session["type"]> = new Set(["workflow", "task", "heartbeat"]);

/**
 * Sets model and character from the channel in a session without its own. A deleted character is ignored; a deleted
 * model is not checked here, because the next model answers then.
 */
export async function applyChannelDefaults(session: Session, deps: ChannelDefaultsDeps): Promise<Session> {
  if (AUTOMATION_TYPES.has(session.type)) return session;
  const config = deps.channels()?.get(session.channel_id)?.config ?? {};
  const model = session.model_id === null ? readId(config.model_id) : undefined;
  const canInheritCharacter = session.character_id === null && session.session_mode === "character";
  const character = canInheritCharacter ? await findKnownCharacterId(config.character_id, deps) : undefined;
  if (model === undefined && character === undefined) return session;
  return {
    ...session,
    ...(model !== undefined && { model_id: model }),
    ...(character !== undefined && { character_id: character }),
    from_channel: [
      ...(model === undefined ? [] : (["model_id"] as const)),
      ...(character === undefined ? [] : (["character_id"] as const)),
    ],
  };
}

/** Returns the session without the values that came from its channel. */
export function stripChannelDefaults(session: Session): Session {
  const { from_channel: inheritedFields = [], ...own } = session;
  return { ...own, ...Object.fromEntries(inheritedFields.map((field) => [field, null])) };
}

async function findKnownCharacterId(value: unknown, { characters }: ChannelDefaultsDeps): Promise<string | undefined> {
  const id = readId(value);
  return id !== undefined && (await characters()?.faces([id]))?.has(id) ? id : undefined;
}

function readId(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
