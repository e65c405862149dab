import { Badge } from "@mantine/core";
import type { Message, Session } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { characters } from "../../../shared/api/characters.ts";
import { parley } from "../../../shared/api/client.ts";
import { formatMood } from "../../../shared/i18n/moods.ts";
import textCss from "../../../shared/styles/text.module.css";
import { Portrait } from "../../../shared/ui/element/portrait.tsx";
import messageCss from "../message/message.module.css";
import { useTexts } from "../texts.ts";
import { toCast } from "./session-characters.tsx";

/** The character that speaks in a conversation. */
export interface Speaker {
  readonly characterId: string;
  readonly sessionId: string;
  readonly name: string;
  readonly picture: string;
}

type SpeakerSource = Pick<Session, "id" | "character_id" | "sender_name" | "sender_avatar" | "sender_portrait">;

/** Returns the speaking character; the same object until its name or picture changes. */
export function useSpeaker(session: SpeakerSource | undefined): Speaker | undefined {
  const { id = "", character_id: characterId = null, sender_name: name = "" } = session ?? {};
  const picture = session?.sender_avatar || session?.sender_portrait || "";
  return useMemo(
    () => (characterId === null ? undefined : { characterId, sessionId: id, name, picture }),
    [characterId, id, name, picture],
  );
}

/** Returns the character that wrote an answer, where several share the conversation; else the speaking one. */
export function useMessageSpeaker(
  speaker: Speaker | undefined,
  { character_id, sender, role }: Pick<Message, "character_id" | "sender" | "role">,
): Speaker | undefined {
  const isOther = role === "assistant" && character_id !== null && character_id !== speaker?.characterId;
  const { data } = useQuery({
    queryKey: ["character", "all"],
    queryFn: characters.listAll,
    enabled: isOther,
    staleTime: 60_000,
  });
  if (!isOther || !speaker) return speaker;
  const picture = data?.find(({ id }) => id === character_id)?.avatar ?? "";
  return { ...speaker, characterId: character_id, name: sender, picture };
}

/** The characters that are present in a conversation of several; the others are named in its hint. */
export function CastLine({ session }: { readonly session: Session }) {
  const { t } = useTexts();
  const { character_ids, absent } = toCast(session);
  const { data = [] } = useQuery({ queryKey: ["character", "all"], queryFn: characters.listAll, staleTime: 60_000 });
  const cast = character_ids.flatMap((id) => data.find((one) => one.id === id) ?? []);
  const present = cast.filter(({ id }) => !absent.includes(id));
  const names = present.map(({ name }) => name).join(", ");
  const missing = cast.filter((one) => !present.includes(one)).map(({ name }) => name);
  const hint = missing.length === 0 ? names : t("castHint", { names, missing: missing.join(", ") });
  return (
    <span className={messageCss.speaker} title={hint} data-testid="cast">
      {present.map(({ id, name, avatar }) => (
        <Portrait key={id} name={name} url={avatar} kind="face" />
      ))}
      <span className={textCss.oneLine}>{names}</span>
    </span>
  );
}

/** The speaker and their mood. */
export function SpeakerLine({ speaker, replyId }: { readonly speaker: Speaker; readonly replyId: string | undefined }) {
  const { t } = useTexts();
  const { characterId, sessionId, name, picture } = speaker;
  const { data } = useQuery({
    // Each reply may change the mood.
    queryKey: ["character_state", characterId, sessionId, replyId],
    queryFn: () =>
      parley.get("/api/characters/{character_id}/state", {
        path: { character_id: characterId },
        query: { session_id: sessionId },
      }),
    placeholderData: (before) => before,
  });
  return (
    <span className={messageCss.speaker} data-testid="speaker">
      <Portrait name={name} url={picture} kind="face" />
      <Link
        to="/characters/$characterId"
        params={{ characterId }}
        className={`${textCss.inlineLink} ${textCss.oneLine}`}
      >
        {name}
      </Link>
      {data && (
        <Badge size="sm" variant="light" title={t("moodNow")} data-testid="speaker-mood">
          {formatMood(data.mood)}
        </Badge>
      )}
    </span>
  );
}
