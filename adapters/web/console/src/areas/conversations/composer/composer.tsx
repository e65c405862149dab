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

/** Pastes of this length or more become a file: no text field stays fast with them. */
const LARGE_PASTE_LENGTH = 200_000;

/** The handle other components use to control the composer. */
export interface ComposerHandle {
  /** Puts a sent message back, before the current draft. */
  restore(message: { readonly content: string; readonly attachments: readonly Attachment[] }): void;
  /** Makes the draft a reply to this message. */
  reply(message: Message): void;
  /** Puts the cursor into it. */
  focus(): void;
}

export interface ComposerProps {
  readonly sessionId: string;
  readonly talk: Pick<LiveConversation, "isRunning" | "say" | "stop"> & Partial<Pick<LiveConversation, "askModels">>;
  /** The channel and chat of a conversation with people; the composer then offers the modes to choose from. */
  readonly place: ChannelTarget | undefined;
  /** An operator answers here, not the AI. */
  readonly isTakenOver: boolean;
  readonly handle: React.Ref<ComposerHandle>;
}

export function Composer({ sessionId, talk, place, isTakenOver, handle }: ComposerProps) {
  const { isRunning, say, askModels, stop } = talk;
  const { t } = useTexts();
  const [text, setText, isStored] = useDraft(sessionId);
  const [mode, setMode] = useComposerMode(isTakenOver);
  const field = useRef<HTMLTextAreaElement>(null);
  // On a phone the keyboard would cover what is read.
  const focusUnlessPhone = () => {
    if (matchMedia("(hover: hover)").matches) field.current?.focus();
  };
  useEffect(focusUnlessPhone, []);
  const [answeredMessage, answer] = useState<Message>();
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
      answer(message);
      field.current?.focus();
    },
    focus: () => field.current?.focus(),
  }));
  const isTooLong = countCharacters(text) > MAX_LENGTH;
  const isEmpty = text.trim() === "" && files.attachedFiles.length === 0;
  const canSend = !files.isBusy && !operator.isBusy && !isTooLong && !isEmpty;
  const sends = place !== undefined && mode === "send";
  const notes = place !== undefined && mode === "note";
  const send = async () => {
    if (!canSend) return;
    const attachments = files.take();
    setText("");
    answer(undefined);
    if (!sends && !notes && askModels && models.length > 1) askModels(text, attachments, models, answeredMessage?.id);
    else if (!sends && !notes) say(text, attachments, answeredMessage?.id);
    else if (!(await operator.send(text, attachments, notes, answeredMessage?.id))) {
      answer(answeredMessage);
      setText((now) => [text, now].filter((part) => part !== "").join("\n"));
      files.restore(attachments);
    }
  };
  const attach = (words: string) => files.add([new File([words], `${t("textFileName")}.txt`, { type: "text/plain" })]);
  const attachText = async () => {
    // What cannot be kept as a file stays here.
    if (await attach(text)) setText((now) => (now === text ? "" : now));
    field.current?.focus();
  };
  const attachPasted = async (words: string) => {
    if (!(await attach(words))) setText((now) => now + words);
  };
  const end = () => {
    void stop();
    // The button goes away with the reply.
    field.current?.focus();
  };
  const pasted = (event: React.ClipboardEvent) => {
    const { files: pictures, types } = event.clipboardData;
    const words = event.clipboardData.getData("text/plain");
    if (words.length > LARGE_PASTE_LENGTH) {
      event.preventDefault();
      return void attachPasted(words);
    }
    // What has words too, like cells of a table, is meant as words.
    if (pictures.length === 0 || types.includes("text/plain")) return;
    event.preventDefault();
    void files.add([...pictures]);
  };
  const typed = (event: React.KeyboardEvent) => {
    if (slash.onKeyDown(event)) return;
    if (event.key === "Escape" && answeredMessage && !event.nativeEvent.isComposing) return answer(undefined);
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  return (
    <div className={composerCss.composer} data-sends={sends}>
      {place && <ModeChoice place={place} mode={mode} choose={setMode} />}
      <Failure error={operator.error ?? dictation.error} />
      {operator.isPending && (
        <Text size="xs" c="dimmed" role="status">
          {t("onItsWay")}
        </Text>
      )}
      {!isStored && (
        <Text size="xs" c="red" role="alert">
          {t("draftNotKept")}
        </Text>
      )}
      {answeredMessage && <ReplyDraftHeader message={answeredMessage} end={() => answer(undefined)} />}
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
        {askModels && !sends && !notes && <ModelMultiSelect selected={models} onSelect={setModels} />}
        <DictateButton dictation={dictation} />
        <Textarea
          ref={field}
          style={{ flex: 1 }}
          autosize
          minRows={1}
          maxRows={8}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={typed}
          onPaste={pasted}
          placeholder={t("write")}
          title={t("writeHint")}
          aria-label={t("write")}
          aria-description={t("writeHint")}
          aria-invalid={isTooLong}
          aria-activedescendant={slash.commands.length > 0 ? `${slashId}-${slash.activeIndex}` : undefined}
          // On the field itself: another `dir` would stand on what is around it.
          attributes={{ input: { dir: detectDirection(text) } }}
          data-testid="composer"
        />
        {isRunning && (
          <Button
            variant="default"
            leftSection={<Icon name="stop" size={16} filled />}
            onClick={end}
            data-testid="stop"
          >
            {t("stop")}
          </Button>
        )}
        <ActionIcon
          size={36}
          radius="lg"
          variant="filled"
          color={sends ? OUTSIDE_COLOR : "parley"}
          onClick={() => {
            void send();
            focusUnlessPhone();
          }}
          disabled={!canSend}
          loading={operator.isBusy}
          aria-label={sends ? t("sendTo", { name: place.name }) : t(notes ? "keepNote" : "send")}
          data-testid="send"
        >
          <Icon name="send" />
        </ActionIcon>
      </Group>
    </div>
  );
}

/** The composer mode; defaults to `send` while taken over, else `ask`, until another one is chosen. */
function useComposerMode(isTakenOver: boolean): readonly [mode: ComposerMode, choose: (mode: ComposerMode) => void] {
  const usual = isTakenOver ? "send" : "ask";
  const [{ mode, of }, setMode] = useState<{ readonly mode: ComposerMode; readonly of: ComposerMode }>({
    mode: usual,
    of: usual,
  });
  if (of !== usual) setMode({ mode: usual, of: usual });
  return [of === usual ? mode : usual, (mode) => setMode({ mode, of: usual })];
}

function AttachButton({ files: { add, limitMb } }: { readonly files: Attachments }) {
  const { t } = useTexts();
  const input = useRef<HTMLInputElement>(null);
  const chosen = ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) => {
    void add([...(currentTarget.files ?? [])]);
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
