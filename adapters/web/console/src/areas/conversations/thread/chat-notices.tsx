import { Button, Group, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { parley } from "../../../shared/api/client.ts";
import { useHasScope } from "../../../shared/api/console.ts";
import { Failure, useAction } from "../../../shared/ui/common.tsx";
import { moveDraft, NEW_DRAFT } from "../composer/use-draft.ts";
import { useTexts } from "../texts.ts";

interface ChatNoticeProps {
  readonly sessionId: string;
}

/** Replaces the composer while a conversation is archived. */
export function ArchivedNotice({ sessionId }: ChatNoticeProps) {
  const { t } = useTexts();
  const canWrite = useHasScope("write");
  const { toHandler, isBusy, error } = useAction([["session"]]);
  const restore = toHandler(() =>
    parley.post("/api/sessions/{session_id}/restore", { path: { session_id: sessionId } }),
  );
  return (
    <>
      <Group p="md" gap="sm" justify="center">
        <Text c="dimmed" size="sm">
          {t("archivedHint")}
        </Text>
        {canWrite && (
          <Button size="compact-sm" variant="light" loading={isBusy} onClick={() => void restore()}>
            {t("restore")}
          </Button>
        )}
      </Group>
      <Failure error={error} />
    </>
  );
}

/** Replaces the composer when the conversation does not exist any more; its button moves the draft to a new one. */
export function DeletedNotice({ sessionId }: ChatNoticeProps) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const continueInNewSession = async () => {
    await moveDraft(sessionId, NEW_DRAFT);
    await navigate({ to: "/" });
  };
  return (
    <Group p="md" gap="sm" justify="center" role="alert">
      <Text c="dimmed" size="sm">
        {t("deletedHint")}
      </Text>
      <Button size="compact-sm" variant="light" onClick={() => void continueInNewSession()}>
        {t("continueInNew")}
      </Button>
    </Group>
  );
}
