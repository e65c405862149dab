import { useDeferredValue } from "react";
import type { PartialReply } from "../../../shared/live/conversation.ts";
import textCss from "../../../shared/styles/text.module.css";
import { MarkdownText } from "../markdown/markdown.tsx";
import messageCss from "../message/message.module.css";
import { SpeakerPortrait } from "../message/message-head.tsx";
import { useTexts } from "../texts.ts";
import chatCss from "./chat.module.css";
import type { Speaker } from "./speaker.tsx";

interface PartialReplyItemProps {
  readonly streaming: PartialReply;
  readonly speaker: Speaker | undefined;
}

/** An answer while it is being made. */
export function PartialReplyItem({ streaming, speaker }: PartialReplyItemProps) {
  const { t } = useTexts();
  // Typing stays fluent while a long text is drawn again and again.
  const text = useDeferredValue(streaming.text);
  return (
    <article
      className={`${messageCss.message} ${messageCss.arrives}`}
      data-role="assistant"
      data-testid="streaming"
      data-message-id={streaming.id}
    >
      <SpeakerPortrait speaker={speaker} person={undefined} />
      <div className={textCss.meta}>
        <b>{streaming.sender || t("ai")}</b>
      </div>
      <div className={`${messageCss.bubble} ${messageCss.caret}`} dir="auto" data-words="">
        {text ? (
          <MarkdownText text={text} isStreaming />
        ) : (
          <span className={chatCss.dots}>
            <i />
            <i />
            <i />
          </span>
        )}
      </div>
      <div className={messageCss.row} />
    </article>
  );
}
