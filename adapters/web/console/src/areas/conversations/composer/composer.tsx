import { ActionIcon, Button, Group, Text, Textarea } from "@mantine/core";
import type { Attachment, Message } from "@parley/core";
import { useEffect, useId, useImperativeHandle, useRef, useState } from "react";
import { detectDirection } from "../../../shared/text-direction.ts";
import { Failure } from "../../../shared/ui/common.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import { useFileDrop } from "../../../shared/ui/form/use-file-drop.ts";
import { ReplyDraftHeader } from "../message/quoted-message.tsx";
import { useTexts } from "../texts.ts";
import { type ChannelTarget, OUTSIDE_COLOR } from "../thread/channel-target.ts";
import type { LiveConversation } from "../thread/use-conversation.ts";
import { useDictation } from "../voice/use-dictation.ts";
import { DictateButton } from "../voice/voice-controls.tsx";
import { AttachmentList } from "./attachment-list.tsx";
import composerCss from "./composer.module.css";
import { type ComposerMode, ModeChoice } from "./composer-mode.tsx";
import { countCharacters, MAX_LENGTH, MessageLength } from "./message-length.tsx";
import { ModelMultiSelect } from "./model-multi-select.tsx";
import { SlashMenuPopup, useSlashMenu } from "./slash-menu.tsx";
import { type Attachments, useAttachments } from "./use-attachments.ts";
import { useDraft } from "./use-draft.ts";
import { useOperatorSend } from "./use-operator-send.ts";

/** Longer pastes become a file, because they slow down a text field. */
const LARGE_PASTE_LENGTH = 200_000;

/** The handle other components use to control the composer. */
export interface ComposerHandle {
  /** Puts an unsent message back before the current draft. */
  restore(message: { readonly content: string; readonly attachments: readonly Attachment[] }): void;
  /** Makes the draft a reply to this message. */
  reply(message: Message): void;
  focus(): void;
}

export interface ComposerProps {
  readonly sessionId: string;
  readonly conversation: Pick<LiveConversation, "isRunning" | "ask" | "stop"> &
    Partial<Pick<LiveConversation, "askModels">>;
  /** The channel and chat of a channel conversation, where the user chooses a mode; undefined in the console. */
  readonly target: ChannelTarget | undefined;
  /** True while an operator answers instead of the AI. */
  readonly isTakenOver: boolean;
  readonly handle: React.Ref<ComposerHandle>;
}

