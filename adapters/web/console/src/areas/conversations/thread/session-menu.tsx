import { ActionIcon, Drawer, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Session } from "@parley/core";
import { useNavigate } from "@tanstack/react-router";
import { parley } from "../../../shared/api/client.ts";
import { useHasScope } from "../../../shared/api/console.ts";
import { FileManager } from "../../../shared/files/file-manager.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { showToast } from "../../../shared/ui/feedback/toasts.tsx";
import { toAddress } from "../../../shared/ui/page/address.ts";
import { RestoreFocus } from "../../../shared/ui/page/restore-focus.tsx";
import { useNavigateIfHere } from "../../../shared/ui/page/use-navigate-if-here.ts";
import { MoveToFolderDialog } from "../list/folders.tsx";
import { ShareDialog } from "../share/share-dialog.tsx";
import { useTexts } from "../texts.ts";
import { VoiceDialog } from "../voice/voice-dialog.tsx";
import { DayDialog } from "./day-dialog.tsx";
import { SessionSettings } from "./session-settings.tsx";

const SESSION_PATH = "/api/sessions/{session_id}";
/** Maximum turns restored at once. */
const TURNS_PER_RESTORE = 100;

interface SessionMenuProps {
  readonly session: Session;
  readonly isDeleted: boolean;
  /** Wraps an action as an event handler that shows its failure and refetches the affected data. */
  readonly runAction: (work: () => Promise<unknown>) => () => Promise<void>;
  readonly rename: () => void;
  /** Scrolls to a day; to the beginning for an empty text. */
  readonly goToDay: (day: string) => void;
}

/** The menu of actions on a whole conversation. */
export function SessionMenu({ session, isDeleted, runAction, rename, goToDay }: SessionMenuProps) {
  const { t } = useTexts();
  const navigateIfHere = useNavigateIfHere();
  const [isShowingFiles, files] = useDisclosure(false);
  const [isSettingVoice, voice] = useDisclosure(false);
  const [isSharing, sharing] = useDisclosure(false);
  const [isSettingUp, setup] = useDisclosure(false);
  const [isChoosingDay, days] = useDisclosure(false);
  const [isMoving, moving] = useDisclosure(false);
  const navigate = useNavigate();
  const canErase = useHasScope("admin");
  const { channel_id, user_id } = session;
  const personKey = canErase && channel_id !== "web" && user_id !== null ? `${channel_id}:user:${user_id}` : undefined;
  const path = { session_id: session.id };
  // A temporary conversation is not listed and leaves nothing behind, so it cannot be pinned, filed, shared or exported.
  const isStored = session.is_temporary !== true;
  const exportUrl = `/api/sessions/${encodeURIComponent(session.id)}/export`;
  const fork = runAction(async () => {
    const { id } = await parley.post(`${SESSION_PATH}/fork`, { path });
    await navigateIfHere({ to: "/sessions/$sessionId", params: { sessionId: id } });
  });
  const archive = runAction(() =>
    session.archived
      ? parley.post(`${SESSION_PATH}/restore`, { path })
      : parley.post(`${SESSION_PATH}/archive`, { path }),
  );
  const pin = runAction(() => parley.put(SESSION_PATH, { path, body: { pinned: !session.pinned } }));
  const summarize = runAction(async () => {
    const { compressed_count } = await parley.post(`${SESSION_PATH}/compress`, { path, body: {} });
    showToast({ text: t("summarized", { count: compressed_count }) });
  });
  const unsummarize = runAction(() =>
    parley.post(`${SESSION_PATH}/restore-from-archive`, { path, body: { turns: TURNS_PER_RESTORE } }),
  );
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t("more")} data-testid="session-menu">
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon name="edit" size={16} />} onClick={rename}>
            {t("rename")}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="fork" size={16} />} onClick={fork} data-testid="fork">
            {t("fork")}
          </Menu.Item>
          {isStored && (
            <Menu.Item leftSection={<Icon name="tag" size={16} />} onClick={pin} data-testid="pin">
              {t(session.pinned ? "unpin" : "pin")}
            </Menu.Item>
          )}
          {isStored && (
            <Menu.Item leftSection={<Icon name="folder" size={16} />} onClick={moving.open} data-testid="to-folder">
              {t("toFolder")}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Icon name="settings" size={16} />} onClick={setup.open} data-testid="session-setup">
            {t("sessionSettings")}
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="sortUp" size={16} />}
            onClick={() => goToDay("")}
            data-testid="to-beginning"
          >
            {t("toBeginning")}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="calendar" size={16} />} onClick={days.open} data-testid="to-day">
            {t("toDay")}
          </Menu.Item>
          {isStored && (
            <Menu.Item leftSection={<Icon name="share" size={16} />} onClick={sharing.open} data-testid="share">
              {t("share")}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Icon name="file" size={16} />} onClick={files.open} data-testid="session-files">
            {t("files")}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="voice" size={16} />} onClick={voice.open} data-testid="voice">
            {t("voice")}
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="book" size={16} />} onClick={summarize} data-testid="summarize">
            {t("summarize")}
          </Menu.Item>
          {session.archived_message_count > 0 && (
            <Menu.Item leftSection={<Icon name="refresh" size={16} />} onClick={unsummarize} data-testid="unsummarize">
              {t("unsummarize", { count: session.archived_message_count })}
            </Menu.Item>
          )}
          {isStored && (
            <Menu.Item leftSection={<Icon name="archive" size={16} />} onClick={archive} data-testid="archive">
              {t(session.archived ? "restore" : "archive")}
            </Menu.Item>
          )}
          {personKey !== undefined && (
            <Menu.Item
              leftSection={<Icon name="people" size={16} />}
              onClick={() => void navigate(toAddress("/people", { person: personKey }))}
              data-testid="person-data"
            >
              {t("personData")}
            </Menu.Item>
          )}
          {isStored && (
            <>
              <Menu.Divider />
              <Menu.Item
                component="a"
                leftSection={<Icon name="file" size={16} />}
                href={`${exportUrl}?download=true`}
                download
              >
                {t("export")}
              </Menu.Item>
              <Menu.Item
                component="a"
                leftSection={<Icon name="file" size={16} />}
                href={`${exportUrl}?format=markdown`}
                download
              >
                {t("exportMarkdown")}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <VoiceDialog session={session} isOpen={isSettingVoice} close={voice.close} />
      {isMoving && (
        <MoveToFolderDialog
          folder={session.folder ?? ""}
          close={moving.close}
          move={(folder) => parley.put(SESSION_PATH, { path, body: { folder } })}
        />
      )}
      {isSettingUp && <SessionSettings session={session} isDeleted={isDeleted} close={setup.close} />}
      {isChoosingDay && <DayDialog close={days.close} goToDay={goToDay} />}
      {isSharing && <ShareDialog sessionId={session.id} close={sharing.close} />}
      <Drawer
        opened={isShowingFiles}
        onClose={files.close}
        title={t("files")}
        position="right"
        size="lg"
        closeButtonProps={{ "aria-label": t("close") }}
      >
        <RestoreFocus />
        <FileManager owner={session.id} />
      </Drawer>
    </>
  );
}
