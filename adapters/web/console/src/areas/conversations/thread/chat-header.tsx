import { ActionIcon, Badge, Group, Text, TextInput, Title } from "@mantine/core";
import type { Session } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { parley } from "../../../shared/api/client.ts";
import { useHasScope } from "../../../shared/api/console.ts";
import { refetch } from "../../../shared/live/refetch.ts";
import textCss from "../../../shared/styles/text.module.css";
import { Failure, formatError } from "../../../shared/ui/common.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import { PlatformMark } from "../../../shared/ui/element/tile.tsx";
import { ConfirmButton } from "../../../shared/ui/feedback/confirm.tsx";
import { showToast } from "../../../shared/ui/feedback/toasts.tsx";
import { usePageTitle } from "../../../shared/ui/page/use-page-title.ts";
import { useSessionName } from "../../../shared/ui/text/use-session-name.ts";
import { useTexts } from "../texts.ts";
import type { ChannelTarget } from "./channel-target.ts";
import chatCss from "./chat.module.css";
import { scheduleDeletion } from "./pending-deletion.ts";
import { SessionMenu } from "./session-menu.tsx";
import { CastLine, type Speaker, SpeakerLine } from "./speaker.tsx";
import { TakeOver } from "./take-over.tsx";
import { TemporaryBar } from "./temporary.tsx";

const SESSION_PATH = "/api/sessions/{session_id}";

interface HeaderProps {
  readonly session: Session;
  readonly isDeleted: boolean;
  readonly target: ChannelTarget | undefined;
  readonly speaker: Speaker | undefined;
  /** Id of the last reply; a new reply may change the mood. */
  readonly replyId: string | undefined;
  readonly search: () => void;
  /** Scrolls to a day; to the beginning for an empty text. */
  readonly goToDay: (day: string) => void;
  readonly focusComposer: () => void;
}

export function ChatHeader({
  session,
  isDeleted,
  target,
  speaker,
  replyId,
  search,
  goToDay,
  focusComposer,
}: HeaderProps) {
  const { t } = useTexts();
  const name = useSessionName()(session);
  usePageTitle(name);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isRenaming, setRenaming] = useState(false);
  const [error, setError] = useState<unknown>();
  const path = { session_id: session.id };
  const refetchSessions = () => refetch(queries, ["session"]);
  const runAction = (work: () => Promise<unknown>) => async () => {
    try {
      setError(undefined);
      await work();
      await refetchSessions();
    } catch (thrown) {
      setError(thrown);
    }
  };
  const update = (body: Partial<Pick<Session, "name" | "favorite" | "is_temporary">>) =>
    runAction(() => parley.put(SESSION_PATH, { path, body }))();
  const rename = async (name: string) => {
    setRenaming(false);
    if (name && name !== session.name) await update({ name });
  };
  const remove = async () => {
    scheduleDeletion({
      ids: [session.id],
      text: t("sessionDeleted", { name }),
      onUndone: () => void navigate({ to: "/sessions/$sessionId", params: { sessionId: session.id } }),
      onError: (thrown) => showToast({ text: formatError(thrown, t), isBad: true }),
      onEnded: refetchSessions,
    });
    await navigate({ to: "/" });
  };
  const canChange = useHasScope("chat");
  const isShared = (session.character_ids?.length ?? 0) > 1;
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
              {(speaker || target) && (
                <div className={chatCss.underName}>
                  {isShared ? (
                    <CastLine session={session} />
                  ) : (
                    speaker && <SpeakerLine speaker={speaker} replyId={replyId} />
                  )}
                  {target && <ChannelTargetLine target={target} session={session} focusComposer={focusComposer} />}
                </div>
              )}
            </div>
          )}
        </Group>
        <Group gap={2} wrap="nowrap">
          <IconButton icon="search" label={t("searchInConversation")} testId="open-search-within" onClick={search} />
          {canChange && !session.is_temporary && (
            <IconButton
              icon="star"
              label={t(session.favorite ? "unfavorite" : "favorite")}
              isPressed={session.favorite}
              isFilled={session.favorite}
              color={session.favorite ? "yellow" : "gray"}
              testId="favorite"
              onClick={() => void update({ favorite: !session.favorite })}
            />
          )}
          {canChange && (
            <SessionMenu
              session={session}
              isDeleted={isDeleted}
              runAction={runAction}
              rename={() => setRenaming(true)}
              goToDay={goToDay}
            />
          )}
          <ConfirmButton
            label={t("remove")}
            what={session.name}
            text={t("deleteSessionHint")}
            icon="trash"
            run={remove}
          />
        </Group>
      </Group>
      {session.is_temporary && <TemporaryBar keep={() => void update({ is_temporary: false })} />}
      <Failure error={error} />
    </>
  );
}

interface ChannelTargetLineProps {
  readonly target: ChannelTarget;
  readonly session: Session;
  readonly focusComposer: () => void;
}

function ChannelTargetLine({
  target: { channel, platform, isGroup, chatId, name },
  session,
  focusComposer,
}: ChannelTargetLineProps) {
  const { t } = useTexts();
  return (
    <Group gap={6} wrap="nowrap" miw={0} data-testid="channel-target">
      <PlatformMark type={platform} size="sm" />
      <Text size="xs" fw={650} className={textCss.oneLine} title={`${channel} · ${t("chatId")}: ${chatId}`}>
        {channel}
      </Text>
      <Text size="xs" c="dimmed" className={textCss.oneLine} title={`${t("chatId")}: ${chatId}`} visibleFrom="sm">
        {`${t(isGroup ? "group" : "directChat")} · ${chatId}`}
      </Text>
      <TakeOver session={session} name={name} focusComposer={focusComposer} />
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
