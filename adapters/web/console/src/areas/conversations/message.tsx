import { Alert, Button } from "@mantine/core";
import type { Message } from "@parley/core";
import { Link } from "@tanstack/react-router";
import { memo, useEffect, useRef, useState } from "react";
import { durationOf } from "../../shared/i18n/durations.ts";
import textCss from "../../shared/styles/text.module.css";
import { Attached } from "./attached.tsx";
import { BranchSteps, type Steps } from "./branch-steps.tsx";
import { TOOL_STATES } from "./cards.tsx";
import { Citations } from "./citations.tsx";
import { GreetingSwipe } from "./greeting-swipe.tsx";
import messageCss from "./message.module.css";
import { MessageActions, type MessageDeeds } from "./message-actions.tsx";
import { MessageEditor } from "./message-editor.tsx";
import { Face, Meta } from "./message-head.tsx";
import { RepliedTo } from "./replies.tsx";
import { RichText } from "./rich-text.tsx";
import type { Speaker } from "./speaker.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";
import { HearAgain } from "./voice-parts.tsx";
import { WhyUnanswered } from "./why-unanswered.tsx";

interface MessageItemProps {
  readonly message: Message;
  readonly isLastReply: boolean;
  readonly isLast: boolean;
  /** The reply below says why it was not answered to the end, or not anew. */
  readonly isToldBelow: boolean;
  /** Why it could not be made anew. */
  readonly notAgain: NonNullable<Message["error"]> | undefined;
  /** It was looked for: it is brought into sight. */
  readonly isFound: boolean;
  /** Whose words come from outside: the channel of the conversation. */
  readonly channelId: string | undefined;
  readonly speaker: Speaker | undefined;
  /** The opening words, while others can stand in their place. */
  readonly isGreeting: boolean;
  /** Where the conversation can be gone on with in another way. */
  readonly steps: Steps | undefined;
  readonly deeds: MessageDeeds;
}

/** Failures that another or a repaired model would not have. */
const MODEL_CODES = new Set(["unavailable", "upstream_failed", "timed_out"]);
/** What the service says of a conversation, by its key. */
const NOTICES: Readonly<Record<string, TextKey>> = { "voice.not_played": "voiceNotPlayed" };

export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const { message, isLastReply, isLast, isToldBelow, notAgain, isFound, channelId, speaker, isGreeting, steps, deeds } =
    props;
  const { t, language } = useTexts();
  const [isEditing, setEditing] = useState(false);
  const { role, error, tool_calls, metadata } = message;
  const isOutside = role === "user" && channelId !== undefined && message.source === channelId;
  const notice = NOTICES[String(metadata.notice)];
  const isByOperator = metadata.sent_by_operator === true;
  // What was handed over for sending says by its delivery whether it arrived, also once it is sent again.
  const isSaidByDelivery = isByOperator && message.trace_id !== null;
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFound) article.current?.scrollIntoView({ block: "center" });
  }, [isFound]);
  const edited = () => {
    setEditing(false);
    // The field goes away with what had the focus in it.
    article.current?.focus({ preventScroll: true });
  };
  const variants = <BranchSteps steps={steps} message={message} show={deeds.showBranch} />;
  return (
    <article
      ref={article}
      data-found={isFound || undefined}
      className={messageCss.message}
      data-role={role}
      data-from={isOutside ? "outside" : undefined}
      data-last={isLast || isLastReply}
      // A touch gives it the focus, with which its deeds show.
      tabIndex={-1}
      data-testid="message"
      data-message-id={message.id}
    >
      {(role === "assistant" || isOutside) && (
        <Face
          speaker={role === "assistant" ? speaker : undefined}
          person={isOutside ? message.sender || t("somebody") : undefined}
        />
      )}
      <Meta message={message} isOutside={isOutside} />
      {(role === "user" || isByOperator) && <RepliedTo message={message} find={deeds.find} />}
      {message.thinking && <Folded title={t("thinking")}>{message.thinking}</Folded>}
      {tool_calls.length > 0 && (
        <Folded title={`${t("tools")}: ${[...new Set(tool_calls.map(({ name }) => name))].join(", ")}`}>
          {tool_calls
            .map((call) => described(call, t(TOOL_STATES[call.status]), durationOf(call.duration_ms, language)))
            .join("\n\n")}
        </Folded>
      )}
      {isEditing ? (
        <MessageEditor message={message} done={edited} deeds={deeds} />
      ) : (
        (message.content !== "" || message.attachments.length === 0) && (
          <div className={messageCss.bubble} dir="auto" data-words="">
            {role === "user" || message.kind === "command" ? (
              <span className={messageCss.plain}>{message.content}</span>
            ) : (
              <RichText text={notice ? t(notice) : message.content} />
            )}
          </div>
        )
      )}
      {role === "assistant" && <Citations metadata={metadata} />}
      {message.attachments.length > 0 && (
        <div className={messageCss.attachments}>
          {message.attachments.map((attachment) => (
            <Attached key={attachment.url} attachment={attachment} isForModel={role === "user"} />
          ))}
        </div>
      )}
      {message.audio_url !== null && <HearAgain key={message.audio_url} url={message.audio_url} />}
      {message.filtered && <div className={textCss.meta}>{t("filtered")}</div>}
      {error && !isToldBelow && !isSaidByDelivery && (
        <Alert color="red" mt="xs" py="xs" role="alert">
          {isByOperator ? (
            t("notSent")
          ) : (
            <WhyUnanswered failure={error} there={role === "assistant" ? "some" : "none"}>
              <FailureWays message={message} error={error} isLast={isLast} deeds={deeds} />
            </WhyUnanswered>
          )}
        </Alert>
      )}
      {notAgain && (
        <Alert color="red" mt="xs" py="xs" role="alert">
          <WhyUnanswered failure={notAgain} there="earlier">
            <FailureWays message={message} error={notAgain} isLast={isLast} deeds={deeds} />
          </WhyUnanswered>
        </Alert>
      )}
      {role === "system" || isEditing ? (
        variants
      ) : (
        <MessageActions
          message={message}
          isLastReply={isLastReply}
          isLast={isLast}
          deeds={deeds}
          edit={() => setEditing(true)}
        >
          {variants}
        </MessageActions>
      )}
      {isGreeting && <GreetingSwipe message={message} />}
    </article>
  );
});

interface FailureWaysProps {
  readonly message: Message;
  readonly error: NonNullable<Message["error"]>;
  readonly isLast: boolean;
  readonly deeds: MessageDeeds;
}

/** What can be done about a question that was not answered; only the last one can be answered again. */
function FailureWays({ message, error, isLast, deeds }: FailureWaysProps) {
  const { t } = useTexts();
  return (
    <>
      {MODEL_CODES.has(error.code) && (
        <Link to="/models" className={textCss.inlineLink}>
          {t("checkModels")}
        </Link>
      )}
      {isLast && deeds.mayChange && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="red"
          className={messageCss.whenIdle}
          onClick={() => deeds.answerAgain(message.role === "assistant" ? message.id : undefined)}
          data-testid="answer-again"
        >
          {t("regenerate")}
        </Button>
      )}
    </>
  );
}

function Folded({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <details className={textCss.folded}>
      <summary>{title}</summary>
      <pre dir="auto">{children}</pre>
    </details>
  );
}

function described(
  { name, arguments: given, result }: Message["tool_calls"][number],
  status: string,
  took: string,
): string {
  return `${name}(${JSON.stringify(given)}) · ${status} · ${took}\n${result}`;
}
