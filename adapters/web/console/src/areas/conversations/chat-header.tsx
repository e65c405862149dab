import { ActionIcon, Badge, Drawer, Group, Menu, Text, TextInput, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Session } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { parley } from "../../shared/api/client.ts";
import { FileManager } from "../../shared/files/file-manager.tsx";
import { Failure } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { IconButton } from "../../shared/ui/icon-button.tsx";
import type { ChannelPlace } from "./channel-place.ts";
import { DayDialog } from "./day-dialog.tsx";
import { SessionSetup } from "./session-setup.tsx";
import { ShareDialog } from "./share-dialog.tsx";
import { type Speaker, SpeakerLine } from "./speaker.tsx";
import { useTexts } from "./texts.ts";
import { VoiceDialog } from "./voice-dialog.tsx";

const ONE = "/api/sessions/{session_id}";

interface ChatHeaderProps {
  readonly session: Session;
  readonly place: ChannelPlace | undefined;
  readonly speaker: Speaker | undefined;
  /** Of the conversation; another one may come in another mood. */
  readonly lastReply: string | undefined;
  /** Opens the search in the conversation. */
  readonly search: () => void;
  /** Scrolls to a day, or to the beginning. */
  readonly goTo: (day: string) => void;
}

export function ChatHeader({ session, place, speaker, lastReply, search, goTo }: ChatHeaderProps) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isShowingFiles, files] = useDisclosure(false);
  const [isSettingVoice, voice] = useDisclosure(false);
  const [isSharing, sharing] = useDisclosure(false);
  const [isSettingUp, setup] = useDisclosure(false);
  const [isChoosingDay, days] = useDisclosure(false);
  const [isRenaming, setRenaming] = useState(false);
  const [error, setError] = useState<unknown>();
  const path = { session_id: session.id };
  const exported = `/api/sessions/${encodeURIComponent(session.id)}/export`;
  const fresh = () => queries.invalidateQueries({ queryKey: ["session"] });
  const tried = (work: () => Promise<unknown>) => async () => {
    try {
      setError(undefined);
      await work();
      await fresh();
    } catch (thrown) {
      setError(thrown);
    }
  };
  const change = (body: Partial<Pick<Session, "name" | "favorite" | "pinned" | "model_id">>) =>
    tried(() => parley.put(ONE, { path, body }))();
  const rename = async (name: string) => {
    setRenaming(false);
    if (name && name !== session.name) await change({ name });
  };
  const fork = tried(async () => {
    const { id } = await parley.post(`${ONE}/fork`, { path });
    await navigate({ to: "/sessions/$sessionId", params: { sessionId: id } });
  });
  const keep = tried(() =>
    session.archived ? parley.post(`${ONE}/restore`, { path }) : parley.post(`${ONE}/archive`, { path }),
  );
  const remove = async () => {
    await parley.delete(ONE, { path });
    await navigate({ to: "/" });
    queries.removeQueries({ queryKey: ["session", "one", session.id] });
    await fresh();
  };
  return (
    <>
      <Group className="bar" wrap="nowrap" justify="space-between" gap="xs">
        <Group gap={4} wrap="nowrap" style={{ minWidth: 0, flex: 1 }}>
          <ActionIcon component={Link} to="/" variant="subtle" color="gray" hiddenFrom="sm" aria-label={t("back")}>
            <Icon name="back" />
          </ActionIcon>
          {isRenaming ? (
            <NameField name={session.name} done={rename} cancel={() => setRenaming(false)} />
          ) : (
            <div style={{ minWidth: 0 }}>
              <Group gap={6} wrap="nowrap">
                <Title order={1} size="h5" className="one-line" title={session.name}>
                  {session.name}
                </Title>
                {session.is_public && (
                  <Badge size="xs" variant="light" flex="none" data-testid="is-public">
                    {t("public")}
                  </Badge>
                )}
              </Group>
              {speaker && <SpeakerLine speaker={speaker} lastReply={lastReply} />}
              {place && <PlaceLine place={place} />}
            </div>
          )}
        </Group>
        <Group gap={2} wrap="nowrap">
          <IconButton icon="search" label={t("searchWithin")} testId="open-search-within" onClick={search} />
          <IconButton
            icon="star"
            label={t(session.favorite ? "unfavorite" : "favorite")}
            isPressed={session.favorite}
            isFilled={session.favorite}
            color={session.favorite ? "yellow" : "gray"}
            testId="favorite"
            onClick={() => void change({ favorite: !session.favorite })}
          />
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={t("more")}>
                <Icon name="more" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={() => setRenaming(true)}>
                {t("rename")}
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="fork" size={16} />} onClick={fork} data-testid="fork">
                {t("fork")}
              </Menu.Item>
              <Menu.Item
                leftSection={<Icon name="tag" size={16} />}
                onClick={() => void change({ pinned: !session.pinned })}
                data-testid="pin"
              >
                {t(session.pinned ? "unpin" : "pin")}
              </Menu.Item>
              <Menu.Item
                leftSection={<Icon name="settings" size={16} />}
                onClick={setup.open}
                data-testid="session-setup"
              >
                {t("setup")}
              </Menu.Item>
              <Menu.Item
                leftSection={<Icon name="sortUp" size={16} />}
                onClick={() => goTo("")}
                data-testid="to-beginning"
              >
                {t("toBeginning")}
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="calendar" size={16} />} onClick={days.open} data-testid="to-day">
                {t("toDay")}
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="share" size={16} />} onClick={sharing.open} data-testid="share">
                {t("share")}
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="file" size={16} />} onClick={files.open} data-testid="session-files">
                {t("files")}
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="voice" size={16} />} onClick={voice.open} data-testid="voice">
                {t("voice")}
              </Menu.Item>
              <Menu.Item leftSection={<Icon name="archive" size={16} />} onClick={keep} data-testid="archive">
                {t(session.archived ? "restore" : "archive")}
              </Menu.Item>
              <Menu.Divider />
              <Menu.Item
                component="a"
                leftSection={<Icon name="file" size={16} />}
                href={`${exported}?download=true`}
                download
              >
                {t("export")}
              </Menu.Item>
              <Menu.Item
                component="a"
                leftSection={<Icon name="file" size={16} />}
                href={`${exported}?format=markdown`}
                download
              >
                {t("exportMarkdown")}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <ConfirmButton label={t("remove")} what={session.name} text={t("removeSession")} icon="trash" run={remove} />
        </Group>
      </Group>
      <Failure error={error} />
      <VoiceDialog session={session} isOpen={isSettingVoice} close={voice.close} />
      {isSettingUp && <SessionSetup session={session} close={setup.close} />}
      {isChoosingDay && <DayDialog close={days.close} goTo={goTo} />}
      {isSharing && <ShareDialog sessionId={session.id} close={sharing.close} />}
      <Drawer
        opened={isShowingFiles}
        onClose={files.close}
        title={t("files")}
        position="right"
        size="lg"
        closeButtonProps={{ "aria-label": t("close") }}
      >
        <FileManager place={session.id} />
      </Drawer>
    </>
  );
}

function PlaceLine({ place: { channel, isGroup, chatId } }: { readonly place: ChannelPlace }) {
  const { t } = useTexts();
  return (
    <Group gap={6} wrap="nowrap" data-testid="place">
      <Badge
        size="sm"
        variant="light"
        color="orange"
        c="var(--mantine-color-text)"
        leftSection={<Icon name="channel" size={11} />}
      >
        {channel}
      </Badge>
      <Text size="xs" c="dimmed" className="one-line" title={`${t("chatId")}: ${chatId}`}>
        {`${t(isGroup ? "group" : "privateTalk")} · ${chatId}`}
      </Text>
    </Group>
  );
}

interface NameFieldProps {
  readonly name: string;
  readonly done: (name: string) => Promise<void>;
  readonly cancel: () => void;
}

/** Enter keeps the new name, Escape the old one. */
function NameField({ name, done, cancel }: NameFieldProps) {
  const { t } = useTexts();
  const [text, setText] = useState(name);
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    void done(text.trim());
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
