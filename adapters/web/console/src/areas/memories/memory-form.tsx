import { Autocomplete, Button, Group, Slider, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { theirRevision } from "../../shared/ui/changed-meanwhile.tsx";
import { useTried } from "../../shared/ui/common.tsx";
import { compared } from "../../shared/ui/differences.tsx";
import { ChoiceField, LongField, NumberField, PickField, TextField, WordsField } from "../../shared/ui/fields.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { type Kind, type Memory, type MemoryDraft, memories } from "./api.ts";
import { CHANGED } from "./page.tsx";
import { useTexts } from "./texts.ts";

export const KINDS = ["fact", "preference", "event", "plan", "relation", "other"] as const satisfies readonly Kind[];
const TYPES = ["long", "short"] as const;
const PRIORITIES = ["high", "normal", "low"] as const;

interface MemoryFormProps {
  /** Undefined: a new one. */
  readonly memory: Memory | undefined;
  readonly persons: readonly string[];
  /** What the page shows now. */
  readonly person: string | null;
  readonly character: string | null;
  /** Shows it as it is stored by now. */
  readonly again: () => Promise<unknown>;
  /** What of it is stored by now. */
  readonly read: () => Promise<Partial<MemoryDraft>>;
  readonly done: () => void;
}

function startOf({ memory, person, character }: MemoryFormProps): MemoryDraft {
  if (memory) {
    const { title, content, kind, type, expire_days, target_id, character_id, priority, importance, tags } = memory;
    return { title, content, kind, type, expire_days, target_id, character_id, priority, importance, tags };
  }
  return {
    title: "",
    content: "",
    kind: "fact",
    type: "long",
    expire_days: 7,
    target_id: person,
    character_id: character,
    priority: "normal",
    importance: 5,
    tags: [],
  };
}

/** One memory: what is remembered, of whom, and how much it counts. */
export function MemoryForm(props: MemoryFormProps) {
  const { memory, persons, again, read, done } = props;
  const { t } = useTexts();
  const [start] = useState(() => startOf(props));
  const [draft, setDraft] = useState(start);
  const { tried, isBusy, error } = useTried(CHANGED);
  const characters = useQuery({ queryKey: ["character", "names"], queryFn: memories.characters });
  const put = (patch: Partial<MemoryDraft>) => setDraft((before) => ({ ...before, ...patch }));
  const changed = Object.entries(draft).filter(([name, value]) => value !== start[name as keyof MemoryDraft]);
  const create = tried(async () => {
    const { expire_days, ...rest } = draft;
    await memories.create({ ...rest, title: titleOf(draft), ...(draft.type === "short" && { expire_days }) });
    done();
  });
  const change = ({ id }: Memory, revision: number | undefined) =>
    tried(async () => {
      await memories.change(id, Object.fromEntries(changed), revision);
      done();
    });
  const save = memory ? change(memory, memory.revision) : create;
  return (
    <Form
      isChanged={changed.length > 0}
      error={error}
      submit={save}
      meanwhile={
        memory && {
          id: memory.id,
          compared: compared<MemoryDraft>(Object.fromEntries(changed), read, put),
          theirs: tried(again),
          mine: change(memory, theirRevision(error)),
          anew: create,
        }
      }
    >
      <Stack gap="sm">
        <LongField
          name="content"
          label={t("content")}
          value={draft.content}
          put={(content) => put({ content })}
          minRows={3}
          required
          data-autofocus
          testId="memory-content"
        />
        <TextField
          name="title"
          label={t("title")}
          placeholder={titleOf(draft)}
          value={draft.title}
          maxLength={200}
          required={memory !== undefined}
          put={(title) => put({ title })}
        />
        <At name="target_id">
          <Autocomplete
            label={t("person")}
            description={t("personHint")}
            data={[...persons]}
            value={draft.target_id ?? ""}
            maxLength={200}
            onChange={(value) => put({ target_id: value.trim() === "" ? null : value.trim() })}
          />
        </At>
        <PickField
          name="character_id"
          label={t("character")}
          placeholder={t("forCharacters")}
          data={(characters.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.character_id}
          put={(character_id) => put({ character_id })}
        />
        <Group grow align="start">
          <ChoiceField
            name="kind"
            label={t("kind")}
            value={draft.kind}
            put={(kind) => put({ kind })}
            data={KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
          />
          <ChoiceField
            name="priority"
            label={t("priority")}
            value={draft.priority}
            put={(priority) => put({ priority })}
            data={PRIORITIES.map((value) => ({ value, label: t(`priority_${value}`) }))}
          />
        </Group>
        <Group grow align="start">
          <ChoiceField
            name="type"
            label={t("kept")}
            value={draft.type}
            put={(type) => put({ type })}
            data={TYPES.map((value) => ({ value, label: t(`type_${value}`) }))}
          />
          {draft.type === "short" && (
            <NumberField
              name="expire_days"
              label={t("days")}
              value={draft.expire_days}
              min={1}
              max={3_650}
              put={(value) => put({ expire_days: value || 1 })}
            />
          )}
        </Group>
        <div>
          <Text size="sm" fw={500} component="label">
            {t("importance")}: {draft.importance}
          </Text>
          <Slider
            min={1}
            max={10}
            value={draft.importance}
            onChange={(importance) => put({ importance })}
            label={null}
            thumbLabel={t("importance")}
          />
        </div>
        <WordsField name="tags" label={t("tags")} value={draft.tags} maxTags={32} put={(tags) => put({ tags })} />
        <FormFailure />
        <Group justify="flex-end">
          <CancelButton />
          <Button
            type="submit"
            loading={isBusy}
            disabled={memory !== undefined && changed.length === 0}
            data-testid="save-memory"
          >
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function titleOf({ title, content }: MemoryDraft): string {
  return title.trim() || [...content.replaceAll(/\s+/g, " ").trim()].slice(0, 30).join("");
}
