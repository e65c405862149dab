import { ActionIcon, Button, Group, Textarea } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTexts } from "../i18n.ts";
import { Icon } from "./icon.tsx";

const MOST = 32_000;

interface ComposerProps {
  readonly sessionId: string;
  readonly isRunning: boolean;
  readonly say: (content: string) => void;
  readonly stop: () => Promise<unknown>;
}

/** What is being written survives a reload and the end of a login. */
export function Composer({ sessionId, isRunning, say, stop }: ComposerProps) {
  const { t } = useTexts();
  const key = `parley.draft.${sessionId}`;
  const [text, setText] = useState(() => localStorage.getItem(key) ?? "");
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  }, [key, text]);
  // On a phone the keyboard would cover what is read.
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) field.current?.focus();
  }, []);
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
    <Group className="composer" gap="xs" align="flex-end" wrap="nowrap">
      <Textarea
        ref={field}
        style={{ flex: 1 }}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={MOST}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={typed}
        placeholder={t("write")}
        title={t("writeHint")}
        aria-label={t("write")}
        aria-description={t("writeHint")}
        data-testid="composer"
      />
      {isRunning && (
        <Button
          variant="default"
          leftSection={<Icon name="stop" size={16} filled />}
          onClick={() => void stop()}
          data-testid="stop"
        >
          {t("stop")}
        </Button>
      )}
      <ActionIcon
        size={36}
        variant="filled"
        onClick={send}
        disabled={text.trim() === ""}
        aria-label={t("send")}
        data-testid="send"
      >
        <Icon name="send" />
      </ActionIcon>
    </Group>
  );
}
