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
  readonly reply: PartialReply;
  readonly speaker: Speaker | undefined;
}

/** A reply while it streams. */
export function PartialReplyItem({ reply, speaker }: PartialReplyItemProps) {
  const { t } = useTexts();
  // Deferred, so that typing stays fluent while a long reply re-renders.
  const text = useDeferredValue(reply.text);
  return (
    <article
      className={`${messageCss.message} ${messageCss.arrives}`}
      data-role="assistant"
      data-testid="streaming"
      data-message-id={reply.id}
    >
      <SpeakerPortrait {...toFace(reply.sender, speaker)} />
      <div className={textCss.meta}>
        <b>{reply.sender || t("ai")}</b>
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

/** Another character of the conversation has no picture before its answer is stored. */
function toFace(sender: string, speaker: Speaker | undefined) {
  const isOther = speaker !== undefined && sender !== "" && sender !== speaker.name;
  return isOther ? { speaker: undefined, person: sender } : { speaker, person: undefined };
}
