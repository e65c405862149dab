import { Button, Group, Text, Textarea } from "@mantine/core";
import type { Message } from "@parley/core";
import { useState } from "react";
import { parley } from "../../shared/api/client.ts";
import { directionOf } from "../../shared/text-direction.ts";
import { ChangedMeanwhile, meanwhileOf, theirRevision } from "../../shared/ui/changed-meanwhile.tsx";
import { Failure } from "../../shared/ui/common.tsx";
import { compared } from "../../shared/ui/differences.tsx";
import type { MessageDeeds } from "./message-actions.tsx";
import { charactersOf, MessageLength, MOST } from "./message-length.tsx";
import { useTexts } from "./texts.ts";
import { forgetDraft, useDraft } from "./use-draft.ts";

interface EditorProps {
  readonly message: Message;
  readonly deeds: MessageDeeds;
  readonly done: () => void;
}

/** What a person said is put another way and asked again, beside what there was; a reply is only corrected. */
export function MessageEditor({ message, done, deeds }: EditorProps) {
  const { t } = useTexts();
  const [text, setText] = useDraft(`edit.${message.id}`, message.content);
  // A change of somebody else comes in while one writes: what it was written upon stays what it was.
  const [seen, setSeen] = useState(message.revision);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const isQuestion = message.role === "user";
  const canSave = text.trim() !== "" && charactersOf(text) <= MOST;
  const save = async (over: number | undefined = seen) => {
    if (!canSave) return;
    setBusy(true);
    try {
      const path = { session_id: message.session_id, message_id: message.id };
      const body = { content: text, ...(isQuestion && { as_branch: true }) };
      await parley.put("/api/sessions/{session_id}/messages/{message_id}", {
        path,
        body,
        ...(!isQuestion && { ifMatch: over }),
      });
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
  const readTheirs = () => {
    setText(message.content);
    setSeen(message.revision);
    setError(undefined);
  };
  const what = meanwhileOf(error, { id: message.id });
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
        attributes={{ input: { dir: directionOf(text) } }}
        data-testid="editor"
      />
      <MessageLength text={text} />
      {isQuestion && (
        <Text size="xs" c="dimmed" mt={4}>
          {t("branchHint")}
        </Text>
      )}
      {what ? (
        <ChangedMeanwhile
          what={what}
          error={error}
          compared={compared<Pick<Message, "content">>(
            { content: text },
            async () => message,
            (theirs) => setText(theirs.content ?? ""),
          )}
          words={() => ({ label: t("edit") })}
          theirs={readTheirs}
          mine={() => save(theirRevision(error))}
          written={() => text}
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
        <Button size="compact-sm" variant="default" onClick={leave}>
          {t("cancel")}
        </Button>
      </Group>
    </div>
  );
}
