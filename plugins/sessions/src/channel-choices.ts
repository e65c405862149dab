import type { Channels, Characters, Session } from "@parley/core";

export interface ChannelChoiceParts {
  readonly channels: () => Pick<Channels, "get"> | undefined;
  readonly characters: () => Pick<Characters, "faces"> | undefined;
}

/** Conversations that nobody leads. */
const OWN_WORK: ReadonlySet<Session["type"]> = new Set(["workflow", "task", "heartbeat"]);

/**
 * The session with what it has not chosen itself as its channel says: its model and its character. A character that is gone
 * is nobody; of models that are gone nothing is known here, and the next one in the order answers.
 */
export async function withChannelChoices(session: Session, parts: ChannelChoiceParts): Promise<Session> {
  if (OWN_WORK.has(session.type)) return session;
  const config = parts.channels()?.get(session.channel_id)?.config ?? {};
  const model = session.model_id === null ? idIn(config.model_id) : undefined;
  const isFree = session.character_id === null && session.session_mode === "character";
  const character = isFree ? await knownIn(config.character_id, parts) : undefined;
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

/** The session with what it has chosen itself only. */
export function withoutChannelChoices(session: Session): Session {
  const { from_channel: taken = [], ...own } = session;
  return { ...own, ...Object.fromEntries(taken.map((field) => [field, null])) };
}

async function knownIn(value: unknown, { characters }: ChannelChoiceParts): Promise<string | undefined> {
  const id = idIn(value);
  return id !== undefined && (await characters()?.faces([id]))?.has(id) ? id : undefined;
}

function idIn(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
