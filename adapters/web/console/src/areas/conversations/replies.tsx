import { Text } from "@mantine/core";
import type { Message } from "@parley/core";
import { Link } from "@tanstack/react-router";
import textCss from "../../shared/styles/text.module.css";
import { Icon } from "../../shared/ui/icon.tsx";
import { IconButton } from "../../shared/ui/icon-button.tsx";
import messageCss from "./message.module.css";
import { plainOf } from "./plain-text.ts";
import { useTexts } from "./texts.ts";

/** So many letters of a message are shown where it is answered. */
const MOST = 160;

/** What is being written answers this, until one says otherwise. */
export function Answering({ message, end }: { readonly message: Message; readonly end: () => void }) {
  const { t } = useTexts();
  return (
    <div className={messageCss.replied} data-testid="answering">
      <Icon name="back" size={14} />
      <Text size="xs" c="dimmed" className={textCss.oneLine} style={{ flex: 1 }} dir="auto">
        {t("answering", { what: beginningOf(message) || message.sender })}
      </Text>
      <IconButton icon="close" size="sm" label={t("notAnswering")} testId="not-answering" onClick={end} />
    </div>
  );
}

interface RepliedToProps {
  readonly message: Message;
  /** The message that it answers; undefined: it is further back than what is loaded. */
  readonly find: (id: string) => Message | undefined;
}

/** What a message answers, and the way there. */
export function RepliedTo({ message: { session_id, reply_to }, find }: RepliedToProps) {
  const { t } = useTexts();
  if (reply_to === null) return null;
  const answered = find(reply_to);
  return (
    <Link
      to="/sessions/$sessionId"
      params={{ sessionId: session_id }}
      search={{ message: reply_to } as never}
      className={messageCss.replied}
      data-testid="replied-to"
    >
      <Icon name="back" size={13} />
      <span className={textCss.oneLine} dir="auto">
        {(answered && (beginningOf(answered) || answered.sender)) || t("earlierMessage")}
      </span>
    </Link>
  );
}

function beginningOf({ content }: Message): string {
  const text = plainOf(content);
  return text.length > MOST ? `${text.slice(0, MOST).toWellFormed()}…` : text;
}
