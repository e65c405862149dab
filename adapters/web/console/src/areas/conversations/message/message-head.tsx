import type { Message } from "@parley/core";
import textCss from "../../../shared/styles/text.module.css";
import { formatClock, formatTime } from "../../../shared/ui/common.tsx";
import { Logo } from "../../../shared/ui/element/logo.tsx";
import { Portrait } from "../../../shared/ui/element/portrait.tsx";
import type { TextKey } from "../texts.ts";
import { useTexts } from "../texts.ts";
import type { Speaker } from "../thread/speaker.tsx";
import { useModelName } from "../use-model-name.ts";
import messageCss from "./message.module.css";

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
export function MessageMeta({ message, isOutside }: { readonly message: Message; readonly isOutside: boolean }) {
  const { t, language } = useTexts();
  const { role, sender, model, stopped, edited_at, kind, metadata } = message;
  const answeredBy = useModelName()(message);
  const kindText = KIND_TEXTS[kind];
  const isOwn = role === "user" && !isOutside;
  const parts = [
    metadata.note === true ? t("aNote") : "",
    metadata.operator_only === true ? t("onlyHere") : "",
    metadata.sent_by_operator === true && !message.error ? t("sentAsBot") : "",
    edited_at ? t("edited") : "",
    message.rating ? t(message.rating === "good" ? "ratedGood" : "ratedBad") : "",
    stopped ? t(message.stop_reason === "timeout" ? "stoppedTime" : "stopped") : "",
    message.stop_reason === "length" ? t("stoppedLength") : "",
  ].filter(Boolean);
  return (
    <div className={textCss.meta}>
      <span className={isOwn && answeredBy === "" && parts.length === 0 ? messageCss.fine : undefined}>
        <b>{kindText ? t(kindText) : sender || t(isOwn ? "you" : isOutside ? "somebody" : "ai")}</b>
        {answeredBy !== "" && (
          <>
            {" · "}
            <span title={model ?? undefined} data-testid="answered-by">
              {answeredBy}
            </span>
          </>
        )}
        {parts.length > 0 && ` · ${parts.join(" · ")}`}
        {" · "}
        <time dateTime={message.timestamp} title={formatTime(message.timestamp, language)}>
          {formatClock(message.timestamp, language)}
        </time>
      </span>
    </div>
  );
}
