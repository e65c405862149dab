import { Alert, Button } from "@mantine/core";
import type { Message } from "@parley/core";
import { Link } from "@tanstack/react-router";
import { memo, useEffect, useRef, useState } from "react";
import { formatDuration } from "../../../shared/i18n/format-duration.ts";
import textCss from "../../../shared/styles/text.module.css";
import { MessageElements } from "../elements/message-elements.tsx";
import { MarkdownText } from "../markdown/markdown.tsx";
import { type TextKey, useTexts } from "../texts.ts";
import { type BranchPosition, BranchSwitcher } from "../thread/branch-switcher.tsx";
import { GreetingSwipe } from "../thread/greeting-swipe.tsx";
import { type Speaker, useMessageSpeaker } from "../thread/speaker.tsx";
import { ReplayButton } from "../voice/voice-controls.tsx";
import { AttachmentView } from "./attachment.tsx";
import { TOOL_STATE_TEXTS } from "./cards.tsx";
import { Citations } from "./citations.tsx";
import messageCss from "./message.module.css";
import { type MessageActionHandlers, MessageActions } from "./message-actions.tsx";
import { MessageEditor } from "./message-editor.tsx";
import { MessageMeta, SpeakerPortrait } from "./message-head.tsx";
import { QuotedMessage } from "./quoted-message.tsx";
import { countSummarized, SummarizedMessages } from "./summarized-messages.tsx";
import { SilenceReason, UnansweredReason } from "./unanswered-reason.tsx";

interface MessageItemProps {
  readonly message: Message;
  readonly isLastReply: boolean;
  readonly isLast: boolean;
  /** True when the reply below shows the error. */
  readonly isExplainedBelow: boolean;
  readonly regenerateError: NonNullable<Message["error"]> | undefined;
  /** True when this is the target of a search or link and must be scrolled into view. */
  readonly isTarget: boolean;
  /** The channel of the conversation; undefined for one of the console. */
  readonly channelId: string | undefined;
  readonly speaker: Speaker | undefined;
  /** True for the greeting while it can be replaced by another one. */
  readonly isGreeting: boolean;
  readonly branchPosition: BranchPosition | undefined;
  readonly handlers: MessageActionHandlers;
}

/** Errors for which the models page is offered, because another or a repaired model may help. */
const MODEL_ERROR_CODES = new Set(["unavailable", "upstream_failed", "timed_out"]);
/** Texts of service notices in a conversation, by key. */
const NOTICE_TEXTS: Readonly<Record<string, TextKey>> = { "voice.not_played": "voiceNotPlayed" };

