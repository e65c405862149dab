import { Autocomplete, Button, Group, Slider, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { characters } from "../../shared/api/characters.ts";
import { diffValues } from "../../shared/is-deep-equal.ts";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import {
  ComboboxField,
  NumberField,
  SelectField,
  TagsField,
  TextareaField,
  TextField,
} from "../../shared/ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { type Kind, type Memory, type MemoryDraft, memories, QUERY_KEYS } from "./api.ts";
import { useTexts } from "./texts.ts";

export const KINDS = ["fact", "preference", "event", "plan", "relation", "other"] as const satisfies readonly Kind[];
const TYPES = ["long", "short"] as const;
const PRIORITIES = ["high", "normal", "low"] as const;

interface MemoryFormProps {
  /** Undefined for a new memory. */
  readonly memory: Memory | undefined;
  readonly persons: readonly string[];
  /** The person the page is filtered by. */
  readonly person: string | null;
  readonly characterId: string | null;
  readonly read: () => Promise<Memory>;
  readonly onDone: () => void;
}

function toDraft(memory: Memory): MemoryDraft {
  const { title, content, kind, type, expire_days, target_id, character_id, priority, importance, tags } = memory;
  return { title, content, kind, type, expire_days, target_id, character_id, priority, importance, tags };
}

function createDraft({ person, characterId }: MemoryFormProps): MemoryDraft {
  return {
    title: "",
    content: "",
    kind: "fact",
    type: "long",
    expire_days: 7,
    target_id: person,
    character_id: characterId,
    priority: "normal",
    importance: 5,
    tags: [],
  };
}

/** The form of one memory: content, person and importance. */
export function MemoryForm(props: MemoryFormProps) {
  const { memory, persons, read, onDone } = props;
  const { t } = useTexts();
  const allCharacters = useQuery({ queryKey: ["character", "all"], queryFn: characters.listAll });
  const form = useRecordForm({
    queryKeys: QUERY_KEYS,
    record: memory,
    toDraft: (stored) => (stored ? toDraft(stored) : createDraft(props)),
    read,
    isPatch: true,
    change: (before, draft, ifMatch) => memories.change(before.id, diffValues(draft, toDraft(before)), ifMatch),
    create: ({ expire_days, ...draft }) =>
      memories.create({ ...draft, title: toTitle(draft), ...(draft.type === "short" && { expire_days }) }),
    onSaved: onDone,
  });
  const { draft, update, field, isChanged, isBusy } = form;
  return (
    <Form {...form.props}>
      <Stack gap="sm">
        <TextareaField
          label={t("content")}
          {...field("content")}
          minRows={3}
          required
          data-autofocus
          testId="memory-content"
        />
        <TextField
          label={t("title")}
          placeholder={toTitle(draft)}
          {...field("title")}
          maxLength={200}
          required={memory !== undefined}
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
          label={t("character")}
          placeholder={t("knownToAll")}
          data={(allCharacters.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          {...field("character_id")}
        />
        <Group grow align="start">
          <SelectField
            label={t("kind")}
            {...field("kind")}
            data={KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
          />
          <SelectField
            label={t("priority")}
            {...field("priority")}
            data={PRIORITIES.map((value) => ({ value, label: t(`priority_${value}`) }))}
          />
        </Group>
        <Group grow align="start">
          <SelectField
            label={t("retention")}
            {...field("type")}
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
        <TagsField label={t("tags")} {...field("tags")} maxTags={32} />
        <FormErrors />
        <Group justify="flex-end">
          <CancelButton />
          <Button
            type="submit"
            loading={isBusy}
            disabled={memory !== undefined && !isChanged}
            data-testid="save-memory"
          >
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function toTitle({ title, content }: Pick<MemoryDraft, "title" | "content">): string {
  return title.trim() || [...content.replaceAll(/\s+/g, " ").trim()].slice(0, 30).join("");
}
