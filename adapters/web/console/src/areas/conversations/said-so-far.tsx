import { useDeferredValue } from "react";
import type { Streaming } from "../../shared/live/conversation.ts";
import textCss from "../../shared/styles/text.module.css";
import chatCss from "./chat.module.css";
import messageCss from "./message.module.css";
import { Face } from "./message-head.tsx";
import { RichText } from "./rich-text.tsx";
import type { Speaker } from "./speaker.tsx";
import { useTexts } from "./texts.ts";

interface SaidSoFarProps {
  readonly streaming: Streaming;
  readonly speaker: Speaker | undefined;
}

/** An answer while it is being made. */
export function SaidSoFar({ streaming, speaker }: SaidSoFarProps) {
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
      <Face speaker={speaker} person={undefined} />
      <div className={textCss.meta}>
        <b>{streaming.sender || t("ai")}</b>
      </div>
      <div className={`${messageCss.bubble} ${messageCss.caret}`} dir="auto" data-words="">
        {text ? (
          <RichText text={text} isGrowing />
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
