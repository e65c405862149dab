import { Alert, Button, Group, Text, Textarea } from "@mantine/core";
import type { Attachment, Message } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import Markdown from "react-markdown";
import { api } from "../api/client.ts";
import { useTexts } from "../i18n.ts";
import type { Streaming } from "../live/conversation.ts";
import type { LiveConversation } from "../live/use-conversation.ts";
import { Failure, timeOf } from "./common.tsx";

interface MessageProps {
  readonly message: Message;
  readonly talk: LiveConversation;
  readonly isLastReply: boolean;
}

export function MessageItem({ message, talk, isLastReply }: MessageProps) {
  const { t, language } = useTexts();
  const [isEditing, setEditing] = useState(false);
  const { role, error } = message;
  return (
    <article className="message" data-role={role} data-testid="message" data-message-id={message.id}>
      <Text size="xs" c="dimmed" mb={2} ta={role === "user" ? "right" : "left"}>
        {message.sender || t(role === "user" ? "you" : "ai")} · {timeOf(message.timestamp, language)}
        {message.model && ` · ${message.model}`}
        {message.stopped && ` · ${t("stopped")}`}
      </Text>
      {isEditing ? (
        <Editor message={message} done={() => setEditing(false)} talk={talk} />
      ) : (
        <div className="bubble">{role === "user" ? message.content : <Rich text={message.content} />}</div>
      )}
      {message.attachments.map((attachment) => (
        <Attached key={attachment.url} attachment={attachment} />
      ))}
      {message.thinking && <Folded title={t("thinking")}>{message.thinking}</Folded>}
      {message.tool_calls.length > 0 && (
        <Folded title={`${t("tools")} (${message.tool_calls.length})`}>
          {message.tool_calls.map(({ name, status, result }) => `${name}: ${status}\n${result}`).join("\n\n")}
        </Folded>
      )}
      {message.filtered && (
        <Text size="xs" c="dimmed">
          {t("filtered")}
        </Text>
      )}
      {error && (
        <Alert color="red" mt="xs" py="xs" role="alert">
          {t("failed")}: {error.error}
        </Alert>
      )}
      {role !== "system" && !isEditing && (
        <Actions message={message} talk={talk} isLastReply={isLastReply} edit={() => setEditing(true)} />
      )}
    </article>
  );
}

export function SaidSoFar({ streaming }: { readonly streaming: Streaming }) {
  const { t } = useTexts();
  return (
    <article className="message" data-role="assistant" data-testid="streaming" data-message-id={streaming.id}>
      <Text size="xs" c="dimmed" mb={2}>
        {streaming.sender || t("ai")}
      </Text>
      <div className="bubble">
        <Rich text={streaming.text || "…"} />
      </div>
      <div className="row" />
    </article>
  );
}

function Actions({ message, talk, isLastReply, edit }: MessageProps & { readonly edit: () => void }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [error, setError] = useState<unknown>();
  const session = `/api/sessions/${encodeURIComponent(message.session_id)}`;
  const tried = (work: () => Promise<unknown>) => () => void work().catch(setError);
  const remove = () => api.remove(`${session}/messages/${message.id}`);
  const fork = async () => {
    const { id } = await api.post<{ id: string }>(`${session}/fork`, { message_id: message.id });
    await queries.invalidateQueries({ queryKey: ["session"] });
    await navigate({ to: "/sessions/$sessionId", params: { sessionId: id } });
  };
  const button = (label: string, testId: string, run: () => void) => (
    <Button size="compact-xs" variant="subtle" color="gray" onClick={run} data-testid={testId}>
      {label}
    </Button>
  );
  const canRegenerate = !talk.isRunning && (isLastReply || message.error !== null);
  return (
    <fieldset className="row" style={{ border: 0, margin: 0, padding: 0 }} aria-label={t("messageActions")}>
      {canRegenerate &&
        button(
          t("regenerate"),
          "regenerate",
          tried(() => talk.regenerate(message.role === "assistant" ? message.id : undefined)),
        )}
      {!talk.isRunning && button(t("edit"), "edit", edit)}
      {button(t("fork"), "fork-here", tried(fork))}
      {button(t("remove"), "delete", tried(remove))}
      <Failure error={error} />
    </fieldset>
  );
}

/** Editing what a person said cuts off what followed and asks again; a reply is only corrected. */
function Editor({
  message,
  done,
  talk,
}: {
  readonly message: Message;
  readonly done: () => void;
  readonly talk: LiveConversation;
}) {
  const { t } = useTexts();
  const [text, setText] = useState(message.content);
  const [error, setError] = useState<unknown>();
  const isQuestion = message.role === "user";
  const save = async () => {
    try {
      const path = `/api/sessions/${encodeURIComponent(message.session_id)}/messages/${message.id}`;
      await api.put(path, { content: text, truncate_after: isQuestion });
      done();
      if (isQuestion) await talk.regenerate();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <div>
      <Textarea
        autosize
        minRows={2}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        aria-label={t("edit")}
        data-testid="editor"
      />
      {isQuestion && (
        <Text size="xs" c="dimmed">
          {t("truncateHint")}
        </Text>
      )}
      <Failure error={error} />
      <Group gap="xs" mt={4}>
        <Button size="compact-sm" onClick={save} data-testid="save-edit">
          {t("save")}
        </Button>
        <Button size="compact-sm" variant="default" onClick={done}>
          {t("cancel")}
        </Button>
      </Group>
    </div>
  );
}

// Raw HTML is shown as text; links open elsewhere and only as http(s) or mail; pictures of other hosts are not fetched.
function Rich({ text }: { readonly text: string }) {
  return (
    <Markdown
      components={{
        a: ({ href, children }) => (
          <a href={href} target="_blank" rel="noreferrer noopener">
            {children}
          </a>
        ),
        img: ({ src, alt }) => <a href={String(src)} target="_blank" rel="noreferrer noopener">{`🖼 ${alt || src}`}</a>,
      }}
    >
      {text}
    </Markdown>
  );
}

function Attached({ attachment }: { readonly attachment: Attachment }) {
  const { type, url, name = url } = attachment;
  if (type === "image" || type === "sticker")
    return (
      <img
        src={url}
        alt={name}
        loading="lazy"
        style={{ maxWidth: "16rem", borderRadius: 8, display: "block", marginTop: 6 }}
      />
    );
  return (
    <Text size="sm" mt={4}>
      📎{" "}
      <a href={url} target="_blank" rel="noreferrer noopener">
        {name}
      </a>
    </Text>
  );
}

function Folded({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <details>
      <summary>
        <Text span size="xs" c="dimmed">
          {title}
        </Text>
      </summary>
      <pre style={{ whiteSpace: "pre-wrap", fontSize: ".8rem" }}>{children}</pre>
    </details>
  );
}
