import { Autocomplete, Button, Group, NumberInput, SimpleGrid } from "@mantine/core";
import { useState } from "react";
import { isDeepEqual } from "../../../resource/form/fields.ts";
import { formatMood, listMoods, parseMood } from "../../../shared/i18n/moods.ts";
import { useAction } from "../../../shared/ui/common.tsx";
import { type Comparison, createComparison } from "../../../shared/ui/form/conflict-differences.tsx";
import { getConflictRevision } from "../../../shared/ui/form/edit-conflict.tsx";
import { Form, FormControl, FormErrors } from "../../../shared/ui/form/form.tsx";
import { RequireChangeScope } from "../../../shared/ui/page/permissions.tsx";
import { useTexts } from "../texts.ts";
import { MOOD_FIELDS, type Mood, PERCENT_FACTORS, RELATIONSHIP_FIELDS, type Relationship } from "./state-fields.ts";

interface StateFormProps {
  readonly children: React.ReactNode;
  /** Saves the draft; `over` is the conflicting revision to overwrite, by another user or the conversation itself. */
  readonly save: (over?: number) => Promise<unknown>;
  /** Discards the draft and shows the stored state. */
  readonly release: () => void;
  readonly isChanged: boolean;
  readonly compared: Comparison;
}

/** A collapsed form for manual changes. */
function StateForm({ children, save, release, isChanged, compared }: StateFormProps) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const { toHandler, isBusy, error } = useAction([["character_state"], ["character_relationship"], ["timeline"]]);
  if (!isOpen) {
    return (
      <RequireChangeScope>
        <Button size="compact-sm" variant="subtle" mt="xs" onClick={() => setOpen(true)} data-testid="change-standing">
          {t("change")}
        </Button>
      </RequireChangeScope>
    );
  }
  return (
    <Form
      error={error}
      onSubmit={toHandler(() => save())}
      isChanged={isChanged}
      conflict={{
        id: "",
        comparison: compared,
        onTakeTheirs: toHandler(async () => release()),
        onKeepMine: toHandler(() => save(getConflictRevision(error))),
      }}
    >
      <SimpleGrid cols={{ base: 2, sm: 3 }} mt="sm" spacing="xs">
        {children}
      </SimpleGrid>
      <FormErrors />
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" type="submit" loading={isBusy} data-testid="save-standing">
          {t("save")}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setOpen(false)}>
          {t("cancel")}
        </Button>
      </Group>
    </Form>
  );
}

interface StateFieldsProps<Fields> extends Pick<StateFormProps, "release"> {
  readonly now: Fields;
  readonly read: () => Promise<Fields>;
  readonly save: (body: Partial<Fields>, over?: number) => Promise<unknown>;
}

export function MoodForm({ now, read, release, save }: StateFieldsProps<Mood>) {
  const { t } = useTexts();
  const { mood, mood_intensity, energy } = now;
  const initial: Mood = { mood, mood_intensity, energy };
  const [values, setValues] = useState(initial);
  return (
    <StateForm
      save={(over) => save(values, over)}
      release={release}
      isChanged={!isDeepEqual(values, initial)}
      compared={createComparison<Mood>(values, read, (theirs) => setValues({ ...values, ...theirs }))}
    >
      <FormControl name="mood">
        <Autocomplete
          label={t("mood")}
          maxLength={32}
          required
          data={[...listMoods()]}
          value={formatMood(values.mood)}
          onChange={(text) => setValues({ ...values, mood: parseMood(text) })}
        />
      </FormControl>
      {MOOD_FIELDS.map((name) => (
        <FormControl key={name} name={name}>
          <NumberInput
            label={t(name)}
            min={0}
            max={100}
            value={Math.round(values[name] * PERCENT_FACTORS[name])}
            onChange={(value) => setValues({ ...values, [name]: Number(value) / PERCENT_FACTORS[name] })}
          />
        </FormControl>
      ))}
    </StateForm>
  );
}

export function RelationshipForm({ now, read, release, save }: StateFieldsProps<Relationship>) {
  const { t } = useTexts();
  const initial = Object.fromEntries(RELATIONSHIP_FIELDS.map((name) => [name, now[name]])) as unknown as Relationship;
  const [values, setValues] = useState(initial);
  return (
    <StateForm
      save={(over) => save(values, over)}
      release={release}
      isChanged={!isDeepEqual(values, initial)}
      compared={createComparison<Relationship>(values, read, (theirs) => setValues({ ...values, ...theirs }))}
    >
      {RELATIONSHIP_FIELDS.map((name) => (
        <FormControl key={name} name={name}>
          <NumberInput
            label={t(name)}
            min={0}
            max={100}
            value={values[name]}
            onChange={(value) => setValues({ ...values, [name]: Number(value) })}
          />
        </FormControl>
      ))}
    </StateForm>
  );
}