export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const {
    message,
    isLastReply,
    isLast,
    isExplainedBelow,
    regenerateError,
    isTarget,
    channelId,
    speaker,
    isGreeting,
    branchPosition,
    handlers,
  } = props;
  const { t, language } = useTexts();
  const messageSpeaker = useMessageSpeaker(speaker, message);
  const [isEditing, setEditing] = useState(false);
  const { role, error, tool_calls, metadata } = message;
  const isExternal = role === "user" && channelId !== undefined && message.source === channelId;
  // In the conversation of a channel, other messages ask the people there.
  const isPrivate = metadata.operator_only === true;
  const notice = NOTICE_TEXTS[String(metadata.notice)];
  const isByOperator = metadata.sent_by_operator === true;
  // A message that an operator sent shows the state of its delivery instead of an error.
  const hasDeliveryError = isByOperator && message.trace_id !== null;
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isTarget) article.current?.scrollIntoView({ block: "center" });
  }, [isTarget]);
  const onEdited = () => {
    setEditing(false);
    // The focused editor disappears.
    article.current?.focus({ preventScroll: true });
  };
  const branchSwitcher = (
    <BranchSwitcher branchPosition={branchPosition} message={message} show={handlers.showBranch} />
  );
  return (
    <article
      ref={article}
      data-found={isTarget || undefined}
      className={messageCss.message}
      data-role={role}
      data-from={isExternal ? "outside" : undefined}
      data-last={isLast || isLastReply}
      // A touch focuses the message, which shows its actions.
      tabIndex={-1}
      data-testid="message"
      data-message-id={message.id}
    >
      {(role === "assistant" || isExternal) && (
        <SpeakerPortrait
          speaker={role === "assistant" ? messageSpeaker : undefined}
          person={isExternal ? message.sender || t("somebody") : undefined}
        />
      )}
      <MessageMeta message={message} isExternal={isExternal} />
      {(role === "user" || isByOperator) && <QuotedMessage message={message} findMessage={handlers.findMessage} />}
      {message.thinking && <Collapsible title={t("thinking")}>{message.thinking}</Collapsible>}
      {tool_calls.length > 0 && (
        <Collapsible title={`${t("tools")}: ${[...new Set(tool_calls.map(({ name }) => name))].join(", ")}`}>
          {tool_calls
            .map((call) =>
              describeToolCall(call, t(TOOL_STATE_TEXTS[call.status]), formatDuration(call.duration_ms, language)),
            )
            .join("\n\n")}
        </Collapsible>
      )}
      {countSummarized(message) > 0 && <SummarizedMessages message={message} />}
      {isEditing ? (
        <MessageEditor message={message} onDone={onEdited} handlers={handlers} />
      ) : (
        (message.content !== "" || (message.attachments.length === 0 && !message.elements)) && (
          <div className={messageCss.bubble} dir="auto" data-words="">
            {role === "user" || message.kind === "command" ? (
              <span className={messageCss.plain}>{message.content}</span>
            ) : (
              <MarkdownText text={notice ? t(notice) : message.content} />
            )}
          </div>
        )
      )}
      {role === "assistant" && <Citations metadata={metadata} />}
      {message.attachments.length > 0 && (
        <div className={messageCss.attachments}>
          {message.attachments.map((attachment) => (
            <AttachmentView key={attachment.url} attachment={attachment} isForModel={role === "user"} />
          ))}
        </div>
      )}
      <MessageElements message={message} canPress={handlers.canChange && (channelId === undefined || isPrivate)} />
      {message.audio_url !== null && <ReplayButton key={message.audio_url} url={message.audio_url} />}
      {typeof metadata.unsaid === "string" && <Collapsible title={t("unsaid")}>{metadata.unsaid}</Collapsible>}
      {message.filtered && <div className={textCss.meta}>{t("filtered")}</div>}
      <SilenceReason message={message} explain={handlers.explain} />
      {error && !isExplainedBelow && !hasDeliveryError && (
        <Alert color="red" mt="xs" py="xs" role="alert">
          {isByOperator ? (
            t("notSent")
          ) : (
            <UnansweredReason failure={error} existingReply={role === "assistant" ? "some" : "none"}>
              <FailureActions message={message} error={error} isLast={isLast} handlers={handlers} />
            </UnansweredReason>
          )}
        </Alert>
      )}
      {regenerateError && (
        <Alert color="red" mt="xs" py="xs" role="alert">
          <UnansweredReason failure={regenerateError} existingReply="earlier">
            <FailureActions message={message} error={regenerateError} isLast={isLast} handlers={handlers} />
          </UnansweredReason>
        </Alert>
      )}
      {role === "system" || isEditing ? (
        branchSwitcher
      ) : (
        <MessageActions
          message={message}
          isLastReply={isLastReply}
          isLast={isLast}
          handlers={handlers}
          edit={() => setEditing(true)}
        >
          {branchSwitcher}
        </MessageActions>
      )}
      {isGreeting && <GreetingSwipe message={message} />}
    </article>
  );
});

interface FailureActionsProps {
  readonly message: Message;
  readonly error: NonNullable<Message["error"]>;
  readonly isLast: boolean;
  readonly handlers: MessageActionHandlers;
}

/** Actions for a question without an answer; only the last one can be retried. */
function FailureActions({ message, error, isLast, handlers }: FailureActionsProps) {
  const { t } = useTexts();
  return (
    <>
      {MODEL_ERROR_CODES.has(error.code) && (
        <Link to="/models" className={textCss.inlineLink}>
          {t("checkModels")}
        </Link>
      )}
      {isLast && handlers.canChange && (
        <Button
          size="compact-xs"
          variant="subtle"
          color="red"
          className={messageCss.whenIdle}
          onClick={() => handlers.requestRegenerate(message.role === "assistant" ? message.id : undefined)}
          data-testid="answer-again"
        >
          {t("regenerate")}
        </Button>
      )}
    </>
  );
}

function Collapsible({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <details className={textCss.folded}>
      <summary>{title}</summary>
      <pre dir="auto">{children}</pre>
    </details>
  );
}

function describeToolCall(
  { name, arguments: toolArguments, result }: Message["tool_calls"][number],
  status: string,
  took: string,
): string {
  return `${name}(${JSON.stringify(toolArguments)}) · ${status} · ${took}\n${result}`;
}
