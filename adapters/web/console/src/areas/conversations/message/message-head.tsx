import type { Message } from "@parley/core";
import textCss from "../../../shared/styles/text.module.css";
import { formatClock, formatTime } from "../../../shared/ui/common.tsx";
import { Logo } from "../../../shared/ui/element/logo.tsx";
import { Portrait } from "../../../shared/ui/element/portrait.tsx";
import { type TextKey, useTexts } from "../texts.ts";
import type { Speaker } from "../thread/speaker.tsx";
import { useModelName } from "../use-model-name.ts";
import messageCss from "./message.module.css";
import { countSummarized } from "./summarized-messages.tsx";

const KIND_TEXTS: Readonly<Record<string, TextKey>> = {
  summary: "kindSummary",
  archive_divider: "kindDivider",
  notice: "kindNotice",
  command: "kindCommand",
};

interface SpeakerPortraitProps {
  readonly speaker: Speaker | undefined;
  /** Name of a person on a channel. */
  readonly person: string | undefined;
}

/** The portrait of the speaker: a character, a person of a channel, or the service itself. */
export function SpeakerPortrait({ speaker, person }: SpeakerPortraitProps) {
  const name = speaker?.name ?? person;
  return (
    <span className={messageCss.face}>
      {name === undefined ? <Logo size={34} /> : <Portrait name={name} url={speaker?.picture ?? ""} kind="face" />}
    </span>
  );
}

/** Sender and time of a message; for the user's own messages only marks such as "edited", the rest as a tooltip. */
export function MessageMeta({ message, isExternal }: { readonly message: Message; readonly isExternal: boolean }) {
  const { t, language } = useTexts();
  const { role, sender, model, stopped, edited_at, kind, metadata } = message;
  const modelName = useModelName()(message);
  const kindKey = KIND_TEXTS[kind];
  const summarizedCount = countSummarized(message);
  const kindText = summarizedCount > 0 ? t("summaryOf", { count: summarizedCount }) : kindKey && t(kindKey);
  const isOwn = role === "user" && !isExternal;
  const marks = [
    metadata.note === true ? t("noteMark") : "",
    metadata.operator_only === true ? t("notSentMark") : "",
    metadata.sent_by_operator === true && !message.error ? t("sentAsBot") : "",
    edited_at ? t("edited") : "",
    message.rating ? t(message.rating === "good" ? "ratedGood" : "ratedBad") : "",
    stopped ? t(message.stop_reason === "timeout" ? "stoppedTime" : "stopped") : "",
    message.stop_reason === "length" ? t("stoppedLength") : "",
  ].filter(Boolean);
  return (
    <div className={textCss.meta}>
      <span className={isOwn && modelName === "" && marks.length === 0 ? messageCss.fine : undefined}>
        <b>{kindText ? kindText : sender || t(isOwn ? "you" : isExternal ? "somebody" : "ai")}</b>
        {modelName !== "" && (
          <>
            {" · "}
            <span title={model ?? undefined} data-testid="answered-by">
              {modelName}
            </span>
          </>
        )}
        {marks.length > 0 && ` · ${marks.join(" · ")}`}
        {" · "}
        <time dateTime={message.timestamp} title={formatTime(message.timestamp, language)}>
          {formatClock(message.timestamp, language)}
        </time>
      </span>
    </div>
  );
}