export function Composer({ sessionId, conversation, target, isTakenOver, handle }: ComposerProps) {
  const { isRunning, ask, askModels, stop } = conversation;
  const { t } = useTexts();
  const [text, setText, isStored] = useDraft(sessionId);
  const [mode, setMode] = useComposerMode(isTakenOver);
  const field = useRef<HTMLTextAreaElement>(null);
  // On a phone the keyboard would cover the messages.
  const focusUnlessPhone = () => {
    if (matchMedia("(hover: hover)").matches) field.current?.focus();
  };
  useEffect(focusUnlessPhone, []);
  const [repliedMessage, setRepliedMessage] = useState<Message>();
  const [models, setModels] = useState<readonly string[]>([]);
  const files = useAttachments(sessionId);
  const operator = useOperatorSend(sessionId);
  const dictation = useDictation((dictatedText) => {
    setText((now) => [now.trimEnd(), dictatedText].filter((part) => part !== "").join(" "));
    field.current?.focus();
  });
  const slash = useSlashMenu(text, setText);
  const slashId = useId();
  const isDragging = useFileDrop(files.add);
  useImperativeHandle(handle, () => ({
    restore({ content, attachments }) {
      setText((now) => [content, now].filter((part) => part !== "").join("\n"));
      files.restore(attachments);
      field.current?.focus();
    },
    reply(message) {
      setRepliedMessage(message);
      field.current?.focus();
    },
    focus: () => field.current?.focus(),
  }));
  const isTooLong = countCharacters(text) > MAX_LENGTH;
  const isEmpty = text.trim() === "" && files.attachedFiles.length === 0;
  const canSend = !files.isBusy && !operator.isBusy && !isTooLong && !isEmpty;
  const isToPeople = target !== undefined && mode === "send";
  const isNote = target !== undefined && mode === "note";
  const send = async () => {
    if (!canSend) return;
    const attachments = files.take();
    setText("");
    setRepliedMessage(undefined);
    if (!isToPeople && !isNote && askModels && models.length > 1)
      askModels(text, attachments, models, repliedMessage?.id);
    else if (!isToPeople && !isNote) ask(text, attachments, repliedMessage?.id);
    else if (!(await operator.send(text, attachments, isNote, repliedMessage?.id))) {
      setRepliedMessage(repliedMessage);
      setText((now) => [text, now].filter((part) => part !== "").join("\n"));
      files.restore(attachments);
    }
  };
  const attach = (text: string) => files.add([new File([text], `${t("textFileName")}.txt`, { type: "text/plain" })]);
  const attachText = async () => {
    // A text whose upload failed stays in the draft.
    if (await attach(text)) setText((now) => (now === text ? "" : now));
    field.current?.focus();
  };
  const attachPasted = async (pastedText: string) => {
    if (!(await attach(pastedText))) setText((now) => now + pastedText);
  };
  const stopReply = () => {
    void stop();
    // The stop button disappears with the reply.
    field.current?.focus();
  };
  const onPaste = (event: React.ClipboardEvent) => {
    const { files: pastedFiles, types } = event.clipboardData;
    const pastedText = event.clipboardData.getData("text/plain");
    if (pastedText.length > LARGE_PASTE_LENGTH) {
      event.preventDefault();
      return void attachPasted(pastedText);
    }
    // Copied table cells come as text and as a picture: the text is meant.
    if (pastedFiles.length === 0 || types.includes("text/plain")) return;
    event.preventDefault();
    void files.add([...pastedFiles]);
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (slash.onKeyDown(event)) return;
    if (event.key === "Escape" && repliedMessage && !event.nativeEvent.isComposing) return setRepliedMessage(undefined);
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  return (
    <div className={composerCss.composer} data-to-people={isToPeople}>
      {target && <ModeChoice target={target} mode={mode} onSelect={setMode} />}
      <Failure error={operator.error ?? dictation.error} />
      {operator.isPending && (
        <Text size="xs" c="dimmed" role="status">
          {t("sendPending")}
        </Text>
      )}
      {!isStored && (
        <Text size="xs" c="red" role="alert">
          {t("draftNotStored")}
        </Text>
      )}
      {repliedMessage && <ReplyDraftHeader message={repliedMessage} onCancel={() => setRepliedMessage(undefined)} />}
      <AttachmentList files={files} />
      {isDragging && <div className={composerCss.dropHere}>{t("dropHere")}</div>}
      <MessageLength text={text}>
        <Button size="compact-sm" onClick={attachText} loading={files.isBusy} data-testid="attach-text">
          {t("attachAsText")}
        </Button>
      </MessageLength>
      <SlashMenuPopup menu={slash} id={slashId} field={field} />
      <Group className={composerCss.write} gap={4} align="flex-end" wrap="nowrap">
        <AttachButton files={files} />
        {askModels && !isToPeople && !isNote && <ModelMultiSelect selected={models} onSelect={setModels} />}
        <DictateButton dictation={dictation} />
        <Textarea
          ref={field}
          style={{ flex: 1 }}
          autosize
          minRows={1}
          maxRows={8}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          placeholder={t("write")}
          title={t("writeHint")}
          aria-label={t("write")}
          aria-description={t("writeHint")}
          aria-invalid={isTooLong}
          aria-activedescendant={slash.commands.length > 0 ? `${slashId}-${slash.activeIndex}` : undefined}
          // The direction applies to the field only, not to the elements around it.
          attributes={{ input: { dir: detectDirection(text) } }}
          data-testid="composer"
        />
        {isRunning && (
          <Button
            variant="default"
            leftSection={<Icon name="stop" size={16} filled />}
            onClick={stopReply}
            data-testid="stop"
          >
            {t("stop")}
          </Button>
        )}
        <ActionIcon
          size={36}
          radius="lg"
          variant="filled"
          color={isToPeople ? OUTSIDE_COLOR : "parley"}
          onClick={() => {
            void send();
            focusUnlessPhone();
          }}
          disabled={!canSend}
          loading={operator.isBusy}
          aria-label={isToPeople ? t("sendTo", { name: target.name }) : t(isNote ? "saveNote" : "send")}
          data-testid="send"
        >
          <Icon name="send" />
        </ActionIcon>
      </Group>
    </div>
  );
}

/** The composer mode: the chosen one, else `send` while taken over and `ask` otherwise. Taking over resets the choice. */
function useComposerMode(isTakenOver: boolean): readonly [mode: ComposerMode, setMode: (mode: ComposerMode) => void] {
  const defaultMode = isTakenOver ? "send" : "ask";
  const [{ mode, chosenFor }, setMode] = useState<{ readonly mode: ComposerMode; readonly chosenFor: ComposerMode }>({
    mode: defaultMode,
    chosenFor: defaultMode,
  });
  if (chosenFor !== defaultMode) setMode({ mode: defaultMode, chosenFor: defaultMode });
  return [chosenFor === defaultMode ? mode : defaultMode, (mode) => setMode({ mode, chosenFor: defaultMode })];
}

function AttachButton({ files: { add, limitMb } }: { readonly files: Attachments }) {
  const { t } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const onChange = ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) => {
    void add([...(currentTarget.files ?? [])]);
    // Without a reset, picking the same file again fires no event.
    currentTarget.value = "";
  };
  return (
    <>
      <input ref={input} type="file" multiple hidden onChange={onChange} data-testid="file-input" />
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
