import { Autocomplete, Button, Group, Slider, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useAction } from "../../shared/ui/common.tsx";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import { createComparison } from "../../shared/ui/form/conflict-differences.tsx";
import { getConflictRevision } from "../../shared/ui/form/edit-conflict.tsx";
import {
  ComboboxField,
  NumberField,
  SelectField,
  TagsField,
  TextareaField,
  TextField,
} from "../../shared/ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { type Kind, type Memory, type MemoryDraft, memories } from "./api.ts";
import { QUERY_KEYS } from "./query-keys.ts";
import { useTexts } from "./texts.ts";

export const KINDS = ["fact", "preference", "event", "plan", "relation", "other"] as const satisfies readonly Kind[];
const TYPES = ["long", "short"] as const;
const PRIORITIES = ["high", "normal", "low"] as const;

interface MemoryFormProps {
  /** Undefined: a new one. */
  readonly memory: Memory | undefined;
  readonly persons: readonly string[];
  /** The person the page is filtered by. */
  readonly person: string | null;
  readonly character: string | null;
  /** Reloads the stored memory. */
  readonly onReload: () => Promise<unknown>;
  /** Fetches the stored fields. */
  readonly read: () => Promise<Partial<MemoryDraft>>;
  readonly onDone: () => void;
}

function initialDraft({ memory, person, character }: MemoryFormProps): MemoryDraft {
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

/** The form of one memory: content, person and importance. */
export function MemoryForm(props: MemoryFormProps) {
  const { memory, persons, onReload, read, onDone } = props;
  const { t } = useTexts();
  const [start] = useState(() => initialDraft(props));
  const [draft, setDraft] = useState(start);
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const characters = useQuery({ queryKey: ["character", "names"], queryFn: memories.characters });
  const update = (patch: Partial<MemoryDraft>) => setDraft((before) => ({ ...before, ...patch }));
  const changed = Object.entries(draft).filter(([name, value]) => value !== start[name as keyof MemoryDraft]);
  const create = toHandler(async () => {
    const { expire_days, ...rest } = draft;
    await memories.create({ ...rest, title: toTitle(draft), ...(draft.type === "short" && { expire_days }) });
    onDone();
  });
  const change = ({ id }: Memory, revision: number | undefined) =>
    toHandler(async () => {
      await memories.change(id, Object.fromEntries(changed), revision);
      onDone();
    });
  const save = memory ? change(memory, memory.revision) : create;
  return (
    <Form
      isChanged={changed.length > 0}
      error={error}
      onSubmit={save}
      conflict={
        memory && {
          id: memory.id,
          comparison: createComparison<MemoryDraft>(Object.fromEntries(changed), read, update),
          onTakeTheirs: toHandler(onReload),
          onKeepMine: change(memory, getConflictRevision(error)),
          onSaveAsNew: create,
        }
      }
    >
      <Stack gap="sm">
        <TextareaField
          name="content"
          label={t("content")}
          value={draft.content}
          onChange={(content) => update({ content })}
          minRows={3}
          required
          data-autofocus
          testId="memory-content"
        />
        <TextField
          name="title"
          label={t("title")}
          placeholder={toTitle(draft)}
          value={draft.title}
          maxLength={200}
          required={memory !== undefined}
          onChange={(title) => update({ title })}
        />
        <FormControl name="target_id">
          <Autocomplete
            label={t("person")}
            description={t("personHint")}
            data={[...persons]}
            value={draft.target_id ?? ""}
            maxLength={200}
            onChange={(value) => update({ target_id: value.trim() === "" ? null : value.trim() })}
          />
        </FormControl>
        <ComboboxField
          name="character_id"
          label={t("character")}
          placeholder={t("forCharacters")}
          data={(characters.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={draft.character_id}
          onChange={(character_id) => update({ character_id })}
        />
        <Group grow align="start">
          <SelectField
            name="kind"
            label={t("kind")}
            value={draft.kind}
            onChange={(kind) => update({ kind })}
            data={KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
          />
          <SelectField
            name="priority"
            label={t("priority")}
            value={draft.priority}
            onChange={(priority) => update({ priority })}
            data={PRIORITIES.map((value) => ({ value, label: t(`priority_${value}`) }))}
          />
        </Group>
        <Group grow align="start">
          <SelectField
            name="type"
            label={t("kept")}
            value={draft.type}
            onChange={(type) => update({ type })}
            data={TYPES.map((value) => ({ value, label: t(`type_${value}`) }))}
          />
          {draft.type === "short" && (
            <NumberField
              name="expire_days"
              label={t("days")}
              value={draft.expire_days}
              min={1}
              max={3_650}
              onChange={(value) => update({ expire_days: value || 1 })}
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
            onChange={(importance) => update({ importance })}
            label={null}
            thumbLabel={t("importance")}
          />
        </div>
        <TagsField
          name="tags"
          label={t("tags")}
          value={draft.tags}
          maxTags={32}
          onChange={(tags) => update({ tags })}
        />
        <FormErrors />
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

function toTitle({ title, content }: MemoryDraft): string {
  return title.trim() || [...content.replaceAll(/\s+/g, " ").trim()].slice(0, 30).join("");
}
