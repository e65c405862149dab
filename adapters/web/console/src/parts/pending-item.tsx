import { Button, Text } from "@mantine/core";
import { useTexts } from "../i18n.ts";
import type { Pending } from "../live/conversation.ts";
import { Attached } from "./attached.tsx";

interface PendingItemProps {
  readonly pending: Pending;
  readonly again: (tempId: string) => void;
  readonly dismiss: (tempId: string) => void;
}

/** Something said that is not part of the history yet: on its way, or refused with a reason. */
export function PendingItem({ pending, again, dismiss }: PendingItemProps) {
  const { t } = useTexts();
  const { tempId, content, attachments, state, error } = pending;
  return (
    <div className="message" data-role="user" data-testid="pending" data-state={state}>
      {content !== "" && <div className="bubble waiting">{content}</div>}
      {attachments.map((attachment) => (
        <Attached key={attachment.url} attachment={attachment} />
      ))}
      {state === "refused" ? (
        <div className="row" role="alert">
          <Text size="xs" c="red">{`${t("refused")}: ${error}`}</Text>
          <Button size="compact-xs" variant="subtle" onClick={() => again(tempId)}>
            {t("sendAgain")}
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => dismiss(tempId)}>
            {t("discard")}
          </Button>
        </div>
      ) : (
        <div className="row">{t(state === "sent" ? "queued" : "waiting")}</div>
      )}
    </div>
  );
}
