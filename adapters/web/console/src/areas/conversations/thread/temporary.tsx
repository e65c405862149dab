import { Badge, Button, Group, Text } from "@mantine/core";
import type { Session } from "@parley/core";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { deleteOnLeave } from "../../../shared/api/client.ts";
import { formatError } from "../../../shared/ui/common.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import { showToast } from "../../../shared/ui/feedback/toasts.tsx";
import { deleteAttachments } from "../composer/use-attachments.ts";
import { deleteDraft } from "../composer/use-draft.ts";
import { useTexts } from "../texts.ts";
import chatCss from "./chat.module.css";
import { isPendingDeletion, SESSION_PATH, scheduleDeletion } from "./pending-deletion.ts";

/** Toggles whether the new conversation is temporary. */
export function TemporarySwitch({ isOn, toggle }: { readonly isOn: boolean; readonly toggle: () => void }) {
  const { t } = useTexts();
  return (
    <>
      <div style={{ flex: 1 }} />
      <IconButton
        icon="ghost"
        size="lg"
        label={t("temporaryChat")}
        isPressed={isOn}
        color={isOn ? "parley" : "gray"}
        testId="temporary"
        onClick={toggle}
      />
    </>
  );
}

export function TemporaryHint() {
  const { t } = useTexts();
  return (
    <Text size="sm" c="dimmed" role="status" mb="md" data-testid="temporary-hint">
      {t("temporaryHint")}
    </Text>
  );
}

/** A notice that the conversation is temporary, with a button to keep it. */
export function TemporaryBar({ keep }: { readonly keep: () => void }) {
  const { t } = useTexts();
  return (
    <Group className={chatCss.temporary} gap="xs" wrap="nowrap" data-testid="temporary-bar">
      <Badge variant="light" color="gray" flex="none" leftSection={<Icon name="ghost" size={12} />}>
        {t("temporary")}
      </Badge>
      <Text size="xs" c="dimmed" style={{ flex: 1, minWidth: 0 }}>
        {t("temporaryHint")}
      </Text>
      <Button size="compact-xs" variant="light" flex="none" onClick={keep} data-testid="keep-session">
        {t("keepSession")}
      </Button>
    </Group>
  );
}

/** Deletes a temporary conversation and its draft when the user leaves it; ten seconds to undo. */
export function useDeleteOnLeave(session: Session | undefined): void {
  const { t } = useTexts();
  const navigate = useNavigate();
  const id = session?.is_temporary ? session.id : undefined;
  const leave = (sessionId: string) => {
    deleteDraft(sessionId);
    deleteAttachments(sessionId);
    if (isPendingDeletion(sessionId)) return;
    scheduleDeletion({
      ids: [sessionId],
      text: t("temporaryDeleted"),
      onUndone: () => void navigate({ to: "/sessions/$sessionId", params: { sessionId } }),
      onError: (thrown) => showToast({ text: formatError(thrown, t), isBad: true }),
      onEnded: () => {},
    });
  };
  const latest = useRef({ id, leave });
  latest.current = { id, leave };
  useEffect(() => {
    const onPageHide = ({ persisted }: PageTransitionEvent) => {
      const { id: sessionId } = latest.current;
      // A page in the back-forward cache may return; the service deletes the conversation within an hour otherwise.
      if (sessionId === undefined || persisted) return;
      deleteDraft(sessionId);
      deleteAttachments(sessionId);
      deleteOnLeave(SESSION_PATH, { session_id: sessionId });
    };
    addEventListener("pagehide", onPageHide);
    return () => {
      removeEventListener("pagehide", onPageHide);
      const { id: sessionId, leave: leaveSession } = latest.current;
      if (sessionId !== undefined) leaveSession(sessionId);
    };
  }, []);
}
