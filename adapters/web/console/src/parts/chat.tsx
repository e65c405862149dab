import { ActionIcon, Alert, Button, Group, Menu, Text, Textarea, Title } from "@mantine/core";
import type { Session } from "@parley/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { api } from "../api/client.ts";
import { useTexts } from "../i18n.ts";
import { useConversation } from "../live/use-conversation.ts";
import { ConfirmButton, Failure } from "./common.tsx";
import { MessageItem, SaidSoFar } from "./message.tsx";

export function Chat({ sessionId }: { readonly sessionId: string }) {
  const { t } = useTexts();
  const talk = useConversation(sessionId);
  const path = `/api/sessions/${encodeURIComponent(sessionId)}`;
  const session = useQuery({ queryKey: ["session", "one", sessionId], queryFn: () => api.get<Session>(path) });
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const said = talk.streaming?.text.length ?? 0;
  // Whatever is added is followed, as long as the reader is at the end.
  const size = `${talk.messages.length} ${talk.unsent.length} ${said}`;
  useLayoutEffect(() => {
    if (size && isAtEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [size]);
  const watchEnd = () => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = list.current ?? {};
    isAtEnd.current = scrollHeight - scrollTop - clientHeight < 60;
  };
  const lastReply = talk.messages.findLast(({ role }) => role === "assistant")?.id;

  return (
    <div className="chat">
      {session.data ? <Header session={session.data} /> : <Failure error={session.error} />}
      <div className="talk" ref={list} onScroll={watchEnd} role="log" aria-live="polite" aria-busy={talk.isRunning}>
        {talk.hasOlder && (
          <Group justify="center" mb="md">
            <Button size="compact-sm" variant="subtle" onClick={talk.loadOlder}>
              {t("older")}
            </Button>
          </Group>
        )}
        {talk.messages.map((message) => (
          <MessageItem key={message.id} message={message} talk={talk} isLastReply={message.id === lastReply} />
        ))}
        {talk.streaming && <SaidSoFar streaming={talk.streaming} />}
        {talk.unsent.map(({ tempId, content, error }) => (
          <div key={tempId} className="message" data-role="user">
            <div className="bubble" style={{ opacity: 0.6 }}>
              {content}
            </div>
            <div className="row">
              {error ? (
                <>
                  <Text size="xs" c="red">{`${t("refused")}: ${error}`}</Text>
                  <Button size="compact-xs" variant="subtle" onClick={() => talk.dismiss(tempId)}>
                    {t("close")}
                  </Button>
                </>
              ) : (
                t("waiting")
              )}
            </div>
          </div>
        ))}
        {talk.progress && (
          <Text size="sm" c="dimmed" ta="center">
            {talk.progress}
          </Text>
        )}
        {talk.notice && (
          <Alert color="yellow" maw={736} mx="auto" role="status">
            {talk.notice}
          </Alert>
        )}
        <Failure error={talk.error} />
      </div>
      {session.data?.archived ? (
        <Text p="md" ta="center" c="dimmed">
          {t("archivedHint")}
        </Text>
      ) : (
        <Composer sessionId={sessionId} isRunning={talk.isRunning} say={talk.say} stop={talk.stop} />
      )}
    </div>
  );
}

function Header({ session }: { readonly session: Session }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState<string>();
  const path = `/api/sessions/${encodeURIComponent(session.id)}`;
  const fresh = () => queries.invalidateQueries({ queryKey: ["session"] });
  const change = async (patch: object) => {
    await api.put(path, patch);
    await fresh();
  };
  const rename = async (event: React.FormEvent) => {
    event.preventDefault();
    if (name?.trim()) await change({ name: name.trim() });
    setName(undefined);
  };
  const fork = async () => {
    const { id } = await api.post<Session>(`${path}/fork`);
    await fresh();
    await navigate({ to: "/sessions/$sessionId", params: { sessionId: id } });
  };
  const keep = async (what: "archive" | "restore") => {
    await api.post(`${path}/${what}`);
    await fresh();
  };
  const remove = async () => {
    await api.remove(path);
    await fresh();
    await navigate({ to: "/" });
  };
  return (
    <Group
      px="md"
      py={6}
      wrap="nowrap"
      justify="space-between"
      style={{ borderBottom: "1px solid var(--mantine-color-default-border)" }}
    >
      <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
        <ActionIcon component={Link} to="/" variant="subtle" hiddenFrom="sm" aria-label={t("conversations")}>
          ←
        </ActionIcon>
        {name === undefined ? (
          <Title order={1} size="h5" style={{ overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}>
            {session.name}
          </Title>
        ) : (
          <form onSubmit={rename}>
            <input
              // biome-ignore lint/a11y/noAutofocus: the field appears because its button was pressed
              autoFocus
              aria-label={t("name")}
              value={name}
              maxLength={100}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              onKeyDown={({ key }) => key === "Escape" && setName(undefined)}
            />
          </form>
        )}
      </Group>
      <Group gap={4} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          aria-pressed={session.favorite}
          aria-label={t(session.favorite ? "unfavorite" : "favorite")}
          data-testid="favorite"
          onClick={() => change({ favorite: !session.favorite })}
        >
          {session.favorite ? "★" : "☆"}
        </ActionIcon>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button size="compact-sm" variant="default">
              {t("more")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setName(session.name)}>{t("rename")}</Menu.Item>
            <Menu.Item onClick={fork} data-testid="fork">
              {t("fork")}
            </Menu.Item>
            <Menu.Item onClick={() => keep(session.archived ? "restore" : "archive")} data-testid="archive">
              {t(session.archived ? "restore" : "archive")}
            </Menu.Item>
            <Menu.Item component="a" href={`${path}/export?download=true`} download>
              {t("export")}
            </Menu.Item>
            <Menu.Item component="a" href={`${path}/export?format=markdown`} download>
              {t("exportMarkdown")}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <ConfirmButton label={t("remove")} run={remove} />
      </Group>
    </Group>
  );
}

interface ComposerProps {
  readonly sessionId: string;
  readonly isRunning: boolean;
  readonly say: (content: string) => void;
  readonly stop: () => Promise<unknown>;
}

/** What is being written survives a reload and the end of a login. */
function Composer({ sessionId, isRunning, say, stop }: ComposerProps) {
  const { t } = useTexts();
  const key = `parley.draft.${sessionId}`;
  const [text, setText] = useState(() => localStorage.getItem(key) ?? "");
  useEffect(() => {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  }, [key, text]);
  const send = () => {
    if (text.trim() === "") return;
    say(text);
    setText("");
  };
  const typed = (event: React.KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <Group
      p="sm"
      gap="xs"
      align="flex-end"
      wrap="nowrap"
      style={{ borderTop: "1px solid var(--mantine-color-default-border)" }}
    >
      <Textarea
        style={{ flex: 1 }}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={32_000}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={typed}
        placeholder={t("write")}
        aria-label={t("write")}
        data-testid="composer"
        data-autofocus
      />
      {isRunning && (
        <Button variant="default" onClick={() => void stop()} data-testid="stop">
          {t("stop")}
        </Button>
      )}
      <Button onClick={send} disabled={text.trim() === ""} data-testid="send">
        {t("send")}
      </Button>
    </Group>
  );
}
