import { Button, Group, Text, Textarea } from "@mantine/core";
import type { Message } from "@parley/core";
import { useState } from "react";
import { parley } from "../../../shared/api/client.ts";
import { detectDirection } from "../../../shared/text-direction.ts";
import { Failure } from "../../../shared/ui/common.tsx";
import { createComparison } from "../../../shared/ui/form/conflict-differences.tsx";
import { EditConflictNotice, getConflictKind, getConflictRevision } from "../../../shared/ui/form/edit-conflict.tsx";
import { countCharacters, MAX_LENGTH, MessageLength } from "../composer/message-length.tsx";
import { deleteDraft, useDraft } from "../composer/use-draft.ts";
import { useTexts } from "../texts.ts";
import type { MessageActionHandlers } from "./message-actions.tsx";

interface MessageEditorProps {
  readonly message: Message;
  readonly handlers: MessageActionHandlers;
  readonly onDone: () => void;
}

/** Edits a message. An edited question is asked again on a new branch; a reply is only corrected. */
export function MessageEditor({ message, onDone, handlers }: MessageEditorProps) {
  const { t } = useTexts();
  const [text, setText] = useDraft(`edit.${message.id}`, message.content);
  // The revision that editing started from, so that a change by another user in the meantime is a conflict.
  const [revision, setRevision] = useState(message.revision);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const isQuestion = message.role === "user";
  const canSave = text.trim() !== "" && countCharacters(text) <= MAX_LENGTH;
  const save = async (baseRevision: number | undefined = revision) => {
    if (!canSave) return;
    setBusy(true);
    try {
      const path = { session_id: message.session_id, message_id: message.id };
      const body = { content: text, ...(isQuestion && { as_branch: true }) };
      await parley.put("/api/sessions/{session_id}/messages/{message_id}", {
        path,
        body,
        ...(!isQuestion && { ifMatch: baseRevision }),
      });
      deleteDraft(`edit.${message.id}`);
      onDone();
      if (!isQuestion) return;
      handlers.onBranched(message);
      await handlers.regenerate();
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  const takeTheirs = () => {
    setText(message.content);
    setRevision(message.revision);
    setError(undefined);
  };
  const conflict = getConflictKind(error, { id: message.id });
  const cancel = () => {
    setText(message.content);
    deleteDraft(`edit.${message.id}`);
    onDone();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === "Escape") cancel();
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
        onKeyDown={onKeyDown}
        aria-label={t("edit")}
        attributes={{ input: { dir: detectDirection(text) } }}
        data-testid="editor"
      />
      <MessageLength text={text} />
      {isQuestion && (
        <Text size="xs" c="dimmed" mt={4}>
          {t("branchHint")}
        </Text>
      )}
      {conflict ? (
        <EditConflictNotice
          kind={conflict}
          error={error}
          comparison={createComparison<Pick<Message, "content">>(
            { content: text },
            async () => message,
            (theirs) => setText(theirs.content ?? ""),
          )}
          fieldInfo={() => ({ label: t("edit") })}
          onTakeTheirs={takeTheirs}
          onKeepMine={() => save(getConflictRevision(error))}
          toText={() => text}
        />
      ) : (
        <Failure error={error} />
      )}
      <Group gap="xs" mt={6}>
        <Button
          size="compact-sm"
          onClick={() => void save()}
          loading={isBusy}
          disabled={!canSave}
          data-testid="save-edit"
        >
          {t(isQuestion ? "saveAndAsk" : "save")}
        </Button>
        <Button size="compact-sm" variant="default" onClick={cancel}>
          {t("cancel")}
        </Button>
      </Group>
    </div>
  );
}
