import { Autocomplete, Button, Group, NumberInput, SimpleGrid } from "@mantine/core";
import { useState } from "react";
import { formatMood, listMoods, parseMood } from "../../../shared/i18n/moods.ts";
import { Form, FormControl, FormErrors } from "../../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../../shared/ui/form/use-record-form.ts";
import { RequireChangeScope } from "../../../shared/ui/page/permissions.tsx";
import { useTexts } from "../texts.ts";
import { MOOD_FIELDS, type Mood, PERCENT_FACTORS, RELATIONSHIP_FIELDS, type Relationship } from "./state-fields.ts";

const QUERY_KEYS = [["character_state"], ["character_relationship"], ["timeline"]] as const;

interface StateFormProps {
  readonly form: Pick<ReturnType<typeof useRecordForm<Mood | Relationship, Stored>>, "props" | "isBusy">;
  readonly children: React.ReactNode;
}

interface Stored {
  readonly revision: number;
}

/** A collapsed form for manual changes. */
function StateForm({ form, children }: StateFormProps) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) {
    return (
      <RequireChangeScope>
        <Button size="compact-sm" variant="subtle" mt="xs" onClick={() => setOpen(true)} data-testid="change-state">
          {t("change")}
        </Button>
      </RequireChangeScope>
    );
  }
  return (
    <Form {...form.props}>
      <SimpleGrid cols={{ base: 2, sm: 3 }} mt="sm" spacing="xs">
        {children}
      </SimpleGrid>
      <FormErrors />
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" type="submit" loading={form.isBusy} data-testid="save-relationship">
          {t("save")}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setOpen(false)}>
          {t("cancel")}
        </Button>
      </Group>
    </Form>
  );
}

interface StateFieldsProps<Fields> {
  readonly now: Fields & Stored;
  readonly read: () => Promise<Fields & Stored>;
  readonly save: (body: Fields, ifMatch: number | undefined) => Promise<Fields & Stored>;
}

export function MoodForm({ now, read, save }: StateFieldsProps<Mood>) {
  const { t } = useTexts();
  const form = useRecordForm({
    queryKeys: QUERY_KEYS,
    record: now,
    id: "",
    toDraft: (stored = now): Mood => ({
      mood: stored.mood,
      mood_intensity: stored.mood_intensity,
      energy: stored.energy,
    }),
    read,
    change: (_, draft, ifMatch) => save(draft, ifMatch),
  });
  const { draft, update } = form;
  return (
    <StateForm key={form.record?.revision} form={form}>
      <FormControl name="mood">
        <Autocomplete
          label={t("mood")}
          maxLength={32}
          required
          data={[...listMoods()]}
          value={formatMood(draft.mood)}
          onChange={(text) => update({ mood: parseMood(text) })}
        />
      </FormControl>
      {MOOD_FIELDS.map((name) => (
        <FormControl key={name} name={name}>
          <NumberInput
            label={t(name)}
            min={0}
            max={100}
            value={Math.round(draft[name] * PERCENT_FACTORS[name])}
            onChange={(value) => update({ [name]: Number(value) / PERCENT_FACTORS[name] })}
          />
        </FormControl>
      ))}
    </StateForm>
  );
}

function toRelationship({ affection, trust, security, familiarity, dependency, jealousy }: Relationship): Relationship {
  return { affection, trust, security, familiarity, dependency, jealousy };
}

export function RelationshipForm({ now, read, save }: StateFieldsProps<Relationship>) {
  const { t } = useTexts();
  const form = useRecordForm({
    queryKeys: QUERY_KEYS,
    record: now,
    id: "",
    toDraft: (stored) => toRelationship(stored ?? now),
    read,
    change: (_, draft, ifMatch) => save(draft, ifMatch),
  });
  const { draft, update } = form;
  return (
    <StateForm key={form.record?.revision} form={form}>
      {RELATIONSHIP_FIELDS.map((name) => (
        <FormControl key={name} name={name}>
          <NumberInput
            label={t(name)}
            min={0}
            max={100}
            value={draft[name]}
            onChange={(value) => update({ [name]: Number(value) })}
          />
        </FormControl>
      ))}
    </StateForm>
  );
}
