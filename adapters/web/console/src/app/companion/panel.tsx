import { ActionIcon, Button, Group, Paper, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { ApiError, parley } from "../../shared/api/client.ts";
import { toJsonObject } from "../../shared/json-object.ts";
import { useConnectionPhase } from "../../shared/live/live-provider.tsx";
import { Failure } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import companionCss from "./companion.module.css";
import { Face, type Mood } from "./face.tsx";
import { useTexts } from "./texts.ts";

interface PendingToolCall {
  readonly tool: string;
  readonly arguments?: unknown;
  readonly confirm_id: string;
}

interface PanelProps {
  readonly mood: Mood;
  readonly onMood: (mood: Mood) => void;
  readonly close: () => void;
  readonly hide: () => void;
}

/** The companion's panel: its mood, a conversation with it, and the tool call it proposes. */
export function CompanionPanel({ mood, onMood, close, hide }: PanelProps) {
  const { t } = useTexts();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const sessionId = /^\/sessions\/([^/]+)/.exec(path)?.[1];
  const isConnected = useConnectionPhase() === "open";
  const [text, setText] = useState<string>();
  const [topic, setTopic] = useState("");
  const [pending, setPending] = useState<PendingToolCall>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const frontend = {
    current_page: path,
    socket_connected: isConnected,
    ...(sessionId && { current_session: sessionId }),
  };
  const body = { frontend, avatar: { mood } };
  const menu = useQuery({
    queryKey: ["companion", "menu"],
    queryFn: () => parley.post("/api/avatar/menu-options", { body }),
    staleTime: 60_000,
  });
  useEffect(() => {
    panel.current?.querySelector("input")?.focus();
  }, []);
  const runTask = async (work: () => Promise<string>) => {
    setBusy(true);
    setError(undefined);
    onMood("thinking");
    try {
      setText(await work());
    } catch (thrown) {
      setError(thrown);
      onMood("worried");
    } finally {
      setBusy(false);
    }
  };
  const talk = (words: string) =>
    runTask(async () => {
      const answer = await parley.post("/api/avatar/random-talk", { body: { ...body, topic: words.slice(0, 500) } });
      setTopic("");
      setPending(answer.pending ?? undefined);
      onMood(answer.pending ? "asking" : "happy");
      return answer.message;
    });
  const comment = () =>
    runTask(async () => {
      const { message } = await parley.post("/api/avatar/comment", { body: { session_id: sessionId ?? "" } });
      onMood(message === null ? "calm" : "happy");
      return message ?? t("nothingToSay");
    });
  const runPendingCall = ({ tool, arguments: toolArguments, confirm_id }: PendingToolCall) =>
    runTask(async () => {
      const params = { tool, arguments: toJsonObject(toolArguments), confirm_id };
      await parley.post("/api/web-agent/execute", { body: params });
      setPending(undefined);
      onMood("happy");
      return t("done");
    });
  const clearChat = () =>
    runTask(async () => {
      await parley.post("/api/avatar/reset");
      onMood("calm");
      return t("cleared");
    });
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (!isBusy) void talk(topic);
  };
  const hasNoModel = error instanceof ApiError && error.code === "unavailable";
  return (
    <Paper
      ref={panel}
      className={companionCss.companionPanel}
      role="dialog"
      aria-label={t("companion")}
      shadow="md"
      p="sm"
      withBorder
      onKeyDown={({ key }) => key === "Escape" && close()}
      data-testid="companion-panel"
    >
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Face mood={mood} size={44} />
        <Text size="sm" role="status" style={{ flex: 1, overflowWrap: "anywhere" }} data-testid="companion-says">
          {text ?? menu.data?.greeting ?? "…"}
        </Text>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t("close")} onClick={close}>
          <Icon name="close" size={14} />
        </ActionIcon>
      </Group>
      {pending && (
        <div className={companionCss.companionProposal}>
          <Text size="xs">{t("wantsToRun", { tool: pending.tool })}</Text>
          <pre>{JSON.stringify(pending.arguments, undefined, 1)}</pre>
          <Group gap="xs">
            <Button
              size="compact-xs"
              onClick={() => void runPendingCall(pending)}
              loading={isBusy}
              data-testid="companion-agree"
            >
              {t("runTool")}
            </Button>
            <Button size="compact-xs" variant="default" onClick={() => setPending(undefined)}>
              {t("reject")}
            </Button>
          </Group>
        </div>
      )}
      {hasNoModel ? (
        <Text size="xs" c="dimmed" my="xs">
          {t("noModel")}
        </Text>
      ) : (
        <Failure error={error} />
      )}
      <Group gap={4} my="xs">
        {menu.data?.options.map((option) => (
          <Button key={option} size="compact-xs" variant="light" disabled={isBusy} onClick={() => void talk(option)}>
            {option}
          </Button>
        ))}
        {sessionId && (
          <Button size="compact-xs" variant="light" disabled={isBusy} onClick={comment} data-testid="companion-look">
            {t("comment")}
          </Button>
        )}
      </Group>
      <form onSubmit={submit}>
        <Group gap={4} wrap="nowrap">
          <TextInput
            size="xs"
            style={{ flex: 1 }}
            value={topic}
            maxLength={500}
            aria-label={t("talk")}
            placeholder={t("talk")}
            onChange={({ currentTarget }) => setTopic(currentTarget.value)}
            data-testid="companion-topic"
          />
          <ActionIcon type="submit" size={30} loading={isBusy} aria-label={t("send")}>
            <Icon name="send" size={14} />
          </ActionIcon>
        </Group>
      </form>
      <Group justify="space-between" mt={6}>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={clearChat}>
          {t("clear")}
        </Button>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={hide} data-testid="companion-hide">
          {t("hide")}
        </Button>
      </Group>
    </Paper>
  );
}
