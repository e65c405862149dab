import { Text } from "@mantine/core";
import type { Message } from "@parley/core";
import { Link } from "@tanstack/react-router";
import textCss from "../../../shared/styles/text.module.css";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import { toSessionAddress } from "../../../shared/ui/page/address.ts";
import { toPlainText } from "../markdown/plain-text.ts";
import { useTexts } from "../texts.ts";
import messageCss from "./message.module.css";

const MAX_EXCERPT_LENGTH = 160;

/** The message that the draft replies to, with a button to cancel that. */
export function ReplyDraftHeader({ message, onCancel }: { readonly message: Message; readonly onCancel: () => void }) {
  const { t } = useTexts();
  return (
    <div className={messageCss.replied} data-testid="reply-draft">
      <Icon name="back" size={14} />
      <Text size="xs" c="dimmed" className={textCss.oneLine} style={{ flex: 1 }} dir="auto">
        {t("replyingTo", { what: toExcerpt(message) || message.sender })}
      </Text>
      <IconButton icon="close" size="sm" label={t("cancelReply")} testId="cancel-reply" onClick={onCancel} />
    </div>
  );
}

interface QuotedMessageProps {
  readonly message: Message;
  /** Finds the quoted message among the loaded ones. */
  readonly findMessage: (id: string) => Message | undefined;
}

/** The quoted message, as a link to it. */
export function QuotedMessage({ message: { session_id, reply_to }, findMessage }: QuotedMessageProps) {
  const { t } = useTexts();
  if (reply_to === null) return null;
  const quoted = findMessage(reply_to);
  return (
    <Link {...toSessionAddress(session_id, reply_to)} className={messageCss.replied} data-testid="replied-to">
      <Icon name="back" size={13} />
      <span className={textCss.oneLine} dir="auto">
        {(quoted && (toExcerpt(quoted) || quoted.sender)) || t("earlierMessage")}
      </span>
    </Link>
  );
}

function toExcerpt({ content }: Message): string {
  const text = toPlainText(content);
  return text.length > MAX_EXCERPT_LENGTH ? `${text.slice(0, MAX_EXCERPT_LENGTH).toWellFormed()}…` : text;
}
