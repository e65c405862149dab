import { ActionIcon, Button, Group, Text, Textarea } from "@mantine/core";
import type { Attachment, Message } from "@parley/core";
import { useEffect, useId, useImperativeHandle, useRef, useState } from "react";
import { directionOf } from "../../shared/text-direction.ts";
import { Failure } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { IconButton } from "../../shared/ui/icon-button.tsx";
import { useFileDrop } from "../../shared/ui/use-file-drop.ts";
import { type ChannelPlace, OUTSIDE } from "./channel-place.ts";
import composerCss from "./composer.module.css";
import { type Mode, ModeChoice } from "./composer-mode.tsx";
import { charactersOf, MessageLength, MOST } from "./message-length.tsx";
import { ModelsChoice } from "./models-choice.tsx";
import { PickedFiles } from "./picked-files.tsx";
import { Answering } from "./replies.tsx";
import { SlashChoices, useSlashMenu } from "./slash-menu.tsx";
import { useTexts } from "./texts.ts";
import { type Attachments, useAttachments } from "./use-attachments.ts";
import type { LiveConversation } from "./use-conversation.ts";
import { useDictation } from "./use-dictation.ts";
import { useDraft } from "./use-draft.ts";
import { useOperatorSend } from "./use-operator-send.ts";
import { DictateButton } from "./voice-parts.tsx";

/** So much is a file at once: no field of a browser is quick with it. */
const VAST = 200_000;

/** What others may do with what is being written. */
export interface ComposerHandle {
  /** Puts back what was said, before what is being written now. */
  giveBack(said: { readonly content: string; readonly attachments: readonly Attachment[] }): void;
  /** What is being written answers this message. */
  reply(message: Message): void;
  /** Puts the cursor into it. */
  write(): void;
}

export interface ComposerProps {
  readonly sessionId: string;
  readonly talk: Pick<LiveConversation, "isRunning" | "say" | "stop"> & Partial<Pick<LiveConversation, "askModels">>;
  /** Where other people listen: it is asked what is meant. */
  readonly place: ChannelPlace | undefined;
  /** An operator answers here, not the AI. */
  readonly isTakenOver: boolean;
  readonly handle: React.Ref<ComposerHandle>;
}

export function Composer({ sessionId, talk, place, isTakenOver, handle }: ComposerProps) {
  const { isRunning, say, askModels, stop } = talk;
  const { t } = useTexts();
  const [text, setText, isKept] = useDraft(sessionId);
  const [mode, setMode] = useMode(isTakenOver);
  const field = useRef<HTMLTextAreaElement>(null);
  // On a phone the keyboard would cover what is read.
  useEffect(() => {
    if (matchMedia("(hover: hover)").matches) field.current?.focus();
  }, []);
  const [answered, answer] = useState<Message>();
  const [models, setModels] = useState<readonly string[]>([]);
  const files = useAttachments(sessionId);
  const operator = useOperatorSend(sessionId);
  const dictation = useDictation((words) => {
    setText((now) => [now.trimEnd(), words].filter((part) => part !== "").join(" "));
    field.current?.focus();
  });
  const slash = useSlashMenu(text, setText);
  const slashId = useId();
  const isHeld = useFileDrop(files.add);
  useImperativeHandle(handle, () => ({
    giveBack({ content, attachments }) {
      setText((now) => [content, now].filter((part) => part !== "").join("\n"));
      files.putBack(attachments);
      field.current?.focus();
    },
    reply(message) {
      answer(message);
      field.current?.focus();
    },
    write: () => field.current?.focus(),
  }));
  const isTooLong = charactersOf(text) > MOST;
  const isEmpty = text.trim() === "" && files.picked.length === 0;
  const canSend = !files.isBusy && !operator.isBusy && !isTooLong && !isEmpty;
  const sends = place !== undefined && mode === "send";
  const notes = place !== undefined && mode === "note";
  const send = async () => {
    if (!canSend) return;
    const attachments = files.take();
    setText("");
    answer(undefined);
    if (!sends && !notes && askModels && models.length > 1) askModels(text, attachments, models, answered?.id);
    else if (!sends && !notes) say(text, attachments, answered?.id);
    else if (!(await operator.send(text, attachments, notes, answered?.id))) {
      answer(answered);
      setText((now) => [text, now].filter((part) => part !== "").join("\n"));
      files.putBack(attachments);
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
    if (words.length > VAST) {
      event.preventDefault();
      return void attachPasted(words);
    }
    // What has words too, like cells of a table, is meant as words.
    if (pictures.length === 0 || types.includes("text/plain")) return;
    event.preventDefault();
    void files.add([...pictures]);
  };
  const typed = (event: React.KeyboardEvent) => {
    if (slash.pressed(event)) return;
    if (event.key === "Escape" && answered && !event.nativeEvent.isComposing) return answer(undefined);
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
      {!isKept && (
        <Text size="xs" c="red" role="alert">
          {t("draftNotKept")}
        </Text>
      )}
      {answered && <Answering message={answered} end={() => answer(undefined)} />}
      <PickedFiles files={files} />
      {isHeld && <div className={composerCss.dropHere}>{t("dropHere")}</div>}
      <MessageLength text={text}>
        <Button size="compact-sm" onClick={attachText} loading={files.isBusy} data-testid="attach-text">
          {t("attachAsText")}
        </Button>
      </MessageLength>
      <SlashChoices menu={slash} id={slashId} field={field} />
      <Group className={composerCss.write} gap={4} align="flex-end" wrap="nowrap">
        <AttachButton files={files} />
        {askModels && !sends && !notes && <ModelsChoice chosen={models} choose={setModels} />}
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
          aria-activedescendant={slash.found.length > 0 ? `${slashId}-${slash.at}` : undefined}
          // On the field itself: another `dir` would stand on what is around it.
          attributes={{ input: { dir: directionOf(text) } }}
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
          color={sends ? OUTSIDE : "parley"}
          onClick={() => void send()}
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

/** What is to happen with what is written: who has taken a conversation over speaks to its people, until something else is chosen. */
function useMode(isTakenOver: boolean): readonly [mode: Mode, choose: (mode: Mode) => void] {
  const usual = isTakenOver ? "send" : "ask";
  const [{ mode, of }, setMode] = useState({ mode: usual as Mode, of: usual });
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
