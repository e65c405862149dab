import { Alert, Button, Group, Text, Textarea } from "@mantine/core";
import type { Message } from "@parley/core";
import { Link } from "@tanstack/react-router";
import { memo, useDeferredValue, useEffect, useRef, useState } from "react";
import { parley } from "../../shared/api/client.ts";
import type { Streaming } from "../../shared/live/conversation.ts";
import { clockOf, Failure, timeOf } from "../../shared/ui/common.tsx";
import { Portrait } from "../../shared/ui/portrait.tsx";
import { Sign } from "../../shared/ui/sign.tsx";
import { useModelName } from "./answering-model.ts";
import { Attached } from "./attached.tsx";
import { Citations } from "./citations.tsx";
import { GreetingSwipe } from "./greeting-swipe.tsx";
import { MessageActions, type MessageDeeds } from "./message-actions.tsx";
import { MessageLength, MOST } from "./message-length.tsx";
import { RichText } from "./rich-text.tsx";
import type { Speaker } from "./speaker.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";
import { forgetDraft, useDraft } from "./use-draft.ts";
import { HearAgain } from "./voice-parts.tsx";

interface MessageItemProps {
  readonly message: Message;
  readonly isLastReply: boolean;
  /** It was looked for: it is brought into sight. */
  readonly isFound: boolean;
  /** Whose words come from outside: the channel of the conversation. */
  readonly channelId: string | undefined;
  readonly speaker: Speaker | undefined;
  /** The opening words, while others can stand in their place. */
  readonly isGreeting: boolean;
  readonly deeds: MessageDeeds;
}

/** Failures that another or a repaired model would not have. */
const MODEL_CODES = new Set(["unavailable", "upstream_failed", "timed_out"]);
const KINDS: Readonly<Record<string, TextKey>> = {
  summary: "kindSummary",
  archive_divider: "kindDivider",
  notice: "kindNotice",
  command: "kindCommand",
};

/** What the service says of a conversation, by its key. */
const NOTICES: Readonly<Record<string, TextKey>> = { "voice.not_played": "voiceNotPlayed" };

export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const { message, isLastReply, isFound, channelId, speaker, isGreeting, deeds } = props;
  const { t } = useTexts();
  const [isEditing, setEditing] = useState(false);
  const { role, error, tool_calls, metadata } = message;
  const isOutside = role === "user" && channelId !== undefined && message.source === channelId;
  const notice = NOTICES[String(metadata.notice)];
  const isByOperator = metadata.sent_by_operator === true;
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFound) article.current?.scrollIntoView({ block: "center" });
  }, [isFound]);
  return (
    <article
      ref={article}
      data-found={isFound || undefined}
      className="message"
      data-role={role}
      data-from={isOutside ? "outside" : undefined}
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
      {message.thinking && <Folded title={t("thinking")}>{message.thinking}</Folded>}
      {tool_calls.length > 0 && (
        <Folded title={`${t("tools")}: ${[...new Set(tool_calls.map(({ name }) => name))].join(", ")}`}>
          {tool_calls.map(describeCall).join("\n\n")}
        </Folded>
      )}
      {isEditing ? (
        <Editor message={message} done={() => setEditing(false)} deeds={deeds} />
      ) : (
        (message.content !== "" || message.attachments.length === 0) && (
          <div className="bubble" dir="auto">
            {role === "user" || message.kind === "command" ? (
              <span className="plain">{message.content}</span>
            ) : (
              <RichText text={notice ? t(notice) : message.content} />
            )}
          </div>
        )
      )}
      {role === "assistant" && <Citations metadata={metadata} />}
      {message.attachments.map((attachment) => (
        <Attached key={attachment.url} attachment={attachment} isForModel={role === "user"} />
      ))}
      {message.audio_url !== null && <HearAgain key={message.audio_url} url={message.audio_url} />}
      {message.filtered && (
        <Text size="xs" c="dimmed" mt={2}>
          {t("filtered")}
        </Text>
      )}
      {error && (
        <Alert color="red" mt="xs" py="xs" role="alert">
          {isByOperator ? t("notSent") : `${t("failed")}: ${error.error}`}{" "}
          {!isByOperator && MODEL_CODES.has(error.code) && (
            <Link to="/models" className="inline-link">
              {t("checkModels")}
            </Link>
          )}
          {!isByOperator && role === "user" && (
            <Button
              size="compact-xs"
              variant="subtle"
              color="red"
              className="when-idle"
              onClick={() => deeds.answerAgain(undefined)}
              data-testid="answer-again"
            >
              {t("regenerate")}
            </Button>
          )}
        </Alert>
      )}
      {role !== "system" && !isEditing && (
        <MessageActions message={message} isLastReply={isLastReply} deeds={deeds} edit={() => setEditing(true)} />
      )}
      {isGreeting && <GreetingSwipe message={message} />}
    </article>
  );
});

