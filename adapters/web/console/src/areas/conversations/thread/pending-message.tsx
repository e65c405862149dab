import { Button, Text } from "@mantine/core";
import type { PendingMessage } from "../../../shared/live/conversation.ts";
import { AttachmentView } from "../message/attachment.tsx";
import messageCss from "../message/message.module.css";
import { useTexts } from "../texts.ts";

interface PendingMessageItemProps {
  readonly pending: PendingMessage;
  /** True while its turn runs. */
  readonly isRunning: boolean;
  readonly onRetry: (tempId: string) => void;
  readonly dismiss: (tempId: string) => void;
  readonly onWithdraw: (tempId: string) => void;
}

/** A message that is not in the history yet: sending, waiting, or rejected with a reason. */
export function PendingMessageItem({ pending, isRunning, onRetry, dismiss, onWithdraw }: PendingMessageItemProps) {
  const { t } = useTexts();
  const { tempId, content, attachments, state, rejection } = pending;
  const hasEnded = state === "rejected" || state === "stopped";
  return (
    <div
      className={`${messageCss.message} ${messageCss.arrives}`}
      data-role="user"
      data-testid="pending"
      data-state={state}
    >
      {content !== "" && (
        <div className={`${messageCss.bubble} ${messageCss.waiting}`} dir="auto">
          {content}
        </div>
      )}
      {attachments.map((attachment) => (
        <AttachmentView key={attachment.url} attachment={attachment} />
      ))}
      {hasEnded ? (
        <div className={messageCss.row} role="alert">
          <Text size="xs" c="red">
            {state === "stopped" ? t("stoppedBefore") : `${t("refused")}: ${rejection?.error ?? ""}`}
          </Text>
          <Button size="compact-xs" variant="subtle" onClick={() => onRetry(tempId)}>
            {t("sendAgain")}
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => dismiss(tempId)}>
            {t("discard")}
          </Button>
        </div>
      ) : (
        <div className={messageCss.row}>
          {t(state === "sent" ? "queued" : "waiting")}
          {state === "sent" && !isRunning && (
            <Button size="compact-xs" variant="subtle" onClick={() => onWithdraw(tempId)} data-testid="withdraw">
              {t("withdraw")}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
