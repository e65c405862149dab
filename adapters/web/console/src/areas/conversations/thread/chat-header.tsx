import { ActionIcon, Badge, Group, Text, TextInput, Title } from "@mantine/core";
import type { Session } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { parley } from "../../../shared/api/client.ts";
import { useMay } from "../../../shared/api/console.ts";
import { refetch } from "../../../shared/live/refetch.ts";
import textCss from "../../../shared/styles/text.module.css";
import { Failure, formatError } from "../../../shared/ui/common.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import { PlatformMark } from "../../../shared/ui/element/tile.tsx";
import { ConfirmButton } from "../../../shared/ui/feedback/confirm.tsx";
import { toast } from "../../../shared/ui/feedback/toasts.tsx";
import { usePageTitle } from "../../../shared/ui/page/use-page-title.ts";
import { useSessionName } from "../../../shared/ui/text/use-session-name.ts";
import { useTexts } from "../texts.ts";
import type { ChannelTarget } from "./channel-target.ts";
import chatCss from "./chat.module.css";
import { scheduleDeletion } from "./pending-deletion.ts";
import { SessionMenu } from "./session-menu.tsx";
import { type Speaker, SpeakerLine } from "./speaker.tsx";
import { TakeOver } from "./take-over.tsx";
import { TemporaryBar } from "./temporary.tsx";

const SESSION_PATH = "/api/sessions/{session_id}";

interface ChatHeaderProps {
  readonly session: Session;
  /** True when the conversation was deleted. */
  readonly isGone: boolean;
  readonly place: ChannelTarget | undefined;
  readonly speaker: Speaker | undefined;
  /** Id of the last reply; a new one may come with another mood. */
  readonly lastReply: string | undefined;
  /** Opens the search in the conversation. */
  readonly search: () => void;
  /** Scrolls to a day, or to the beginning. */
  readonly goTo: (day: string) => void;
  /** Puts the cursor where one writes. */
  readonly write: () => void;
}

export function ChatHeader({ session, isGone, place, speaker, lastReply, search, goTo, write }: ChatHeaderProps) {
  const { t } = useTexts();
  const name = useSessionName()(session);
  usePageTitle(name);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isRenaming, setRenaming] = useState(false);
  const [error, setError] = useState<unknown>();
  const path = { session_id: session.id };
  const fresh = () => refetch(queries, ["session"]);
  const runAction = (work: () => Promise<unknown>) => async () => {
    try {
      setError(undefined);
      await work();
      await fresh();
    } catch (thrown) {
      setError(thrown);
    }
  };
  const change = (body: Partial<Pick<Session, "name" | "favorite" | "is_temporary">>) =>
    runAction(() => parley.put(SESSION_PATH, { path, body }))();
  const rename = async (name: string) => {
    setRenaming(false);
    if (name && name !== session.name) await change({ name });
  };
  const remove = async () => {
    scheduleDeletion({
      ids: [session.id],
      text: t("sessionDeleted", { name }),
      onUndone: () => void navigate({ to: "/sessions/$sessionId", params: { sessionId: session.id } }),
      onError: (failure) => toast({ text: formatError(failure, t), isBad: true }),
      onEnded: fresh,
    });
    await navigate({ to: "/" });
  };
  const mayChange = useMay("chat");
  return (
    <>
      <Group className={chatCss.bar} wrap="nowrap" justify="space-between" gap="xs">
        <Group gap={4} wrap="nowrap" style={{ minWidth: 0, flex: 1 }}>
          <ActionIcon component={Link} to="/" variant="subtle" color="gray" hiddenFrom="sm" aria-label={t("back")}>
            <Icon name="back" />
          </ActionIcon>
          {isRenaming ? (
            <NameField name={session.name} onDone={rename} cancel={() => setRenaming(false)} />
          ) : (
            <div style={{ minWidth: 0 }}>
              <Group gap={6} wrap="nowrap">
                <Title order={1} size="h4" className={textCss.oneLine} title={name} dir="auto">
                  {name}
                </Title>
                {session.is_public && (
                  <Badge size="xs" variant="light" flex="none" data-testid="is-public">
                    {t("public")}
                  </Badge>
                )}
              </Group>
              {(speaker || place) && (
                <div className={chatCss.underName}>
                  {speaker && <SpeakerLine speaker={speaker} lastReply={lastReply} />}
                  {place && <ChannelTargetLine place={place} session={session} write={write} />}
                </div>
              )}
            </div>
          )}
        </Group>
        <Group gap={2} wrap="nowrap">
          <IconButton icon="search" label={t("searchWithin")} testId="open-search-within" onClick={search} />
          {mayChange && !session.is_temporary && (
            <IconButton
              icon="star"
              label={t(session.favorite ? "unfavorite" : "favorite")}
              isPressed={session.favorite}
              isFilled={session.favorite}
              color={session.favorite ? "yellow" : "gray"}
              testId="favorite"
              onClick={() => void change({ favorite: !session.favorite })}
            />
          )}
          {mayChange && (
            <SessionMenu
              session={session}
              isGone={isGone}
              runAction={runAction}
              rename={() => setRenaming(true)}
              goTo={goTo}
            />
          )}
          <ConfirmButton label={t("remove")} what={session.name} text={t("removeSession")} icon="trash" run={remove} />
        </Group>
      </Group>
      {session.is_temporary && <TemporaryBar keep={() => void change({ is_temporary: false })} />}
      <Failure error={error} />
    </>
  );
}

interface ChannelTargetLineProps {
  readonly place: ChannelTarget;
  readonly session: Session;
  readonly write: () => void;
}

function ChannelTargetLine({
  place: { channel, platform, isGroup, chatId, name },
  session,
  write,
}: ChannelTargetLineProps) {
  const { t } = useTexts();
  return (
    <Group gap={6} wrap="nowrap" miw={0} data-testid="place">
      <PlatformMark type={platform} size="sm" />
      <Text size="xs" fw={650} className={textCss.oneLine} title={`${channel} · ${t("chatId")}: ${chatId}`}>
        {channel}
      </Text>
      <Text size="xs" c="dimmed" className={textCss.oneLine} title={`${t("chatId")}: ${chatId}`} visibleFrom="sm">
        {`${t(isGroup ? "group" : "privateTalk")} · ${chatId}`}
      </Text>
      <TakeOver session={session} name={name} write={write} />
    </Group>
  );
}

interface NameFieldProps {
  readonly name: string;
  readonly onDone: (name: string) => Promise<void>;
  readonly cancel: () => void;
}

/** Edits the name: Enter saves it, Escape cancels. */
function NameField({ name, onDone, cancel }: NameFieldProps) {
  const { t } = useTexts();
  const [text, setText] = useState(name);
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    void onDone(text.trim());
  };
  return (
    <form onSubmit={submit} style={{ flex: 1 }}>
      <TextInput
        autoFocus
        size="xs"
        aria-label={t("name")}
        value={text}
        maxLength={100}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key }) => key === "Escape" && cancel()}
      />
    </form>
  );
}
