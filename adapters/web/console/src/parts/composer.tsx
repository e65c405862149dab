import { ActionIcon, Button, Group, Textarea } from "@mantine/core";
import type { Attachment } from "@parley/core";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTexts } from "../i18n.ts";
import { Icon } from "./icon.tsx";
import { IconButton } from "./icon-button.tsx";
import { PickedFiles } from "./picked-files.tsx";
import { type Attachments, useAttachments } from "./use-attachments.ts";
import { useFileDrop } from "./use-file-drop.ts";

const MOST = 32_000;

interface ComposerProps {
  readonly sessionId: string;
  readonly isRunning: boolean;
  readonly say: (content: string, attachments: readonly Attachment[]) => void;
  readonly stop: () => Promise<unknown>;
}

/** What is being written survives a reload and the end of a login. */
export function Composer({ sessionId, isRunning, say, stop }: ComposerProps) {
  const { t } = useTexts();
  const key = `parley.draft.${sessionId}`;
  const [text, setText] = useState(() => localStorage.getItem(key) ?? "");
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  }, [key, text]);
  // On a phone the keyboard would cover what is read.
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) field.current?.focus();
  }, []);
  const files = useAttachments(sessionId);
  const isHeld = useFileDrop(files.add);
  const canSend = !files.isBusy && (text.trim() !== "" || files.picked.length > 0);
  const send = () => {
    if (!canSend) return;
    say(text, files.take());
    setText("");
  };
  const pasted = (event: React.ClipboardEvent) => {
    const { files: pictures, types } = event.clipboardData;
    // What has words too, like cells of a table, is meant as words.
    if (pictures.length === 0 || types.includes("text/plain")) return;
    event.preventDefault();
    files.add([...pictures]);
  };
  const typed = (event: React.KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="composer">
      <PickedFiles files={files} />
      {isHeld && <div className="drop-here">{t("dropHere")}</div>}
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <AttachButton files={files} />
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
          onPaste={pasted}
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
          disabled={!canSend}
          aria-label={t("send")}
          data-testid="send"
        >
          <Icon name="send" />
        </ActionIcon>
      </Group>
    </div>
  );
}

function AttachButton({ files: { add, limitMb } }: { readonly files: Attachments }) {
  const { t } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const chosen = ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) => {
    add([...(currentTarget.files ?? [])]);
    // The same file may be chosen again.
    currentTarget.value = "";
  };
  return (
    <>
      <input ref={input} type="file" multiple hidden onChange={chosen} data-testid="file-input" />
      <IconButton
        icon="attach"
        size="lg"
        label={limitMb === undefined ? t("attach") : `${t("attach")} (≤ ${limitMb} MB)`}
        onClick={() => input.current?.click()}
        testId="attach"
      />
    </>
  );
}