interface FaceProps {
  readonly speaker: Speaker | undefined;
  /** Somebody of a channel. */
  readonly person: string | undefined;
}

/** Who speaks: a character, a person of a channel, or the service itself. */
function Face({ speaker, person }: FaceProps) {
  const name = speaker?.name ?? person;
  return (
    <span className="face">
      {name === undefined ? <Sign size={34} /> : <Portrait name={name} url={speaker?.picture ?? ""} kind="face" />}
    </span>
  );
}

/** Who and when; of what one has said oneself only what is not known anyway, the rest under the pointer. */
function Meta({ message, isOutside }: { readonly message: Message; readonly isOutside: boolean }) {
  const { t, language } = useTexts();
  const { role, sender, model, stopped, edited_at, kind, metadata } = message;
  const answeredBy = useModelName()(message);
  const kindText = KINDS[kind];
  const isOwn = role === "user" && !isOutside;
  const parts = [
    metadata.note === true ? t("aNote") : "",
    metadata.operator_only === true ? t("onlyHere") : "",
    metadata.sent_by_operator === true && !message.error ? t("sentAsBot") : "",
    edited_at ? t("edited") : "",
    stopped ? t(message.stop_reason === "timeout" ? "stoppedTime" : "stopped") : "",
    message.stop_reason === "length" ? t("stoppedLength") : "",
  ].filter(Boolean);
  return (
    <div className="meta">
      <span className={isOwn && answeredBy === "" && parts.length === 0 ? "fine" : undefined}>
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
        <time dateTime={message.timestamp} title={timeOf(message.timestamp, language)}>
          {clockOf(message.timestamp, language)}
        </time>
      </span>
    </div>
  );
}

interface SaidSoFarProps {
  readonly streaming: Streaming;
  readonly speaker: Speaker | undefined;
}

export function SaidSoFar({ streaming, speaker }: SaidSoFarProps) {
  const { t } = useTexts();
  // Typing stays fluent while a long text is drawn again and again.
  const text = useDeferredValue(streaming.text);
  return (
    <article className="message arrives" data-role="assistant" data-testid="streaming" data-message-id={streaming.id}>
      <Face speaker={speaker} person={undefined} />
      <div className="meta">
        <b>{streaming.sender || t("ai")}</b>
      </div>
      <div className="bubble caret" dir="auto">
        {text ? (
          <RichText text={text} isGrowing />
        ) : (
          <span className="dots">
            <i />
            <i />
            <i />
          </span>
        )}
      </div>
      <div className="row" />
    </article>
  );
}

interface EditorProps {
  readonly message: Message;
  readonly deeds: MessageDeeds;
  readonly done: () => void;
}

/** What a person said is put another way and asked again, beside what there was; a reply is only corrected. */
function Editor({ message, done, deeds }: EditorProps) {
  const { t } = useTexts();
  const [text, setText] = useDraft(`edit.${message.id}`, message.content);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const isQuestion = message.role === "user";
  const canSave = text.trim() !== "" && text.length <= MOST;
  const save = async () => {
    if (!canSave) return;
    setBusy(true);
    try {
      const path = { session_id: message.session_id, message_id: message.id };
      const body = { content: text, ...(isQuestion && { as_branch: true }) };
      await parley.put("/api/sessions/{session_id}/messages/{message_id}", { path, body });
      forgetDraft(`edit.${message.id}`);
      done();
      if (!isQuestion) return;
      deeds.branched(message);
      await deeds.regenerate();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  const leave = () => {
    setText(message.content);
    forgetDraft(`edit.${message.id}`);
    done();
  };
  const typed = (event: React.KeyboardEvent) => {
    if (event.key === "Escape") leave();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
  };
  return (
    <div>
      <Textarea
        autoFocus
        autosize
        minRows={2}
        maxRows={16}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={typed}
        aria-label={t("edit")}
        data-testid="editor"
      />
      <MessageLength text={text} />
      {isQuestion && (
        <Text size="xs" c="dimmed" mt={4}>
          {t("branchHint")}
        </Text>
      )}
      <Failure error={error} />
      <Group gap="xs" mt={6}>
        <Button size="compact-sm" onClick={save} loading={isBusy} disabled={!canSave} data-testid="save-edit">
          {t(isQuestion ? "saveAndAsk" : "save")}
        </Button>
        <Button size="compact-sm" variant="default" onClick={leave}>
          {t("cancel")}
        </Button>
      </Group>
    </div>
  );
}

function Folded({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <details className="folded">
      <summary>{title}</summary>
      <pre>{children}</pre>
    </details>
  );
}

function describeCall({ name, arguments: given, status, result, duration_ms }: Message["tool_calls"][number]): string {
  return `${name}(${JSON.stringify(given)}) · ${status} · ${duration_ms} ms\n${result}`;
}
